"""Tests of kernels, as an author writes them.

    pytest examples/python                          as they are
    pytest examples/python --pto-check=init,mem     with checkers on every launch
    pytest examples/python -n 4                     with pytest-xdist
"""

import numpy as np
import ptogo
import pytest
from softmax import softmax


@pytest.mark.parametrize("arch", ["a3", "a5"])
@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_softmax(pto, arch, blocks):
    kernel = pto.load("../softmax.pto", arch=arch)
    x, y = pto.rand(32, 64), np.zeros((32, 64), np.float32)
    kernel[blocks](x, y)
    pto.assert_close(y, softmax(x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_gemm(pto, dtype):
    kernel = pto.load("../gemm.pto", kernel=f"gemm_{dtype}")
    a, b, c = pto.rand(32, 128), pto.rand(128, 32), np.zeros((32, 32), np.float32)
    encode = {"f16": lambda x: x.astype(np.float16), "bf16": lambda x: ptogo.encode(x, "bf16")}[dtype]
    a, b = encode(a), encode(b)
    kernel(a, b, c)
    if dtype == "bf16":
        a, b = ptogo.decode(a, "bf16"), ptogo.decode(b, "bf16")
    pto.assert_close(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-4, atol=1e-5)


def test_no_races(pto):
    """With the flags that pto-insert-sync inserts, no checker finds anything."""
    kernel = pto.load("../softmax.pto", passes=["pto-bufferize", "pto-insert-sync"])
    x, y = pto.rand(32, 64), np.zeros((32, 64), np.float32)
    kernel[2](x, y, check="all")


def test_race_is_found(pto):
    """Without any flags, pipes of an NPU may overtake each other."""
    kernel = pto.load("../softmax.pto")
    x, y = pto.rand(32, 64), np.zeros((32, 64), np.float32)
    with pytest.raises(ptogo.CheckFailed, match="race"):
        kernel(x, y, check="race")


def test_scratch_memory_is_written_first(pto):
    """Results do not depend on what local memory held before."""
    kernel = pto.load("../softmax.pto")
    x, y, z = pto.rand(32, 64), np.zeros((32, 64), np.float32), np.zeros((32, 64), np.float32)
    kernel(x, y, scratch_fill=0)
    kernel(x, z, scratch_fill=0xA5)
    pto.assert_close(y, z)


def test_short_input_faults(pto):
    kernel = pto.load("../softmax.pto")
    with pytest.raises(ptogo.Fault) as e:
        kernel(pto.rand(4, 64), np.zeros((32, 64), np.float32))
    assert (e.value.op, e.value.line) == ("pto.tload", 28)
    assert e.value.bytes.first == 1024
