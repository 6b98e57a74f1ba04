#!/bin/sh
# Removes what install.sh put there. Conversations, settings and models stay.

set -eu
data=${XDG_DATA_HOME:-$HOME/.local/share}
program=$HOME/.local/opt/foreword

while read -r file; do
    rm -f "$data/$file"
    (cd "$data" && rmdir -p --ignore-fail-on-non-empty "$(dirname -- "$file")") 2>/dev/null || true
done <"$program/share.list"

if [ "$(readlink -- "$HOME/.local/bin/foreword" 2>/dev/null)" = "$program/foreword" ]; then
    rm -f "$HOME/.local/bin/foreword"
fi
rm -rf "$program"

refresh() {
    if command -v "$1" >/dev/null 2>&1 && [ -d "$2" ]; then
        "$@" >/dev/null 2>&1 || true
    fi
}
refresh update-desktop-database "$data/applications"
refresh update-mime-database "$data/mime"

printf 'Foreword is removed. What stays, until you remove it yourself:\n'
for folder in "$data/foreword" "${XDG_CONFIG_HOME:-$HOME/.config}/foreword" \
    "${XDG_STATE_HOME:-$HOME/.local/state}/foreword" "${XDG_CACHE_HOME:-$HOME/.cache}/foreword"; do
    if [ -d "$folder" ]; then
        printf '  %s\n' "$folder"
    fi
done
