"""Expected values of examples/group_norm.pto."""
import numpy as np

import pto

x = pto.rand(50, 96, seed=1).astype(np.float32).astype(np.float64).reshape(50, 4, 24)
gamma, beta = (pto.rand(96, seed=seed).astype(np.float32).astype(np.float64) for seed in (2, 3))
d = x - x.mean(axis=2, keepdims=True)
norm = d / np.sqrt((d * d).mean(axis=2, keepdims=True) + 1e-5)
pto.save("group_norm", (norm.reshape(50, 96) * gamma + beta).astype(np.float32))
