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
    a = ptogo.advise(examples / "fahrenheit.pto", "rand=8x16xf16", "zeros=8x16xf16", tries=20, timeout=100)
    assert not a and a.after == a.before and "none is faster" in repr(a) and "@fahrenheit" in a.source


def test_order_of_sums(examples):
    args = ["rand=32x256xf32,seed=1", "zeros=32x256xf32"]
    a = ptogo.advise(examples / "online_softmax.pto", *args, blocks=2, modulo="reassociation", tries=60)
    assert "sums in another order" in a.steps[0] and "rtol=" in a.report["steps"][0]["verified"]["rounding"]
    with pytest.raises(ptogo.UsageError, match="expected reassociation"):
        ptogo.advise(examples / "online_softmax.pto", *args, modulo="nan-bits")


def test_wrong(examples):
    with pytest.raises(ptogo.UsageError, match="--advise makes correct kernels faster"):
        ptogo.advise(examples / "hazards" / "missing_flag.pto", "iota=64x64xf32", "zeros=64x64xf32")
