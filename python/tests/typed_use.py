"""A use of the package that mypy --strict accepts, so the stubs are right for users."""

import numpy as np
import ptogo


def run() -> float:
    kernel = ptogo.load("examples/softmax.pto", arch="a5", passes=["pto-bufferize"], max_memory="1GiB")
    x = ptogo.rand((32, 64), "f32", seed=3)
    y = np.zeros_like(x)
    result = kernel[2](x, y, check=["init"], timing=True, expect={"y": y}, rtol=1e-5)
    for d in result.diagnostics:
        print(d.code, d.line, d.bytes and d.bytes.first)
    kernel(x, y=y, engine="go")
    ptogo.testing.assert_close(y, x, rtol=1.0)
    kernel[1, 2]([x, x.copy()], ptogo.Window([y, y.copy()]), expect={"y": [y, y]})
    text: str = ptogo.opt("examples/softmax.pto", ["canonicalize"]) + ptogo.explain("PTO1004")
    try:
        kernel(x)
    except ptogo.Fault as e:
        return float(e.line or 0)
    return float(len(text)) + float(ptogo.decode(ptogo.encode([1.0], "bf16"), "bf16")[0])
