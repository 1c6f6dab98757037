"""Expected values of examples/mixed_attention.pto: attention of two heads."""
import numpy as np

import pto

q, k, v = (pto.rand(2, n, 32, seed=s).astype(np.float16).astype(np.float64) for n, s in ((32, 1), (64, 2), (64, 3)))
scores = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(32)
e = np.exp(scores - scores.max(axis=2, keepdims=True))
out = np.einsum("hqk,hkd->hqd", e / e.sum(axis=2, keepdims=True), v)
pto.save("mixed_attention", out.reshape(64, 32).astype(np.float32))
