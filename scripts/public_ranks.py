#!/usr/bin/env python3
"""Launches each public kernel that communicates alone, on 2 ranks.

The kernels are those of PTOAS' samples with communication instructions or asynchronous
prefetches, in the checkout that PTO_PTOAS names. All pointers get windows of zeros of
8 MiB, but pointers to i64 get the communication context; scalars get 1. A kernel that
waits for another kernel cannot end alone: the script prints what each one waits for.

  PTO_PTOAS=~/PTOAS scripts/public_ranks.py [folder of pto-run and pto-opt]
"""

import os
import re
import sys
from collections import Counter
from pathlib import Path

if len(sys.argv) > 1:
    os.environ["PTO_RUN"], os.environ["PTO_OPT"] = f"{sys.argv[1]}/pto-run", f"{sys.argv[1]}/pto-opt"
sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import ptogo  # noqa: E402

SIZE = 8 << 20


def argument(p):
    if p.elem is None:
        return "1" if not p.type.startswith("f") else "1.0"
    if p.elem == "i64":
        return "comm"
    bits = int(re.search(r"\d+", p.elem)[0]) if not p.elem.startswith("f8") else 8
    return f"window=1x{SIZE * 8 // bits}x{p.elem}"


def run(path):
    """Returns how a launch of the kernel in a file ended."""
    kernel = ptogo.load(path)
    try:
        kernel[1, 2](*map(argument, kernel.params), timeout=60, max_memory="4GiB")
    except ptogo.Error as e:
        return next((d.message for d in e.diagnostics if d.severity == "error"), str(e))
    return "runs to its end"


def main():
    root = Path(os.environ["PTO_PTOAS"]) / "test/samples"
    files = [f for f in sorted(root.rglob("*.pto")) if re.search("DeepseekV4|CommSync|TPrefetchAsync", str(f)) and re.search(r"pto\.comm\.|prefetch_async", f.read_text())]
    ends = Counter()
    for f in files:
        end = run(f)
        kind = "waits for a signal" if "waits for a signal" in end else "runs to its end" if end.startswith("runs") else "faults"
        ends[kind] += 1
        print(f"{f.relative_to(root)}: {end}")
    print(f"{len(files)} files: " + ", ".join(f"{n} {kind}" for kind, n in sorted(ends.items())))


main()
