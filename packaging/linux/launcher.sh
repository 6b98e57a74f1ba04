#!/bin/sh
# Starts Foreword. Where this system lacks what the program needs, the loader would end it without
# a word on the screen: this says what is missing and what to do.

set -u
here=$(dirname -- "$(readlink -f -- "$0")")
parts=$here/app/_internal
glibc=@GLIBC@
loader=/lib64/ld-linux-x86-64.so.2

# A sentence for a person: in the terminal, or in a dialog where nobody reads one.
tell() {
    printf 'Foreword cannot start: %s\n' "$1" >&2
    if [ -t 2 ] || [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        return
    fi
    if command -v zenity >/dev/null 2>&1; then
        zenity --error --no-markup --width=480 --title=Foreword --text="Foreword cannot start: $1"
    elif command -v kdialog >/dev/null 2>&1; then
        kdialog --title Foreword --error "Foreword cannot start: $1"
    elif command -v xmessage >/dev/null 2>&1; then
        printf 'Foreword cannot start: %s\n' "$1" | fold -s -w 72 | xmessage -center -file -
    elif command -v notify-send >/dev/null 2>&1; then
        notify-send --urgency=critical Foreword "Foreword cannot start: $1"
    fi >/dev/null 2>&1
}

stop() {
    tell "$1"
    exit 1
}

check_machine() {
    machine=$(uname -m)
    [ "$machine" = x86_64 ] ||
        stop "this package is for x86-64 processors, and this one is $machine. Get the package for it."
    { [ -r "$parts/base_library.zip" ] && [ -x "$here/app/foreword" ]; } ||
        stop "parts of it are missing from $here. Install it again."
}

check_glibc() {
    # Without it the program is not even found, says the shell, and in a menu nobody hears that.
    [ -e "$loader" ] ||
        stop "it needs glibc $glibc or newer, and this system has no $loader."
    command -v getconf >/dev/null 2>&1 || return 0
    version=$(getconf GNU_LIBC_VERSION 2>/dev/null) ||
        stop "it needs glibc $glibc or newer, and this system has another C library."
    version=${version#glibc }
    older "$version" "$glibc" || return 0
    stop "it needs glibc $glibc or newer, and this system has $version. Use a newer release of this system."
}

# Whether the version $1 comes before $2, by the first two of their numbers.
older() {
    major=${1%%.*}
    minor=${1#*.}
    minor=${minor%%.*}
    [ "$major" -lt "${2%%.*}" ] || { [ "$major" -eq "${2%%.*}" ] && [ "$minor" -lt "${2#*.}" ]; }
}

# What the loader would not find for these files.
missing() {
    for file in "$@"; do
        # Unlike --list, this goes on after the first that is missing.
        LD_LIBRARY_PATH=$parts LD_TRACE_LOADED_OBJECTS=1 "$loader" "$file" 2>&1
    done | sed -n -e 's/^[[:space:]]*\(.*\) => not found$/\1/p' \
        -e "s/^.*version .\(GLIBCXX_[0-9.]*\). not found.*$/\1/p" | sort -u
}

# What gets these libraries here. Packages of RPM's go by what they provide, whoever named them.
remedy() {
    if command -v apt-get >/dev/null 2>&1; then
        printf 'Run: sudo apt-get install %s' "$(packages "$@")"
        return
    fi
    for manager in dnf zypper; do
        if command -v "$manager" >/dev/null 2>&1; then
            printf 'Run: sudo %s install%s' "$manager" "$(provided "$@")"
            return
        fi
    done
    printf 'Install the packages that have them. Debian calls those: %s' "$(packages "$@")"
}

provided() {
    for library in "$@"; do
        case $library in
        GLIBCXX_*) printf " 'libstdc++.so.6(%s)(64bit)'" "$library" ;;
        *) printf " '%s()(64bit)'" "$library" ;;
        esac
    done
}

# Debian's names for them.
packages() {
    for library in "$@"; do
        case $library in
@PACKAGES@
        esac
    done | sort -u | tr '\n' ' '
}

check_libraries() {
    if [ -n "${DISPLAY:-}" ]; then
        set -- "$parts/PySide6/Qt/plugins/platforms/libqxcb.so"
    elif [ -n "${WAYLAND_DISPLAY:-}" ]; then
        set -- "$parts/PySide6/Qt/plugins/platforms/libqwayland.so"
    else # the terminal needs none of Qt's
        set --
    fi
    # The names hold no spaces: word splitting is what is wanted.
    # shellcheck disable=SC2046
    set -- $(missing "$parts/llama_cpp/lib/libllama.so" "$@")
    [ $# = 0 ] && return
    stop "this system lacks $*. $(remedy "$@")"
}

check_machine
check_glibc
check_libraries
exec "$here/app/foreword" "$@"
