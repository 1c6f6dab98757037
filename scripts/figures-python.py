"""Measures what the Python package costs: calls, memory, failures, batches.

    PTO_RUN=bin/pto-run PYTHONPATH=python python3 scripts/figures-python.py
"""

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import ptogo
from ptogo import _server, _tools

ROOT = Path(__file__).resolve().parents[1]
ENDLESS = """
func.func @endless(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %true = arith.constant true
  scf.while : () -> () { scf.condition(%true) } do { scf.yield }
  return
}
"""


def usage(pid):
    """Processor seconds and resident MiB of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    ticks = os.sysconf("SC_CLK_TCK")
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return (int(fields[11]) + int(fields[12])) / ticks, pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def calls(n):
    kernel = ptogo.load(ROOT / "examples/softmax.pto")
    x = np.random.default_rng(1).uniform(-1, 1, (32, 64)).astype(np.float32)
    y = np.zeros_like(x)
    for _ in range(100):
        kernel[2](x, y)
    pid = _server.server().about["pid"]
    cpu, mib, own, wall = *usage(pid), time.process_time(), time.perf_counter()
    times = []
    for _ in range(n):
        start = time.perf_counter()
        kernel[2](x, y)
        times.append(time.perf_counter() - start)
    cpu2, mib2 = usage(pid)
    times.sort()
    print(
        f"{n} calls of softmax, 2 blocks: {1e3 * (time.perf_counter() - wall) / n:.2f} ms each (median {1e3 * times[n // 2]:.2f}, "
        f"fastest {1e3 * times[0]:.2f}); processor {1e3 * (cpu2 - cpu) / n:.2f} ms in pto-run, {1e3 * (time.process_time() - own) / n:.2f} ms in Python"
    )
    print(f"  memory of pto-run: {mib:.0f} MiB before, {mib2:.0f} MiB after; open files: {files(pid)} there, {files('self')} here")


def spawned(n):
    start = time.perf_counter()
    for _ in range(n):
        subprocess.run(
            [_tools.find("pto-run"), ROOT / "examples/softmax.pto", "--blocks", "2", "--arg", "rand=32x64xf32", "--arg", "zeros=32x64xf32"],
            check=True, capture_output=True,
        )  # fmt: skip
    print(f"the same as a process each: {1e3 * (time.perf_counter() - start) / n:.0f} ms")


def failures(n):
    kernel, endless = ptogo.load(ROOT / "examples/softmax.pto"), ptogo.load(ENDLESS)
    x, short = np.zeros((32, 64), np.float32), np.zeros(4, np.float32)
    ended = {"ran": 0, "fault": 0, "timeout": 0, "interrupt": 0, "kill": 0}
    before, shm = files("self"), len(os.listdir("/dev/shm"))
    start = time.perf_counter()

    def expect(what, error, run):
        try:
            run()
            ended["ran"] += 1
        except error:
            ended[what] += 1

    for i in range(n):
        pid = _server.server().about["pid"]
        if i % 50 == 49:
            os.kill(pid, signal.SIGKILL)
            expect("kill", ptogo.ServerDied, lambda: kernel(x, x))
        elif i % 50 == 24:
            subprocess.Popen(["sh", "-c", f"sleep 0.05; kill -INT {os.getpid()}"])
            expect("interrupt", KeyboardInterrupt, lambda: endless(x))
        elif i % 5 == 1:
            expect("fault", ptogo.Fault, lambda: kernel(short, x))
        elif i % 5 == 3:
            expect("timeout", ptogo.Fault, lambda: endless(x, timeout=0.005))
        else:
            expect("", (), lambda: kernel(x, x))
    kernel(x, x)
    said = ", ".join(f"{v} {k}" for k, v in ended.items())
    print(f"{n} requests ({said}): {time.perf_counter() - start:.1f} s; open files {before} before, {files('self')} after; files in /dev/shm {shm} and {len(os.listdir('/dev/shm'))}")


def batch(n):
    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.jsonl"
        case = {"file": str(ROOT / "examples/softmax.pto"), "args": ["rand=32x64xf32,seed={seed}", "zeros=32x64xf32"], "seeds": n}
        cases.write_text(json.dumps(case) + "\n")
        run = subprocess.run(
            ["sh", "-c", f"{_tools.find('pto-run')} --batch {cases} --results {folder}/results.jsonl; times"], capture_output=True, text=True
        )
        print(run.stderr.strip(), "| user and system:", run.stdout.split("\n")[1])


if __name__ == "__main__":
    calls(10000)
    spawned(20)
    failures(1000)
    batch(100000)
