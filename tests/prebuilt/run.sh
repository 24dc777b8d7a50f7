#!/usr/bin/env bash
# run.sh - runs test programs that AMD wrote and Debian built (rocBLAS, rocRAND and others) on OmniHIP, and prints one table.
# Nothing of theirs is compiled or changed here: their binaries run in a scratch Debian, where an installed SDK's lib/ is first
# on the library path. docs/compatibility.md has the results.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Suites of each release of ROCm that Debian has: name, package of its programs, package whose version is shown, arguments. The
# names of packages hold their ABI: those of 7.2 ask for libamdhip64.so.7, those of 6.4 for .so.6, those of 5.7 for .so.5.
suites_7_2='
rocrand   librocrand1-tests   librocrand1
rocfft    librocfft0-tests    librocfft0    --smoketest
rocsparse librocsparse1-tests librocsparse1 --gtest_filter=*quick*
rocblas   librocblas5-tests   librocblas5   --gtest_filter=*quick*
hiprand   libhiprand1-tests   libhiprand1
hipfft    libhipfft0-tests    libhipfft0    --smoketest
hipsparse libhipsparse4-tests libhipsparse4
hipblas   libhipblas3-tests   libhipblas3   --gtest_filter=*quick*
rocprim   librocprim-tests    librocprim-tests
hipcub    libhipcub-tests     libhipcub-tests
rocthrust librocthrust-tests  librocthrust-tests
rocsolver librocsolver0-tests librocsolver0   --gtest_filter=checkin*-*known_bug*
rocwmma   librocwmma-tests    librocwmma-tests
hipsolver libhipsolver1-tests libhipsolver1   --gtest_filter=checkin*-*CSRRF*
hipblaslt libhipblaslt1-tests libhipblaslt1   --gtest_filter=*quick*
hipsparselt hipsparselt-tests libhipsparselt0 --gtest_filter=*quick*
miopen    libmiopen1-tests    libmiopen1      --gtest_filter=Smoke*
rccl      librccl1-tests      librccl1
'
suites_6_4='
rocrand   librocrand1-tests   librocrand1
rocfft    librocfft0-tests    librocfft0    --smoketest
rocsparse librocsparse1-tests librocsparse1 --gtest_filter=*quick*
rocblas   librocblas4-tests   librocblas4   --gtest_filter=*quick*
hiprand   libhiprand1-tests   libhiprand1
hipfft    libhipfft0-tests    libhipfft0    --smoketest
hipsparse libhipsparse1-tests libhipsparse1
rocprim   librocprim-tests    librocprim-tests
'
suites_5_7='
rocrand   librocrand1-tests   librocrand1
rocfft    librocfft0-tests    librocfft0    --gtest_filter=*pow2_1D*
rocsparse librocsparse0-tests librocsparse0 --gtest_filter=*quick*
rocblas   librocblas0-tests   librocblas0   --gtest_filter=*quick*
hipsparse libhipsparse0-tests libhipsparse0
rocprim   librocprim-tests    librocprim-tests
'
sdk_inside=/opt/omnihip-prebuilt # where the SDK is seen in the root

usage() {
  cat <<'END'
Usage: tests/prebuilt/run.sh --sdk PREFIX [options]

  --sdk PREFIX     an installed SDK (./sdk install PREFIX); the build tree's has links that lead out of the root
  --rocm VERSION   7.2 (default), 6.4 or 5.7: whose packages; those of 6.4 and 5.7 have no code for gfx942, so
                   OMNIHIP_SOFT_TARGET is gfx90a for them where it is unset
  --root DIR       the scratch Debian (default: build/prebuilt/root-VERSION); made if it is not there (about 2 GB with rocBLAS),
                   and packages that it lacks are installed in it
  --suites LIST    names with commas between (default: rocrand,rocfft,rocsparse,rocblas); also: hiprand, hipfft, hipsparse,
                   hipblas, rocprim, hipcub, rocthrust, rocsolver, rocwmma, hipsolver, hipblaslt (which
                   has no code for gfx942: OMNIHIP_SOFT_TARGET=gfx90a), hipsparselt, miopen, rccl (on two software GPUs)
  --programs GLOB  only programs of this name, such as 'test_rocrand_kernel_*'
  --filter FILTER  gtest's filter, instead of the suite's own arguments
  --sample N       every Nth case only
  --jobs N         N processes of each program at once, each with its share of the cases (default: 1); programs that are
                   not of gtest (rocThrust's) share nothing, and count N times
  --seconds S      time for each program (default: 600); what it has finished by then counts
  --logs DIR       where the programs' output goes (default: build/prebuilt/logs)

Needs root rights, for chroot and mounts. These are in a mount namespace of its own and go with it. The archive is the Debian
archive of this machine's apt sources, or deb.debian.org; the suites are unstable (with experimental for 7.2) and trixie.
Exit code: 0 when no case failed; 1 when one did, a program was cut off before its first, or one does not load the SDK's library;
2 when they could not be run; 3 when this script ends early for another reason.
END
}

fail() { printf 'run.sh: error: %s\n' "$*" >&2; exit 2; }
say() { printf '%s\n' "$*" >&2; }

# A command that fails ends this script with a code of its own, which may be that of a failed case: it becomes 3.
verdict=''
# shellcheck disable=SC2317 # a trap calls it
end() {
  local code=$?
  if [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || [ "$code" -eq 3 ] || [ -n "$verdict" ]; then return; fi
  say "run.sh: error: a command fails with code $code before the cases are counted"
  exit 3
}
trap end EXIT

rocm=7.2 dir='' logs=$repo/build/prebuilt/logs sdk='' wanted=rocrand,rocfft,rocsparse,rocblas
programs='*' filter='' sample=1 jobs=1 seconds=600
arguments=("$@")
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --rocm | --root | --sdk | --suites | --programs | --filter | --sample | --jobs | --seconds | --logs)
      [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) usage >&2; fail "unknown argument '$1'" ;;
  esac
  case $1 in
    --rocm) rocm=$2 ;;
    --root) dir=$2 ;;
    --sdk) sdk=$2 ;;
    --suites) wanted=$2 ;;
    --programs) programs=$2 ;;
    --filter) filter=$2 ;;
    --sample) sample=$2 ;;
    --jobs) jobs=$2 ;;
    --seconds) seconds=$2 ;;
    --logs) logs=$2 ;;
  esac
  shift 2
done
case $rocm in
  7.2) suites_table=$suites_7_2 library=libamdhip64.so.7 base=sid ;;
  6.4) suites_table=$suites_6_4 library=libamdhip64.so.6 base=sid ;;
  5.7) suites_table=$suites_5_7 library=libamdhip64.so.5 base=trixie ;;
  *) fail "--rocm takes 7.2, 6.4 or 5.7, not '$rocm'" ;;
esac
[ "$rocm" = 7.2 ] || export OMNIHIP_SOFT_TARGET=${OMNIHIP_SOFT_TARGET:-gfx90a}
dir=$(realpath -m "${dir:-$repo/build/prebuilt/root-$rocm}") logs=$(realpath -m "$logs")
[[ $sample =~ ^[1-9][0-9]*$ ]] || fail "--sample takes a number from 1 on, not '$sample'"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || fail "--jobs takes a number from 1 on, not '$jobs'"
[[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "--seconds takes a number from 1 on, not '$seconds'"
[ "$dir" != / ] || fail "the root of this machine cannot be the scratch Debian"
[ "$(id -u)" -eq 0 ] || fail "chroot and mounts need root rights: run it with sudo"
[ -n "$sdk" ] || { usage >&2; fail "name an installed SDK with --sdk"; }
[ -e "$sdk/lib/$library" ] || fail "there is no lib/$library in $sdk"
sdk=$(realpath "$sdk")

# The line of a suite in the table: "NAME TESTS LIBRARY ARGUMENTS".
row_of() { awk -v name="$1" 'name != "" && $1 == name { $1 = $1; print; found = 1 } END { exit !found }' <<<"$suites_table"; }

IFS=, read -ra suites <<<"$wanted"
[ ${#suites[@]} -gt 0 ] || fail "--suites needs a name"
packages=()
for suite in "${suites[@]}"; do
  row=$(row_of "$suite") || fail "unknown suite '$suite'"
  read -r _ tests _ <<<"$row"
  packages+=("$tests")
  # What the host computes to compare with comes from BLAS, whose plain form takes minutes for one product.
  case $suite in *blas | *sparse | *solver) packages+=(libopenblas0-pthread) ;; esac
  [ "$suite" != rocsolver ] || packages+=(librocsparse1) # which it opens where it is installed
  [ "$suite" != miopen ] || packages+=(g++)              # its kernels include headers of C++, and are compiled as they run
  if [ "$suite" = rccl ]; then # what docs/compatibility.md says of it; tests that take longer than five seconds count as failed
    export OMNIHIP_SOFT_DEVICES=${OMNIHIP_SOFT_DEVICES:-2} RCCL_USE_ROCM_SMI_LIB=1 HSA_NO_SCRATCH_RECLAIM=1 UT_TIMEOUT_US=600000000
  fi
done

# In unstable and experimental together apt takes unstable's packages; ROCm's are to come from experimental.
pins='Package: src:rocm* src:roc* src:hip* src:rccl src:miopen src:clr
Pin: release a=experimental
Pin-Priority: 900
'

# Makes the scratch Debian with the packages named.
make_root() {
  local archive list
  command -v mmdebstrap >/dev/null || fail "mmdebstrap is not installed (it makes the scratch Debian)"
  # The first one; awk reads to the end, since apt-get would fail where nobody reads what it still writes.
  # shellcheck disable=SC2016 # apt's variable
  archive=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | awk '!found && /\/debian\/?$/ { print; found = 1 }') || true
  [ -n "$archive" ] || archive=http://deb.debian.org/debian
  list="deb $archive $base main contrib"
  [ "$rocm" != 7.2 ] || list+=$'\n'"deb $archive experimental main"
  say "Making a Debian in $dir from $archive: $*"
  mkdir -p "$(dirname "$dir")"
  # shellcheck disable=SC2016 # mmdebstrap's shell expands the hook
  PINS=$pins mmdebstrap --quiet --variant=minbase --aptopt='APT::Install-Recommends "false"' \
    --aptopt='Acquire::Check-Valid-Until "false"' --keyring=/usr/share/keyrings \
    --setup-hook='mkdir -p "$1/etc/apt/preferences.d" && printf %s "$PINS" >"$1/etc/apt/preferences.d/rocm"' \
    --include="$(IFS=,; echo "$*")" "$base" "$dir" - <<<"$list" >&2 || fail "the scratch Debian cannot be made in $dir"
}

# What a command in the scratch Debian begins with: the SDK is first on the library path, and the environment variables of the
# SDK and of gtest are passed on. Without GTEST_LISTENER, rocBLAS and its kin write no lines for cases that pass.
inside=(chroot "$dir" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "LD_LIBRARY_PATH=$sdk_inside/lib"
        GTEST_LISTENER=PASS_LINE_IN_LOG)
[ "$jobs" -eq 1 ] || inside+=(OPENBLAS_NUM_THREADS=1)
while IFS= read -r variable; do inside+=("$variable"); done < <(env | grep -E '^(OMNIHIP|GTEST|HIP|HSA|ROC[A-Z]+|[RN]CCL|UT)_[A-Z0-9_]+=' || true)
shards=$((sample * jobs)) # of which the last `jobs` are run

# Outside of the namespaces: makes the root, enters them, and waits. When this process ends, they end with all that runs in them.
if [ "${PREBUILT_STAGE:-}" != inside ]; then
  [ -x "$dir/usr/bin/apt-get" ] || make_root "${packages[@]}"
  # unshare's own failure has the code of a failed case.
  unshare --mount --propagation private --pid --fork true || fail "this machine gives no namespaces for mounts and processes"
  mkdir -p "$dir$sdk_inside" "$logs"
  PREBUILT_STAGE=inside unshare --mount --propagation private --pid --fork --kill-child "${BASH_SOURCE[0]}" "${arguments[@]}" &
  child=$!
  trap 'kill -KILL "$child" 2>/dev/null || true; wait "$child" 2>/dev/null || true; verdict=none; exit 130' INT TERM HUP
  status=0
  wait "$child" || status=$?
  [ "$status" -ne 1 ] || verdict=failed
  exit "$status"
fi

{ mount -t proc proc "$dir/proc" && mount --rbind /dev "$dir/dev" && mount --bind "$sdk" "$dir$sdk_inside" &&
  mount -o remount,bind,ro "$dir$sdk_inside"; } || fail "this machine allows no mounts in $dir"

missing=()
for package in "${packages[@]}"; do "${inside[@]}" dpkg-query -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
if [ ${#missing[@]} -gt 0 ]; then
  say "Installing in $dir: ${missing[*]}"
  cp /etc/resolv.conf "$dir/etc/resolv.conf"
  "${inside[@]}" apt-get update -qq >&2 || fail "apt-get update fails in $dir"
  "${inside[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >"$logs/install.log" 2>&1 ||
    fail "apt-get cannot install ${missing[*]} in $dir (log: $logs/install.log)"
fi

# Number of lines in file $2 that the pattern $1 matches.
count() { grep -acE -- "$1" "$2" || true; }

ended='\([0-9]+ ms\)$' # lines of finished cases; the closing list repeats failed ones without a time
failures=()            # lines for the end: suite, program, case

# Runs one program, as `jobs` processes, and adds what it did to the totals.
run_program() {
  local suite=$1 program=$2; shift 2
  local name job sharding started=() start=$SECONDS
  local -A before=([ok]=$total_ok [bad]=$total_bad [skipped]=$total_skipped [left]=$total_left)
  name=$(basename "$program")
  for ((job = 0; job < jobs; ++job)); do
    sharding=()
    [ "$shards" -eq 1 ] || sharding=("GTEST_TOTAL_SHARDS=$shards" "GTEST_SHARD_INDEX=$((shards - jobs + job))")
    run_process "$(log_of "$suite" "$name" "$job")" "${sharding[@]}" "$program" "$@" &
    started+=($!)
  done
  wait "${started[@]}"
  for ((job = 0; job < jobs; ++job)); do read_log "$suite" "$name" "$(log_of "$suite" "$name" "$job")"; done
  say "$(printf '%-10s %-44s %6d passed %4d failed %5d skipped %6d cut off %5d s' "$suite" "$name" $((total_ok - before[ok])) \
    $((total_bad - before[bad])) $((total_skipped - before[skipped])) $((total_left - before[left])) $((SECONDS - start)))"
}

log_of() { # suite, program, number of the process
  local of=''
  [ "$jobs" -eq 1 ] || of=.$3
  echo "$logs/$1/$2$of.log"
}

# Runs one process with its output in file $1, and writes its exit code and seconds beside it.
run_process() {
  local log=$1 status=0 start=$SECONDS; shift
  timeout -k 2 "$seconds" "${inside[@]}" "$@" </dev/null >"$log" 2>&1 || status=$?
  echo "$status $((SECONDS - start))" >"$log.status"
}

# Adds what one process did, of suite $1 and program $2 with output in $3, to the totals.
read_log() {
  local suite=$1 name=$2 log=$3
  # left: cases that the program does not get to, for its time or because it crashes.
  local line status took planned ok bad skipped left
  read -r status took <"$log.status"
  planned=$(sed -nE 's/^.*\[==========\] Running ([0-9]+) tests? from.*/\1/p' "$log" | tail -n 1)
  ok=$(count "\[       OK \] .*$ended" "$log")
  bad=$(count "\[  FAILED  \] .*$ended" "$log")
  skipped=$(count "\[  SKIPPED \] .*$ended" "$log")
  while IFS= read -r line; do failures+=("$suite $name: $line"); done < <(sed -nE "s/^.*\[  FAILED  \] (.*) $ended.*/\1/p" "$log")
  # 124 and 137 are timeout's; where time was left, something else killed the program (the system, when memory is short).
  if { [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; } && [ "$took" -ge "$seconds" ]; then
    [ -n "$planned" ] || failures+=("$suite $name: cut off before it said how many cases it has")
    left=$((${planned:-0} - ok - bad - skipped))
    [ "$left" -ge 0 ] || left=0
  else
    left=0
    if [ -z "$planned" ]; then # not one of gtest's: the program is the case
      if [ "$status" -eq 0 ]; then ok=1; else bad=1 failures+=("$suite $name: exit code $status without a case"); fi
    elif ! grep -qaE '\[==========\] .* ran\.' "$log"; then
      bad=$((bad + 1))
      failures+=("$suite $name: exit code $status in $(sed -nE 's/^.*\[ RUN      \] (.*)/\1/p' "$log" | tail -n 1)")
      left=$((planned - ok - bad - skipped))
    elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
      bad=1 failures+=("$suite $name: exit code $status, though no case failed")
    fi
  fi
  total_ok=$((total_ok + ok)) total_bad=$((total_bad + bad))
  total_skipped=$((total_skipped + skipped)) total_left=$((total_left + left))
}

table=()
for suite in "${suites[@]}"; do
  read -r _ tests shown options <<<"$(row_of "$suite")"
  read -ra options <<<"$options"
  [ -z "$filter" ] || options=("--gtest_filter=$filter")
  # shellcheck disable=SC2016 # dpkg's variable
  version=$("${inside[@]}" dpkg-query -W -f '${Version}' "$shown")
  total_ok=0 total_bad=0 total_skipped=0 total_left=0 start=$SECONDS ran=0
  mkdir -p "$logs/$suite"
  paths=("$dir/usr/libexec/rocm/$tests"/*)
  if [ ! -d "$dir/usr/libexec/rocm/$tests" ]; then # some packages have their program among the system's
    # shellcheck disable=SC2016 # sed's end of line
    mapfile -t paths < <("${inside[@]}" dpkg-query -L "$tests" | sed -n "s|^/usr/bin/.*-test\$|$dir&|p")
  fi
  for path in "${paths[@]}"; do
    program=${path#"$dir"}
    # Programs are ELF files; beside them lie scripts and data.
    if [ ! -f "$path" ] || [ ! -x "$path" ] || [ "$(head -c 4 "$path" | tr -d '\0')" != $'\x7fELF' ]; then continue; fi
    # shellcheck disable=SC2053 # a pattern
    [[ $(basename "$path") == $programs ]] || continue
    if [ "$ran" -eq 0 ]; then
      loaded=$("${inside[@]}" ldd "$program") || true
      if [[ $loaded != *"$library => $sdk_inside/lib/"* ]]; then
        say "run.sh: error: $program does not load the SDK's $library"
        verdict=failed
        exit 1
      fi
    fi
    ran=$((ran + 1))
    run_program "$suite" "$program" "${options[@]}"
  done
  [ "$ran" -gt 0 ] || fail "the package $tests has no program of the name '$programs'"
  cases=$((total_ok + total_bad + total_skipped))
  table+=("$suite|$version|$cases|$total_ok|$total_bad|$total_skipped|$total_left|$((SECONDS - start))")
done

printf '\n%-10s %-18s %8s %8s %7s %8s %8s %8s\n' suite version cases passed failed skipped 'cut off' seconds
for row in "${table[@]}"; do
  IFS='|' read -ra cell <<<"$row"
  printf '%-10s %-18s %8d %8d %7d %8d %8d %8d\n' "${cell[@]}"
done
[ ${#failures[@]} -gt 0 ] || exit 0
printf '\nFailed (output in %s):\n' "$logs"
printf '  %s\n' "${failures[@]}"
verdict=failed
exit 1
