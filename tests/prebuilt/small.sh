#!/usr/bin/env bash
# small.sh - the part of AMD's prebuilt test programs that a test run has time for: some of rocRAND's, from the packages of
# this machine's Debian archive. usage: small.sh BUILD_FOLDER
# Exit code: 77 (skipped) where the scratch Debian or its packages cannot be had, with a line that says why; else run.sh's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?usage: small.sh BUILD_FOLDER}
skip() { printf 'SKIPPED: %s\n' "$*"; exit 77; }

[ "$(id -u)" -eq 0 ] || skip "a scratch Debian needs root rights"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
prefix=$build/tests/prebuilt/sdk root=$build/tests/prebuilt/root
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null
status=0
"$here/run.sh" --sdk "$prefix" --root "$root" --logs "$build/tests/prebuilt/logs" --suites rocrand \
  --programs '@(test_rocrand_basic|test_rocrand_kernel_@(xorwow|philox4x32_10))' --seconds 120 || status=$?
# 2: run.sh could not run them, and has said why: no archive, no packages.
[ "$status" -ne 2 ] || skip "AMD's test programs cannot be had here (see above)"
exit "$status"
