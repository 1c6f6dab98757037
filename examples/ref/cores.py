"""Expected values of the kernels in examples/cores that no other example has."""
import numpy as np

import pto


def rand(rows, cols, seed, dtype):
    return pto.rand(rows, cols, seed=seed).astype(dtype).astype(np.float64)


x, w, b = rand(128, 64, 1, np.float16), rand(64, 64, 2, np.float16), rand(1, 64, 3, np.float32)
y = x @ w + b
pto.save("gemm_gelu", (y / (1 + np.exp(-1.702 * y))).astype(np.float32))

x, w, v = rand(128, 32, 1, np.float16), rand(32, 64, 2, np.float16), rand(64, 32, 3, np.float16)
h = x @ w
pto.save("moe_expert", ((h / (1 + np.exp(-h))).astype(np.float16).astype(np.float64) @ v).astype(np.float32))

x, w = (pto.rand_int8(*shape, seed=s).astype(np.float64) for shape, s in (((128, 64), 1), ((64, 32), 2)))
y = x @ w / 2**14 * rand(1, 32, 3, np.float32) * rand(128, 1, 4, np.float32)
pto.save("quant_gemm_rows", y.astype(np.float16))
