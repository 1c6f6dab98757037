"""Matrix products in f16 and bf16, one kernel of several in a file."""

from pathlib import Path

import numpy as np
import ptogo
import ptogo.testing

EXAMPLES = Path(__file__).resolve().parents[1]


def main():
    rng = np.random.default_rng(1)
    a, b = rng.uniform(-1, 1, (32, 128)), rng.uniform(-1, 1, (128, 32))

    kernel = ptogo.load(EXAMPLES / "gemm.pto", kernel="gemm_f16")
    x, y, z = a.astype(np.float16), b.astype(np.float16), np.zeros((32, 32), np.float32)
    kernel(x, y, z)
    ptogo.testing.assert_close(z, x.astype(np.float64) @ y.astype(np.float64), rtol=1e-4, atol=1e-5)
    print("f16: ", z[0, :4])

    # numpy has no bf16: arrays hold its bits, unless package ml_dtypes makes some.
    kernel = ptogo.load(EXAMPLES / "gemm.pto", kernel="gemm_bf16")
    x, y, z = ptogo.encode(a, "bf16"), ptogo.encode(b, "bf16"), np.zeros((32, 32), np.float32)
    kernel(x, y, z)
    exact = ptogo.decode(x, "bf16").astype(np.float64) @ ptogo.decode(y, "bf16").astype(np.float64)
    ptogo.testing.assert_close(z, exact, rtol=1e-4, atol=1e-5)
    print("bf16:", z[0, :4])


if __name__ == "__main__":
    main()
