"""Expected values of examples/gemm.pto and examples/quant_gemm.pto."""
import numpy as np

import pto

a, b = pto.rand(32, 128, seed=1), pto.rand(128, 32, seed=2)
for name, rounded in ("f16", lambda x: x.astype(np.float16)), ("bf16", pto.bf16):
    product = rounded(a).astype(np.float64) @ rounded(b).astype(np.float64)
    pto.save("gemm_" + name, product.astype(np.float32))

ints = pto.rand_int8(32, 128, seed=1).astype(np.int32) @ pto.rand_int8(128, 32, seed=2).astype(np.int32)
pto.save("gemm_i8", ints.astype(np.int32))
pto.save("quant_gemm", (ints / 128).astype(np.float16))
