#!/bin/sh
# Runs the end-to-end programs and the samples on this machine's NVIDIA GPUs and prints one table. The programs are those
# of a build tree, compiled anywhere: they hold PTX, and need neither a compiler nor a CUDA toolkit here.
# usage: tests/nvidia/run.sh [build folder, build/release] [name pattern, *]
# Exit code: 0 when every program passed.
build=${1:-build/release}
pattern=${2:-*}
if [ ! -d "$build/e2e" ] || [ ! -d "$build/samples" ]; then
  echo "run.sh: '$build' holds no folders e2e and samples; build them with: cmake --build $build --target e2e samples" >&2
  exit 2
fi
build=$(cd "$build" && pwd)
LD_LIBRARY_PATH=$build/sdk/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
OMNIHIP_BACKEND=cuda
export LD_LIBRARY_PATH OMNIHIP_BACKEND
log=$(mktemp -d) || exit 2
trap 'rm -rf "$log"' EXIT

passed=0
failed=0
printf '%-28s %-8s %8s  %s\n' program result seconds 'last line'
for program in "$build"/samples/*/* "$build"/e2e/e2e_*_O3 "$build"/tests/device_*; do
  name=$(basename "$program")
  case $name in $pattern) ;; *) continue ;; esac
  [ -f "$program" ] && [ -x "$program" ] || continue
  case $name in *.co | *.hipfb) continue ;; esac
  begin=$(date +%s.%N)
  (cd "$(dirname "$program")" && timeout 120 "$program") > "$log/$name" 2>&1
  code=$?
  end=$(date +%s.%N)
  if [ $code -eq 0 ]; then
    result=passed
    passed=$((passed + 1))
  else
    result="FAILED $code"
    failed=$((failed + 1))
  fi
  printf '%-28s %-8s %8.2f  %s\n' "$name" "$result" "$(echo "$end - $begin" | awk '{print $1 - $3}')" \
    "$(tail -n 1 "$log/$name" | cut -c 1-90)"
  [ $code -eq 0 ] || grep -v '^passed' "$log/$name" | head -n "${RUN_LINES:-12}" | sed 's/^/    /'
done
echo "$passed of $((passed + failed)) programs passed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
