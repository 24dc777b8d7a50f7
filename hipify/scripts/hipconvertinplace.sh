#!/bin/sh
# Converts the sources of a folder where they are; FILE.prehip keeps each original.
# usage: hipconvertinplace.sh FOLDER [options of hipify-clang]
[ $# -ge 1 ] || { echo "usage: $(basename "$0") FOLDER [options of hipify-clang]" >&2; exit 2; }
exec "$(dirname "$(realpath "$0")")/hipify-clang" -inplace -print-stats "$@"
