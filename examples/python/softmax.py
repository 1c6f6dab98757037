"""Softmax of rows: a kernel from a file, called on numpy arrays."""

from pathlib import Path

import numpy as np
import ptogo
import ptogo.testing

EXAMPLES = Path(__file__).resolve().parents[1]


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def main():
    kernel = ptogo.load(EXAMPLES / "softmax.pto", arch="a5")
    print(kernel)
    x = np.random.default_rng(1).uniform(-1, 1, (32, 64)).astype(np.float32)
    y = np.zeros_like(x)
    kernel[2](x, y)  # two blocks share the rows
    ptogo.testing.assert_close(y, softmax(x), rtol=1e-6, atol=1e-8)
    print("rows sum to", y.sum(axis=1).min(), "..", y.sum(axis=1).max())

    try:
        kernel(x[:4], y)  # the kernel reads 32 rows
    except ptogo.Fault as fault:
        print(f"\n{fault.op} in line {fault.line} touched {fault.bytes}:\n{fault}")


if __name__ == "__main__":
    main()
