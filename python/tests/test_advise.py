import numpy as np
import ptogo
import pytest


def test_faster(examples):
    x = np.random.default_rng(1).random((32, 64), dtype=np.float32)
    a = ptogo.advise(examples / "softmax.pto", x, np.zeros_like(x))
    assert a and a.steps == ["2 blocks", "tiles with 1/2 of the rows on more blocks (pto-resize-tiles)"] and a.blocks == 4 and a.after < a.before and "equal for all data" in a.text
    y = np.zeros_like(x)
    ptogo.load(a.source)[a.blocks](x, y, check="all")
    want = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(y, want / want.sum(axis=1, keepdims=True), rtol=1e-5)
    assert bool(ptogo.equivalent(examples / "softmax.pto", a.source, x, y, blocks=4))


def test_nothing(examples):
    args = ["rand=2x2x4x16x16xf16,seed=1", "rand=288x32xf16,seed=2", "zeros=128x32xf32"]
    a = ptogo.advise(examples / "conv2d.pto", *args, blocks=2, tries=20, timeout=100)
    assert not a and a.after == a.before and "none is faster" in repr(a) and "@conv2d" in a.source


def test_wrong(examples):
    with pytest.raises(ptogo.UsageError, match="--advise makes correct kernels faster"):
        ptogo.advise(examples / "hazards" / "missing_flag.pto", "iota=64x64xf32", "zeros=64x64xf32")
