#!/bin/sh
# Compiles the samples, the end-to-end programs and the check of the headers by nvcc (HIP_PLATFORM=nvidia), runs them on this
# machine's NVIDIA GPU and prints one table. It needs the CUDA toolkit, 12 or later, and of an SDK tree of this repository
# bin/hipcc, share/hip/version and include/hip/hip_version.h (the other headers are the repository's, so that a build tree's links
# need not lead anywhere); no clang.
# usage: tests/nvidia/nvcc.sh <folder for the programs> [SDK tree, build/release/sdk] [name pattern, *]
# HIP_ARCH: the architecture to compile for (native). NVCC_RUN=0: compile only. NVCC_JOBS: compilations at once (all cores).
# Exit code: 0 when all was compiled and every program passed.
if [ $# -eq 0 ]; then
  echo "usage: $0 <folder for the programs> [SDK tree, build/release/sdk] [name pattern, *]" >&2
  exit 2
fi
repo=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
sdk=${2:-$repo/build/release/sdk}
pattern=${3:-*}
hipcc=$sdk/bin/hipcc
if [ ! -x "$hipcc" ]; then
  echo "nvcc.sh: '$sdk' is no SDK tree: it has no bin/hipcc" >&2
  exit 2
fi
export HIP_PLATFORM=nvidia
if [ ! -f "$sdk/include/hip/hip_version.h" ]; then
  echo "nvcc.sh: '$sdk' has no include/hip/hip_version.h" >&2
  exit 2
fi
export HIPCC_COMPILE_FLAGS_APPEND="-isystem $repo/include $HIPCC_COMPILE_FLAGS_APPEND"
"$hipcc" --version > "$out/version" 2>&1 || { cat "$out/version" >&2; exit 2; }
tail -n 2 "$out/version"

# Not in this mode: what AMD's __half converts to and how it rounds; elements of vectors by index; unsafe atomics; the FNUZ
# formats; tiles with members that are not active; faults, after which CUDA refuses the whole process; what counts the
# runtime's own locks and allocations. The others are modules.
left_out='half half_functions vectors small_atomics small_floats groups faults launch_steady fill kernels'

# One line per program: name, source, further flags.
list=$out/list
{
  for source in "$repo"/samples/*/*.hip; do
    echo "$(basename "$(dirname "$source")") $source"
  done
  for source in "$repo"/tests/e2e/*.hip; do
    flags=
    case $(basename "$source") in
    translations.hip) flags="-DE2E_MODULES=\"$out\"" ;;
    floats.hip) flags=-ffp-contract=off ;; # nvcc does not read the pragma
    esac
    echo "e2e_$(basename "$source" .hip) $source $flags"
  done
  echo "nvcc_api $repo/tests/nvidia/nvcc_api.hip"
  # With cuBLAS, where the toolkit has it.
  echo '#include <cublas_v2.h>' > "$out/probe.cpp"
  "$hipcc" -E "$out/probe.cpp" -o "$out/probe.ii" > /dev/null 2>&1 &&
    echo "nvcc_library $repo/tests/nvidia/nvcc_library.hip -lcublas"
  echo "nvcc_mode $repo/tests/nvidia/nvcc_mode.hip"
  echo "nvcc_mode_c $repo/tests/nvidia/nvcc_mode_c.c"
} | while read -r name source flags; do
  case $name in $pattern) ;; *) continue ;; esac
  case " $left_out " in *" $(basename "$source" .hip) "*) continue ;; esac
  echo "$name $source $flags"
done > "$list"

# The modules that programs load.
for folder in "$repo"/samples/*/; do
  [ -f "$folder/kernels.hip" ] || continue
  "$hipcc" --genco -O3 --offload-arch="${HIP_ARCH:-native}" "$folder/kernels.hip" -o "$out/kernels.co"
done
for value in 1 2; do
  "$hipcc" --genco -O3 --offload-arch="${HIP_ARCH:-native}" -DVALUE=$value "$repo/tests/e2e/fill.hip" -o "$out/fill_$value.co"
done

export hipcc out repo
tr '\n' '\0' < "$list" | xargs -0 -P "${NVCC_JOBS:-$(nproc)}" -I '{}' sh -c '
  set -- $1
  name=$1 source=$2
  shift 2
  begin=$(date +%s.%N)
  case $source in *.c) std=c11 ;; *) std=c++17 ;; esac
  "$hipcc" -O3 --offload-arch="${HIP_ARCH:-native}" -std=$std -Wall -Wextra "$@" "$source" -o "$out/$name" > "$out/$name.compile" 2>&1
  echo $? > "$out/$name.code"
  echo "$begin $(date +%s.%N)" | awk "{printf \"%.1f\", \$2 - \$1}" > "$out/$name.seconds"
' sh '{}'

printf '%-24s %-9s %8s  %-9s %8s  %s\n' program compiled seconds run seconds 'last line'
compiled=0 passed=0 failed=0
while read -r name source flags; do
  build=yes run=- run_s=- last=
  if [ "$(cat "$out/$name.code")" != 0 ]; then
    build=FAILED
    failed=$((failed + 1))
  else
    compiled=$((compiled + 1))
    if [ "${NVCC_RUN:-1}" != 0 ]; then
      begin=$(date +%s.%N)
      (cd "$out" && timeout 120 "./$name") > "$out/$name.log" 2>&1
      code=$?
      run_s=$(echo "$begin $(date +%s.%N)" | awk '{printf "%.2f", $2 - $1}')
      last=$(tail -n 1 "$out/$name.log" | cut -c 1-80)
      if [ $code -eq 0 ]; then
        run=passed
        passed=$((passed + 1))
      else
        run="FAILED $code"
        failed=$((failed + 1))
      fi
    fi
  fi
  printf '%-24s %-9s %8s  %-9s %8s  %s\n' "$name" $build "$(cat "$out/$name.seconds")" "$run" "$run_s" "$last"
  [ $build = yes ] || grep -E 'error|fatal' "$out/$name.compile" | head -n 6 | sed 's/^/    /'
  case $run in FAILED*) grep -v '^passed' "$out/$name.log" | head -n "${RUN_LINES:-12}" | sed 's/^/    /' ;; esac
done < "$list"
total=$(wc -l < "$list")
echo "$compiled of $total programs compiled, $passed passed"
[ "$failed" -eq 0 ] && [ "$compiled" -gt 0 ]
