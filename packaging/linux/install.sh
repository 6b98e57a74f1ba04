#!/bin/sh
# Installs Foreword for the user who runs this, without administrator's rights. Installing a newer
# one over it keeps all conversations, settings and models: they lie elsewhere.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
bin=$HOME/.local/bin
@COMMON@
stop() {
    printf 'Foreword was not installed: %s\n' "$1" >&2
    exit 1
}

if [ "$(id -u)" = 0 ]; then
    stop "this installs it for one user, and you are root. Run it as that user."
fi
if ! mkdir -p "$HOME/.local/opt" "$bin" "$data" 2>/dev/null || [ ! -w "$HOME/.local/opt" ]; then
    stop "$HOME/.local cannot be written to. Check its permissions."
fi
if runs; then
    stop "the one that is installed is running. Close it and run this again."
fi

# Beside its final place and renamed, so that it is whole or as before.
rm -rf "$program.new"
{ cp -R "$here/foreword" "$program.new" && cp "$here/uninstall.sh" "$program.new"; } 2>/dev/null || {
    rm -rf "$program.new"
    stop "there is no room for it in $HOME/.local. Make room and run this again."
}
# What the version before put there and this one does not.
old=
if [ -r "$program/share.list" ]; then
    old=$(grep -vxF -f "$here/foreword/share.list" "$program/share.list") || true
fi
rm -rf "$program"
mv "$program.new" "$program"
ln -sf "$program/foreword" "$bin/foreword"

cp -R "$here/share/." "$data/" || {
    printf 'Foreword is in %s, and its menu entry could not be written to %s. ' "$program" "$data" >&2
    printf 'Make room, check the permissions there, and run this again.\n' >&2
    exit 1
}
printf '%s\n' "$old" | while read -r file; do
    if [ -n "$file" ]; then
        rm -f "$data/$file"
        printf '%s\n' "$file" | remove_folders
    fi
done

# The menu starts the program with a path of its own, for not every session searches ~/.local/bin.
# In Exec it is an argument in quotes, with four signs escaped in them, and then a string, where a
# backslash is two (Desktop Entry Specification, "The Exec key"); in TryExec it is a string alone.
quoted=$(printf '%s\n' "$program/foreword" | sed 's/["`$\\]/\\&/g; s/\\/\\\\/g; s/%/%%/g')
plain=$(printf '%s\n' "$program/foreword" | sed 's/\\/\\\\/g')
while IFS= read -r line; do
    case $line in
    Exec=foreword*) printf 'Exec="%s"%s\n' "$quoted" "${line#Exec=foreword}" ;;
    TryExec=foreword) printf 'TryExec=%s\n' "$plain" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$here/share/applications/@ID@.desktop" >"$data/applications/@ID@.desktop"
refresh_desktop

printf 'Foreword @VERSION@ is installed in %s.\n' "$program"
printf 'Start it from the menu, or with: %s/foreword\n' "$bin"
printf 'To remove it: %s/uninstall.sh\n' "$program"
if [ -x /opt/foreword/foreword ]; then
    printf 'Another one is in /opt/foreword; from now on the menu starts this one. Both use the same conversations.\n'
fi
