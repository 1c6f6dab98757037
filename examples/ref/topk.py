"""Expected values of examples/topk.pto."""
import numpy as np

import pto

x = pto.rand(8, 128, seed=1).astype(np.float32)
order = np.argsort(-x, axis=1, kind="stable")[:, :16]
pto.save("topk_values", np.take_along_axis(x, order, axis=1))
pto.save("topk_columns", order.astype(np.uint32))
