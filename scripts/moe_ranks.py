#!/usr/bin/env python3
"""Runs the MoE chain of PTOAS' DeepseekV4DecodeA5 samples on 2 and 4 ranks as a graph.

Seven kernels of the checkout that PTO_PTOAS names dispatch tokens to the experts of all
ranks and combine what comes back. numpy computes what every buffer must hold. Then each
edge of the graph, and each kernel, is left out in turn: pto-run must report a race, a
deadlock, or other numbers.

The kernels are written for 2 ranks. For 4 ranks the script replaces the constants that
depend on the number of ranks. There is no expert kernel in between: random rows stand
for what the experts return.

  PTO_PTOAS=~/PTOAS scripts/moe_ranks.py [folder of pto-run and pto-opt]
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

TOKENS, TOP, EXPERTS, WIDTH = 8, 6, 32, 4096
KERNELS = "dispatch_meta dispatch_push dispatch_wait dispatch_gather combine combine_wait shared_routed".split()


def bf16(x):
    """Rounds f32 to the bits of bf16, to nearest even."""
    u = x.astype(np.float32).view(np.uint32)
    return ((u + 0x7FFF + (u >> 16 & 1)) >> 16).astype(np.uint16)


def f32(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def kernel(name, ranks, tools, folder):
    """Writes a kernel for a number of ranks, with synchronization inserted."""
    source = os.path.join(os.environ["PTO_PTOAS"], "test/samples/DeepseekV4DecodeA5/kernels/aiv", name + ".pto")
    text = open(source).read()
    capacity = TOKENS * ranks
    for old, new in [
        ("%c2_index = arith.constant 2 ", f"%c2_index = arith.constant {ranks} "),
        ("%c16_index = arith.constant 16 ", f"%c16_index = arith.constant {capacity} "),
        ("%c512_index = arith.constant 512 ", f"%c512_index = arith.constant {EXPERTS * capacity} "),
        ("local_array<64xi32>", f"local_array<{EXPERTS * ranks}xi32>"),
        ("local_array<2xi32>", f"local_array<{ranks}xi32>"),
    ]:
        text = text.replace(old, new)
    plain, ready = os.path.join(folder, name + ".plain.pto"), os.path.join(folder, name + ".pto")
    open(plain, "w").write(text)
    subprocess.run([os.path.join(tools, "pto-opt"), plain, "--enable-insert-sync", "-o", ready], check=True, capture_output=True)


class Chain:
    def __init__(self, ranks, tools, folder):
        self.ranks, self.tools, self.folder = ranks, tools, folder
        self.capacity = TOKENS * ranks
        rng = np.random.default_rng(ranks)
        rows = EXPERTS * self.capacity
        self.data = {
            "indices": [np.stack([rng.permutation(EXPERTS * ranks)[:TOP] for _ in range(TOKENS)]).astype(np.int32) for _ in range(ranks)],
            "x": [rng.integers(-128, 128, (TOKENS, WIDTH), np.int8) for _ in range(ranks)],
            "scale": [rng.random(TOKENS, np.float32) for _ in range(ranks)],
            "weights": [rng.random((TOKENS, TOP), np.float32) for _ in range(ranks)],
            "recv_y": [bf16(rng.standard_normal((rows, WIDTH))) for _ in range(ranks)],
            "sh": [bf16(rng.standard_normal((TOKENS, WIDTH))) for _ in range(ranks)],
        }
        for name, arrays in self.data.items():
            for r, a in enumerate(arrays):
                a.tofile(os.path.join(folder, f"{name}{r}.bin"))

    def lines(self):
        """The graph: buffers and tasks."""
        rows, cap = EXPERTS * self.capacity, self.capacity
        out = [{"version": 1, "ranks": self.ranks}]
        for name, elem in [("indices", "i32"), ("x", "i8"), ("scale", "f32"), ("weights", "f32"), ("recv_y", "bf16"), ("sh", "bf16")]:
            out.append({"buffer": name, "type": elem, "spec": "in=" + os.path.join(self.folder, name + "{rank}.bin")})
        for name, shape in [
            ("meta", f"{self.ranks}x{EXPERTS}xi32"), ("recv_x", f"{rows}x{WIDTH}xi8"), ("recv_aux", f"{rows}x8xf32"), ("recv_route", f"{rows}x8xi32"),
            ("routed_y", f"{TOKENS * TOP}x{WIDTH}xbf16"), ("arrived", "64xi32"), ("data_arrived", "64xi32"), ("combine_arrived", "64xi32"),
        ]:
            out.append({"buffer": name, "type": shape.split("x")[-1], "spec": "window=" + shape})
        for name, shape in [
            ("meta_local", f"{self.ranks}x{EXPERTS}xi32"), ("count", f"{EXPERTS}xi32"), ("x_out", f"{rows}x{WIDTH}xi8"), ("scale_out", f"{EXPERTS}x{cap}xf32"),
            ("w_out", f"{EXPERTS}x{cap}xf32"), ("route_out", f"{EXPERTS}x{cap}xi32"), ("ffn_out", f"{TOKENS}x{WIDTH}xbf16"),
        ]:
            spec = "out=" + os.path.join(self.folder, name + "{rank}.out:") + shape
            out.append({"buffer": name, "type": shape.split("x")[-1], "spec": spec})
        out.append({"buffer": "ctx", "spec": "comm"})
        tokens, me = str(TOKENS), "rank"
        tasks = [
            ("dispatch_meta", 1, ["indices", "meta", "arrived", "meta_local", "count", (tokens,), (me,), "ctx", "ctx"], []),
            ("dispatch_push", EXPERTS, ["indices", "recv_x", "x", "scale", "weights", "recv_aux", "recv_route", "data_arrived", (tokens,), (me,)] + ["ctx"] * 4, []),
            ("dispatch_wait", 1, ["indices", "data_arrived", (me,), "ctx"], ["dispatch_push"]),
            ("dispatch_gather", EXPERTS, ["x_out", "meta_local", "recv_x", "recv_aux", "scale_out", "w_out", "recv_route", "route_out"] + ["ctx"] * 3,
             ["dispatch_meta", "dispatch_wait"]),
            ("combine", EXPERTS, ["meta_local", "route_out", "routed_y", "recv_y", "combine_arrived", (me,), "ctx", "ctx"], ["dispatch_gather"]),
            ("combine_wait", 1, ["recv_y", "combine_arrived", (me,), "ctx"], ["combine"]),
            ("shared_routed", TOKENS, ["sh", "routed_y", "ffn_out", (tokens,), "ctx"], ["combine_wait"]),
        ]
        for r in range(self.ranks):
            for name, blocks, args, after in tasks:
                out.append({
                    "task": name, "rank": r, "file": os.path.join(self.folder, name + ".pto"), "kernel": name, "blocks": blocks, "after": after,
                    "args": [{"scalar": a[0]} if isinstance(a, tuple) else {"buffer": a} for a in args],
                })
        return out

    def run(self, lines, *options):
        path = os.path.join(self.folder, "graph.jsonl")
        with open(path, "w") as f:
            f.writelines(json.dumps(line) + "\n" for line in lines)
        return subprocess.run([os.path.join(self.tools, "pto-run"), "--graph", path, "--max-memory=8GiB", *options], capture_output=True, text=True)

    def wrong(self):
        """Counts the elements that differ from what numpy computes."""
        n, cap, d = self.ranks, self.capacity, self.data
        slots = [[[[] for _ in range(EXPERTS)] for _ in range(n)] for _ in range(n)]  # destination, source, expert
        for src in range(n):
            for t in range(TOKENS):
                for k in range(TOP):
                    e = d["indices"][src][t, k]
                    slots[e // EXPERTS][src][e % EXPERTS].append((t, k))
        routed = [np.zeros((TOKENS * TOP, WIDTH), np.uint16) for _ in range(n)]
        bad = total = 0

        def compare(name, r, want):
            nonlocal bad, total
            have = np.fromfile(os.path.join(self.folder, f"{name}{r}.out"), want.dtype).reshape(want.shape)
            bad, total = bad + int((have != want).sum()), total + want.size

        for r in range(n):
            x_out = np.zeros((EXPERTS * cap, WIDTH), np.int8)
            scale, w, route = np.zeros((EXPERTS, cap), np.float32), np.zeros((EXPERTS, cap), np.float32), np.zeros((EXPERTS, cap), np.int32)
            for e in range(EXPERTS):
                b = 0
                for src in range(n):
                    for t, k in slots[r][src][e]:
                        x_out[e * cap + b], scale[e, b], w[e, b] = d["x"][src][t], d["scale"][src][t], d["weights"][src][t, k]
                        route[e, b] = t * TOP + k
                        routed[src][t * TOP + k] = d["recv_y"][r][e * cap + b]
                        b += 1
            for name, want in [("x_out", x_out), ("scale_out", scale), ("w_out", w), ("route_out", route)]:
                compare(name, r, want)
        for r in range(n):
            acc = f32(d["sh"][r])
            for k in range(TOP):
                acc = (acc + f32(routed[r][k::TOP])).astype(np.float32)
            compare("ffn_out", r, bf16(acc))
        return bad, total


def verdict(run, chain):
    """What is wrong with a run, or "" if nothing is."""
    if run.returncode == 4:
        return "deadlock" if "would wait forever" in run.stderr else "fault"
    if run.returncode == 5:
        return "race"
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr[:300]}"
    return "wrong numbers" if chain.wrong()[0] else ""


def main():
    tools = sys.argv[1] if len(sys.argv) > 1 else "."
    failed = False
    for ranks in (2, 4):
        with tempfile.TemporaryDirectory() as folder:
            for name in KERNELS:
                kernel(name, ranks, tools, folder)
            chain = Chain(ranks, tools, folder)
            run = chain.run(chain.lines(), "--check=race,sync")
            if run.returncode != 0:
                print(run.stderr[:4000])
                failed = True
            bad, total = chain.wrong()
            print(f"{ranks} ranks: exit code {run.returncode}, {bad} of {total:,} elements wrong")
            failed |= bad > 0
            if ranks > 2:
                continue
            for i, line in enumerate(chain.lines()):
                if line.get("rank") != 0 or "task" not in line:
                    continue
                for edge in line["after"]:
                    lines = chain.lines()
                    lines[i]["after"].remove(edge)
                    what = verdict(chain.run(lines, "--check=race,sync"), chain)
                    print(f"  without the edge from {edge} to {line['task']}: {what or 'NOT FOUND'}")
                    failed |= what == ""
                lines = [{**x, "after": [a for a in x.get("after", []) if a != line["task"] or x["rank"] != 0]} if "task" in x else x
                         for k, x in enumerate(chain.lines()) if k != i]
                what = verdict(chain.run(lines, "--check=race,sync"), chain)
                print(f"  without the kernel {line['task']}: {what or 'NOT FOUND'}")
                failed |= what == ""
    sys.exit(failed)


if __name__ == "__main__":
    main()
