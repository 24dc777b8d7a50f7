#!/usr/bin/env bash
# run_test.sh - what run.sh answers where it cannot run anything: stubs stand for the programs that make the scratch Debian
# and the namespaces, so nothing is fetched or mounted. usage: run_test.sh
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/sdk/lib" "$work/debian/usr/bin"
touch "$work/sdk/lib/libamdhip64.so.7" "$work/debian/usr/bin/apt-get"
chmod +x "$work/debian/usr/bin/apt-get"

stub() { # name, body
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
stub id 'echo 0'
stub mount 'exit 32'
# shellcheck disable=SC2016 # a stub's variable
stub mmdebstrap 'cat >"$WORK/list"; exit 1'
# More than a pipe holds, behind the line that is looked for.
stub apt-get 'echo http://mirror.example/debian/; yes http://other.example/debian | head -n 100000'
# The first call asks whether there are namespaces; NAMESPACES is its code, and CODE that of what runs in them.
# shellcheck disable=SC2016 # a stub's variables
stub unshare 'if [ "${!#}" = true ]; then exit "$NAMESPACES"; fi
if [ "$CODE" = run ]; then while [[ $1 == -* || $1 == private ]]; do shift; done; exec "$@"; fi
exit "$CODE"'

bad=0
expect() { # code, words of the output, namespaces, code inside, arguments of run.sh
  local wanted=$1 words=$2 namespaces=$3 inside=$4 code=0; shift 4
  PATH="$work/bin:$PATH" WORK=$work NAMESPACES=$namespaces CODE=$inside "$here/run.sh" --sdk "$work/sdk" --logs "$work/logs" \
    --suites rocrand "$@" >"$work/output" 2>&1 </dev/null || code=$?
  if [ "$code" -eq "$wanted" ] && { [ -z "$words" ] || grep -qF -- "$words" "$work/output"; }; then return; fi
  printf 'run.sh %s: code %s instead of %s, or "%s" is not in its output:\n' "$*" "$code" "$wanted" "$words"
  cat "$work/output"
  bad=1
}

expect 2 'gives no namespaces' 1 0 --root "$work/debian"
expect 2 'allows no mounts' 0 run --root "$work/debian"
expect 3 'fails with code 137' 0 137 --root "$work/debian" # killed
expect 1 '' 0 1 --root "$work/debian" # a case failed
expect 0 '' 0 0 --root "$work/debian"
expect 2 "unknown suite ''" 0 0 --root "$work/debian" --suites rocrand,,rocblas
expect 2 'needs a name' 0 0 --root "$work/debian" --suites ''
expect 2 'cannot be made' 0 0 --root "$work/none"
grep -qxF 'deb http://mirror.example/debian/ sid main contrib' "$work/list" || { echo 'not the archive of apt:'; cat "$work/list"; bad=1; }
exit "$bad"
