#!/bin/sh
# Installs Foreword for the user who runs this, without administrator's rights. Installing a newer
# one over it keeps all conversations, settings and models: they lie elsewhere.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
data=${XDG_DATA_HOME:-$HOME/.local/share}
program=$HOME/.local/opt/foreword
bin=$HOME/.local/bin

stop() {
    printf 'Foreword was not installed: %s\n' "$1" >&2
    exit 1
}

if [ "$(id -u)" = 0 ]; then
    stop "this installs it for one user, and you are root. Run it as that user."
fi
mkdir -p "$HOME/.local/opt" "$bin" "$data" 2>/dev/null && [ -w "$HOME/.local/opt" ] ||
    stop "$HOME/.local cannot be written to. Check its permissions."

# Beside its final place and renamed, so that it is whole or as before.
rm -rf "$program.new"
cp -R "$here/foreword" "$program.new" 2>/dev/null || {
    rm -rf "$program.new"
    stop "there is no room for it in $HOME/.local. Make room and run this again."
}
cp "$here/uninstall.sh" "$program.new/uninstall.sh"
rm -rf "$program"
mv "$program.new" "$program"
ln -sf "$program/foreword" "$bin/foreword"

cp -R "$here/share/." "$data/"
# The menu starts the program with a path of its own, for not every session searches ~/.local/bin.
entry=$data/applications/@ID@.desktop
sed "s|^\(Try\)\{0,1\}Exec=foreword|\1Exec=$program/foreword|" \
    "$here/share/applications/@ID@.desktop" >"$entry"

refresh() {
    if command -v "$1" >/dev/null 2>&1; then
        "$@" >/dev/null 2>&1 || true
    fi
}
refresh update-desktop-database "$data/applications"
refresh update-mime-database "$data/mime"
refresh gtk-update-icon-cache --force --ignore-theme-index "$data/icons/hicolor"

printf 'Foreword @VERSION@ is installed in %s.\n' "$program"
printf 'Start it from the menu, or with: %s/foreword\n' "$bin"
printf 'To remove it: %s/uninstall.sh\n' "$program"
if [ -x /opt/foreword/foreword ]; then
    printf 'Another one is in /opt/foreword; from now on the menu starts this one. Both use the same conversations.\n'
fi
