"""Expected values of examples/matmul_mxfp4.pto; matmul_mx.py makes its exponents."""
import numpy as np

import pto


def numbers(pairs, magnitudes):
    """The numbers of 4 bits in bytes: the first is the low half; the highest bit of each is its sign."""
    halves = np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(pairs.shape[0], -1)
    return np.concatenate([magnitudes, np.negative(magnitudes)])[halves]


a = numbers(pto.rand_int8(32, 64, seed=1).view(np.uint8), [0, 0.5, 1, 1.5, 2, 3, 4, 6])
b = numbers(pto.rand_int8(128, 16, seed=2).view(np.uint8), [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75])
# Powers of two between 1/8 and 8, as biased exponents: those of matmul_mx.py.
exp_a = (124 + np.arange(32 * 4) * 5 % 7).astype(np.uint8).reshape(32, 4)
exp_b = (124 + np.arange(4 * 32) * 3 % 7).astype(np.uint8).reshape(4, 32)
scaled_a = a * np.repeat(2.0 ** (exp_a.astype(int) - 127), 32, axis=1)
scaled_b = b * np.repeat(2.0 ** (exp_b.astype(int) - 127), 32, axis=0)
pto.save("matmul_mxfp4", (scaled_a @ scaled_b).astype(np.float32))
