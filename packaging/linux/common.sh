data=${XDG_DATA_HOME:-$HOME/.local/share}
program=$HOME/.local/opt/foreword

# Whether something of what is installed runs: the window, a chat in a terminal, an engine.
runs() {
    place=$(readlink -f -- "$program") || return 1
    for process in /proc/[0-9]*; do
        case $(readlink -- "$process/exe" 2>/dev/null) in
        "$place"/*) return 0 ;;
        esac
    done
    return 1
}

refresh() {
    if command -v "$1" >/dev/null 2>&1; then
        "$@" >/dev/null 2>&1 || true
    fi
}

# What desktops keep about the files in there.
refresh_desktop() {
    if [ -d "$data/applications" ]; then
        refresh update-desktop-database "$data/applications"
    fi
    if [ -d "$data/mime/packages" ]; then
        refresh update-mime-database "$data/mime"
    fi
    if [ -d "$data/icons/hicolor" ]; then
        # Desktops look again when its time changes. A cache where none was would hide from them
        # what other programs add later.
        touch -- "$data/icons/hicolor" 2>/dev/null || true
        if [ -e "$data/icons/hicolor/icon-theme.cache" ]; then
            refresh gtk-update-icon-cache --force --ignore-theme-index "$data/icons/hicolor"
        fi
    fi
}

# Removes the folders of these files, one a line, as far up as nothing is in them.
remove_folders() {
    while read -r file; do
        (cd "$data" && rmdir -p --ignore-fail-on-non-empty "$(dirname -- "$file")") 2>/dev/null || true
    done
}
