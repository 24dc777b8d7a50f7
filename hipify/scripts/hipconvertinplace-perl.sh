#!/bin/sh
# Converts the sources of a folder where they are; FILE.prehip keeps each original.
# usage: hipconvertinplace-perl.sh FOLDER [options of hipify-perl]
[ $# -ge 1 ] || { echo "usage: $(basename "$0") FOLDER [options of hipify-perl]" >&2; exit 2; }
exec "$(dirname "$(realpath "$0")")/hipify-perl" -inplace -print-stats "$@"
