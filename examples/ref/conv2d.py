"""Expected values of examples/conv2d.pto."""
import numpy as np

import pto

images = pto.rand(2, 2, 4, 16, 16, seed=1).astype(np.float16).astype(np.float64)
filters = pto.rand(2, 3, 3, 16, 32, seed=2).astype(np.float16).astype(np.float64)
# The blocks of channels side by side: image, line, place, channel.
x = images.transpose(0, 2, 3, 1, 4).reshape(2, 4, 16, 32)
w = filters.transpose(1, 2, 0, 3, 4).reshape(3, 3, 32, 32)
padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
y = sum(padded[:, i : i + 4, j : j + 16] @ w[i, j] for i in range(3) for j in range(3))
pto.save("conv2d", y.reshape(128, 32).astype(np.float32))
