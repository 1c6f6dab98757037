"""Exponents for examples/matmul_mx.pto, and its expected values."""
import numpy as np

import pto

a, b = pto.f8e4m3(pto.rand(32, 128, seed=1)), pto.f8e4m3(pto.rand(128, 32, seed=2))
# Powers of two between 1/8 and 8, as biased exponents.
exp_a = (124 + np.arange(32 * 4) * 5 % 7).astype(np.uint8).reshape(32, 4)
exp_b = (124 + np.arange(4 * 32) * 3 % 7).astype(np.uint8).reshape(4, 32)
scaled_a = a * np.repeat(2.0 ** (exp_a.astype(int) - 127), 32, axis=1)
scaled_b = b * np.repeat(2.0 ** (exp_b.astype(int) - 127), 32, axis=0)

# In memory, exponents stand in boxes of 16 rows of A (or columns of B) by 2
# groups, those of the first 64 elements along K first.
pto.save("matmul_mx_scale_a", exp_a.reshape(2, 16, 2, 2).transpose(2, 0, 1, 3).reshape(64, 2))
pto.save("matmul_mx_scale_b", exp_b.reshape(2, 2, 2, 16).transpose(0, 2, 3, 1).reshape(4, 32))
pto.save("matmul_mx", (scaled_a @ scaled_b).astype(np.float32))
