"""Expected values of examples/cumsum.pto and examples/histogram.pto."""
import numpy as np

import pto

x = pto.rand(32, 256, seed=1).astype(np.float32).astype(np.float64)
pto.save("cumsum", x.cumsum(axis=0).astype(np.float32))

x = pto.rand(64, 64, seed=1).astype(np.float32)
index = np.floor((x + np.float32(1)) * np.float32(8))
pto.save("histogram", np.stack([(index == b).sum(axis=1) for b in range(16)]).astype(np.float32))
