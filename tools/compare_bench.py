#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two runs of Google Benchmark: compare_bench.py BEFORE AFTER [--threshold 1.10].

BEFORE and AFTER are JSON files (--benchmark_out) or folders of them. Prints before, after and their
ratio for every benchmark; exits with 1 when one became slower than the threshold allows.
"""
import argparse
import json
import math
import pathlib
import sys
import tempfile

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def read_times(path):
    """Name -> CPU time in ns; the median where repetitions were made, else the smallest."""
    path = pathlib.Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        sys.exit(f"compare_bench: no JSON files in {path}")
    times, medians = {}, {}
    for file in files:
        for run in json.loads(file.read_text())["benchmarks"]:
            if run.get("error_occurred"):
                continue
            name = f"{file.stem}: {run.get('run_name', run['name'])}"
            time = run["cpu_time"] * NANOSECONDS[run.get("time_unit", "ns")]
            if run.get("aggregate_name") == "median":
                medians[name] = time
            elif run.get("run_type", "iteration") == "iteration":
                times[name] = min(time, times.get(name, math.inf))
    return times | medians


def readable(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def compare(before, after, threshold):
    """The table's lines, and how many benchmarks regressed."""
    names = sorted(before.keys() | after.keys())
    width = max(map(len, names), default=9)
    lines = [f"{'benchmark':<{width}}  {'before':>10}  {'after':>10}  {'ratio':>6}"]
    slower = 0
    for name in names:
        if name not in before or name not in after:
            side, times = ("new", after) if name in after else ("gone", before)
            lines.append(f"{name:<{width}}  {readable(times[name]):>10}  {side:>10}")
            continue
        ratio = after[name] / before[name] if before[name] > 0 else math.inf
        note = ""
        if ratio > threshold:
            slower += 1
            note = "  SLOWER"
        elif ratio < 1 / threshold:
            note = "  faster"
        lines.append(f"{name:<{width}}  {readable(before[name]):>10}  {readable(after[name]):>10}  "
                     f"{ratio:>6.2f}{note}")
    return lines, slower


def self_test():
    def run(name, time, unit="ns", **more):
        return {"name": name, "run_name": name, "run_type": "iteration", "cpu_time": time,
                "time_unit": unit, **more}

    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "before"), pathlib.Path(folder, "after")
        for side, runs in ((before, [run("sort", 100), run("blend", 2, "us"), run("old", 5)]),
                           (after, [run("sort", 130), run("sort", 125), run("blend", 1500),
                                    run("new", 7)])):
            side.mkdir()
            (side / "gs_render_bench.json").write_text(json.dumps({"benchmarks": runs}))
        times = read_times(before), read_times(after)
        lines, slower = compare(*times, 1.10)
        assert slower == 1, lines
        text = "\n".join(lines)
        assert "1.25  SLOWER" in text and "0.75  faster" in text, text
        assert "new" in text and "gone" in text, text
        assert compare(*times, 1.30)[1] == 0
        assert compare(times[0], times[0], 1.10)[1] == 0
    print("compare_bench: regressions are detected")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--threshold", type=float, default=1.10, help="allowed ratio after/before")
    arguments = parser.parse_args()
    lines, slower = compare(read_times(arguments.before), read_times(arguments.after),
                            arguments.threshold)
    print("\n".join(lines))
    if slower:
        print(f"{slower} slower than {arguments.threshold:.2f} times before")
    return slower > 0


if __name__ == "__main__":
    sys.exit(main())
