#!/usr/bin/env python3
"""Compare kernels that hipcc compiled to PTX with the same text compiled by nvcc, in one run on one GPU.

usage: nvidia_kernels.py --sdk PREFIX --source FILE.hip --hip PROGRAM [--rounds 5] [--args "reps=20"]

PROGRAM is FILE.hip compiled by PREFIX/bin/hipcc (anywhere; this machine needs no clang). Its CUDA form is FILE.hip with
hip renamed to cuda, compiled here by nvcc -O3 for this GPU. Both print lines "name,ms,unit,value,ok"; the programs are run
in turn, case by case, and medians of ms and their ratio (HIP / CUDA: below 1 means that HIP is the faster one) are printed.
"""
import argparse, collections, os, pathlib, re, statistics, subprocess, sys, tempfile


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--sdk", required=True); p.add_argument("--source", required=True); p.add_argument("--hip", required=True)
    p.add_argument("--rounds", type=int, default=5); p.add_argument("--args", default="reps=20")
    p.add_argument("--cases", default="all"); p.add_argument("--nvcc", default="nvcc")
    args = p.parse_args()
    work = pathlib.Path(tempfile.mkdtemp())
    text = pathlib.Path(args.source).read_text()
    text = re.sub(r"#include <hip/hip_runtime.h>", "#include <cuda_runtime.h>", text)
    text = re.sub(r"\bhip([A-Z])", r"cuda\1", text)
    (work / "cuda.cu").write_text(text)
    subprocess.run([args.nvcc, "-O3", "-std=c++17", "-arch=native", str(work / "cuda.cu"), "-o", str(work / "cuda")], check=True)
    env = dict(os.environ, OMNIHIP_BACKEND="cuda")
    env["LD_LIBRARY_PATH"] = str(pathlib.Path(args.sdk).resolve() / "lib") + ":" + env.get("LD_LIBRARY_PATH", "")
    programs = {"cuda": str(work / "cuda"), "hip": str(pathlib.Path(args.hip).resolve())}
    times, bad = collections.defaultdict(list), set()
    units = {}
    for _ in range(args.rounds):
        for case in args.cases.split(","):
            for name, program in programs.items():
                run = subprocess.run([program, case, *args.args.split()], env=env, capture_output=True, text=True, timeout=300)
                for line in run.stdout.splitlines():
                    f = line.strip().split(",")
                    if len(f) != 5: continue
                    times[f[0], name].append(float(f[1])); units[f[0]] = f[2]
                    if f[4] != "1": bad.add((f[0], name))
                if run.returncode != 0: print(f"{name} {case}: exit {run.returncode}: {run.stderr.strip()[-300:]}", file=sys.stderr)
    print(f"{'case':20} {'nvcc, ms':>12} {'hipcc, ms':>12} {'ratio':>7}")
    for case in units:
        c, h = times[case, "cuda"], times[case, "hip"]
        if not c or not h: continue
        c, h = statistics.median(c), statistics.median(h)
        print(f"{case:20} {c:12.4f} {h:12.4f} {h / c:7.3f}" + (" BAD" if (case, "hip") in bad else ""))


if __name__ == "__main__":
    main()
