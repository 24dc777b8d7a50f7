#!/usr/bin/env python3
"""Runs the kit's cases natively (OpenMP) and through a HIP SDK, interleaved, and prints medians and ratios.

usage: run.py --sdk PREFIX [--rounds 3] [--cases a,b] [--tiers default,0] [--work DIR] [--raw FILE] [--cold]
              [--host x86-64-v4] [--no-build]

PREFIX is an installed SDK or the tree of a build (PREFIX/bin/hipcc). Every measurement is a process of its own. Before
the first round each case runs once with OMNIHIP_TIER=1, so that its translation lies in the cache in DIR, as for a program
that has been run before; "translating" is that run's time, with nothing in the cache at the script's first run. --cold
leaves that out and starts every process with an empty cache. For a machine without compilers, both programs are built
elsewhere (--rounds 0), the native one for the processor of --host, and DIR is carried there and run with --no-build. Rates:
more is better. Every ratio above 1 means that the SDK is the faster one.
A wrong result or a crash prints BAD and counts as 0.
"""
import argparse, collections, concurrent.futures, math, os, pathlib, shutil, statistics, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent


def compile_all(command, sources, flags, work, program):
    """Objects two at a time, those older than a source or header only; then the program."""
    newest = max(f.stat().st_mtime for f in [*HERE.glob("*.h"), *HERE.glob("*/*.h")])
    objects = [work / f"{program}_{s.stem}.o" for s in sources]

    def one(source, output):
        if not output.exists() or output.stat().st_mtime < max(source.stat().st_mtime, newest):
            subprocess.run([*command, *flags, "-I", HERE, "-c", source, "-o", output], check=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, sources, objects))
    subprocess.run([*command, *flags, *objects, "-o", work / program], check=True)


def build(work, sdk, arch, host):
    compile_all(["g++"], sorted((HERE / "native").glob("*.cpp")),
                f"-std=c++17 -O3 -march={host} -ffast-math -mprefer-vector-width=512 -fopenmp".split(), work, "native")
    compile_all([str(sdk / "bin/hipcc")], [*sorted(HERE.glob("*.hip")), HERE / "main.cpp"],
                ["-std=c++17", "-O3", f"--offload-arch={arch}"], work, "hip")


def environment(work, sdk, tier):
    env = dict(os.environ, OMNIHIP_CACHE_DIR=str(work / "cache"))
    env["LD_LIBRARY_PATH"] = f"{sdk / 'lib'}:{env.get('LD_LIBRARY_PATH', '')}"
    env.pop("OMNIHIP_TIER", None)
    if tier != "default": env["OMNIHIP_TIER"] = tier
    return env


def run(work, program, case, env):
    """The case's line as (unit, rate, median ms, first ms), or None."""
    try:
        out = subprocess.run([work / program, case], env=env, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None
    sys.stderr.write(out.stderr)
    for line in out.stdout.splitlines():
        f = line.split(",")
        if len(f) == 7 and f[0] == case and f[6] == "1" and out.returncode == 0:
            return f[1], float(f[2]), float(f[3]), float(f[4])
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sdk", required=True, type=pathlib.Path)
    p.add_argument("--arch", default="gfx942")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--cases")
    p.add_argument("--tiers", default="default", help="a list of default, 0 and 1")
    p.add_argument("--work", type=pathlib.Path, default=pathlib.Path("kit-work"))
    p.add_argument("--raw", type=pathlib.Path)
    p.add_argument("--cold", action="store_true")
    p.add_argument("--host", default="native", help="the processor that native programs are compiled for")
    p.add_argument("--no-build", action="store_true")
    args = p.parse_args()
    work, sdk = args.work.resolve(), args.sdk.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if not args.no_build: build(work, sdk, args.arch, args.host)
    if args.rounds == 0: return 0
    known = subprocess.run([work / "native", "--list"], capture_output=True, text=True, check=True).stdout.split()
    cases = args.cases.split(",") if args.cases else known
    ways = [("native", "native", dict(os.environ))]
    ways += [(tier, "hip", environment(work, sdk, tier)) for tier in args.tiers.split(",")]

    translating = {}
    cache = work / "cache"
    if not args.cold:
        for case in cases:
            start = time.monotonic()
            run(work, "hip", case, environment(work, sdk, "1"))
            translating[case] = time.monotonic() - start

    got, units, bad, raw = collections.defaultdict(list), {}, set(), []
    for r in range(args.rounds):
        for case in cases:
            for name, program, env in ways:
                if args.cold: shutil.rmtree(cache, ignore_errors=True)
                line = run(work, program, case, env)
                if line: units[case] = line[0]
                else: bad.add((case, name))
                got[case, name].append(line[1] if line else 0.0)
                raw.append(f"{r},{name},{case},{','.join(map(str, line or ('?', 0, 0, 0)))}")
            print(f"round {r + 1}/{args.rounds} {case}", file=sys.stderr)
    if args.raw: args.raw.write_text("\n".join(raw) + "\n")

    tiers = [name for name, *_ in ways[1:]]
    print(f"| case | unit | native | {' | '.join(tiers)} | {' | '.join(t + ' / native' for t in tiers)} | translating, s |")
    print("|---" * 2 + "|---:" * (2 + 2 * len(tiers)) + "|")
    ratios = collections.defaultdict(list)
    for case in cases:
        median = {name: statistics.median(got[case, name]) for name, *_ in ways}
        for t in tiers: ratios[t].append(median[t] / median["native"] if median["native"] else 0.0)
        cells = [f"{median[n]:.3g}" + (" BAD" if (case, n) in bad else "") for n in ["native", *tiers]]
        cells += [f"{ratios[t][-1]:.2f}" for t in tiers]
        cells.append(f"{translating[case]:.1f}" if case in translating else "-")
        print(f"| {case} | {units.get(case, '?')} | {' | '.join(cells)} |")
    for t in tiers:
        mean = math.exp(sum(math.log(max(x, 1e-6)) for x in ratios[t]) / len(ratios[t]))
        print(f"\nGeometric mean of {t} / native over {len(cases)} cases: {mean:.3f}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
