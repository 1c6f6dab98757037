"""A sweep: how far softmax in f32 is from softmax in f64, by the size of its inputs.

Each call costs about a millisecond, since one process keeps the kernel ready. For
a sweep over machines write the cases for pto-run --batch: docs/batch.md.
"""

import time

import numpy as np
import ptogo
from softmax import EXAMPLES, softmax

SEEDS = 20


def main():
    kernel = ptogo.load(EXAMPLES / "softmax.pto")
    y = np.zeros((32, 64), np.float32)
    start, calls = time.perf_counter(), 0
    print(f"{'inputs up to':>12} {'largest relative error':>24}")
    for size in (0.1, 1, 10, 80):
        worst = 0.0
        for seed in range(SEEDS):
            x = np.random.default_rng(seed).uniform(-size, size, y.shape).astype(np.float32)
            kernel[2](x, y)
            exact = softmax(x.astype(np.float64))
            large = exact > 1e-30  # smaller ones are denormals in f32
            worst = max(worst, (abs(y - exact)[large] / exact[large]).max())
            calls += 1
        print(f"{size:12} {worst:24.2e}")
        assert worst < 1e-4
    print(f"{calls} calls, {1e3 * (time.perf_counter() - start) / calls:.1f} ms each with the reference")


if __name__ == "__main__":
    main()
