#!/usr/bin/env python3
"""Prints how times grow, from runs of the program `scale` with several numbers of worker threads, as tables.

usage: scale.py SCALE_PROGRAM [--threads 1,2,4] [--tables size,groups,work,streams,memory] [--rounds 3]

Runs are interleaved; every number is the median over the rounds. More threads than the machine has cores show what the
parts that threads share cost: ideally nothing changes.
"""
import argparse, collections, os, statistics, subprocess


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("--threads", default="1,2")
    p.add_argument("--tables", default="size,groups,work,streams,memory")
    p.add_argument("--rounds", type=int, default=3)
    args = p.parse_args()
    threads = args.threads.split(",")
    got, units = collections.defaultdict(list), {}
    for _ in range(args.rounds):
        for count in threads:
            env = dict(os.environ, OMNIHIP_SOFT_THREADS=count)
            out = subprocess.run([args.program, *args.tables.split(",")], env=env, check=True, capture_output=True, text=True)
            for line in out.stdout.splitlines():
                table, x, value, unit = line.split(",")
                got[table, int(x), count].append(float(value))
                units[table] = unit
    for table, unit in units.items():
        print(f"\n| {table}, {unit} | " + " | ".join(f"{t} threads" for t in threads) + " |")
        print("|---:" * (1 + len(threads)) + "|")
        for x in sorted({x for name, x, _ in got if name == table}):
            cells = [got.get((table, x, t)) for t in threads]
            print(f"| {x} | " + " | ".join(f"{statistics.median(c):.4g}" if c else "" for c in cells) + " |")


if __name__ == "__main__":
    main()
