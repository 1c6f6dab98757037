"""Expected values of examples/tutorial."""
import numpy as np

import pto


def uniform(rows, cols, seed, dtype):
    return pto.rand(rows, cols, seed=seed).astype(dtype).astype(np.float64)


def softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


x = uniform(50, 64, 1, np.float32)
pto.save("tutorial_center", (x - x.mean(axis=1, keepdims=True)).astype(np.float32))
pto.save("tutorial_softmax", softmax(x).astype(np.float32))

a, b = uniform(50, 100, 1, np.float16), uniform(100, 40, 2, np.float16)
pto.save("tutorial_gemm", (a @ b).astype(np.float32))

x, w, bias = uniform(128, 32, 1, np.float16), uniform(32, 32, 2, np.float16), uniform(1, 32, 3, np.float32)
pto.save("tutorial_bias_relu", np.maximum(x @ w + bias, 0).astype(np.float32))
