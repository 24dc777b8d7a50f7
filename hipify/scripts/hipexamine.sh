#!/bin/sh
# Counts what there is to convert in the sources of a folder, and changes nothing.
# usage: hipexamine.sh FOLDER [options of hipify-clang]
[ $# -ge 1 ] || { echo "usage: $(basename "$0") FOLDER [options of hipify-clang]" >&2; exit 2; }
exec "$(dirname "$(realpath "$0")")/hipify-clang" -examine "$@"
