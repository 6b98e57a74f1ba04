#!/bin/sh
# Removes what install.sh put there. Conversations, settings and models stay.

set -eu
@COMMON@
stop() {
    printf 'Foreword was not removed: %s\n' "$1" >&2
    exit 1
}

if [ ! -r "$program/share.list" ]; then
    stop "there is none in $program."
fi
if runs; then
    stop "it is running. Close it and run this again."
fi

while read -r file; do
    rm -f "$data/$file"
done <"$program/share.list"
refresh_desktop

# What desktops keep about nothing at all: with it the folders would stay.
holds_only() {
    [ -d "$data/$1" ] && [ -z "$(find "$data/$1" -type f ! -name "$2" -print -quit)" ]
}
if holds_only applications mimeinfo.cache; then
    rm -f "$data/applications/mimeinfo.cache"
fi
if holds_only icons/hicolor icon-theme.cache; then
    rm -f "$data/icons/hicolor/icon-theme.cache"
fi
if holds_only mime/packages ''; then
    # All that update-mime-database writes when there are no types.
    for file in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses \
        treemagic types version; do
        rm -f "$data/mime/$file"
    done
    rmdir "$data/mime/application" 2>/dev/null || true
fi
remove_folders <"$program/share.list"

if [ "$(readlink -- "$HOME/.local/bin/foreword" 2>/dev/null)" = "$program/foreword" ]; then
    rm -f "$HOME/.local/bin/foreword"
fi
rm -rf "$program"

printf 'Foreword is removed. What stays, until you remove it yourself:\n'
for folder in "$data/foreword" "${XDG_CONFIG_HOME:-$HOME/.config}/foreword" \
    "${XDG_STATE_HOME:-$HOME/.local/state}/foreword" "${XDG_CACHE_HOME:-$HOME/.cache}/foreword"; do
    if [ -d "$folder" ]; then
        printf '  %s\n' "$folder"
    fi
done
