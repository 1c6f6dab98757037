"""Expected values of examples/softmax.pto and examples/online_softmax.pto."""
import numpy as np

import pto

x = pto.rand(32, 64, seed=1).astype(np.float32).astype(np.float64)
e = np.exp(x - x.max(axis=1, keepdims=True))
pto.save("softmax", (e / e.sum(axis=1, keepdims=True)).astype(np.float32))

x = pto.rand(32, 256, seed=1).astype(np.float32).astype(np.float64)
e = np.exp(x - x.max(axis=1, keepdims=True))
pto.save("online_softmax", (e / e.sum(axis=1, keepdims=True)).astype(np.float32))
