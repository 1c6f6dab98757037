import numpy as np
import ptogo
import pytest

LIT = "test/lit/run/numerics.pto"


def test_findings(examples):
    faults = examples.parent / LIT
    n = ptogo.numerics(faults, "fill=100.0,1x16xf32", "zeros=1x16xf32", kernel="overflow")
    assert [f["kind"] for f in n.findings] == ["overflow", "nan"]
    assert n.findings[0]["op"] == "pto.texp" and n.arguments[0]["not_finite"] == 16
    assert "pto.texp: 16 results are infinite" in n.text


def test_tolerance(examples, pto):
    x, y = pto.rand(32, 64), np.zeros((32, 64), np.float32)
    n = ptogo.numerics(examples / "softmax.pto", x, y, perturb=5)
    assert n.tolerance() == n.tolerance("y") == n.tolerance(1) and not y.any()
    assert 1e-7 < n.tolerance()["rtol"] < 1e-5
    ptogo.load(examples / "softmax.pto")(x, y)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    pto.assert_close(y, e / e.sum(axis=1, keepdims=True), **n.tolerance())


def test_pytest_helper(examples, pto):
    tol = pto.tolerance(examples / "divide.pto", pto.rand(32, 64), "zeros=32x64xf32", 3.0)
    assert 0 < tol["rtol"] < 1e-6
    assert pto.tolerance(examples / "divide.pto", "ones=32x64xf32", "zeros=32x64xf32", 2.0) == {"rtol": 0.0, "atol": 0.0}


def test_errors(examples):
    with pytest.raises(ptogo.UsageError, match="perturb must be between"):
        ptogo.numerics(examples / "softmax.pto", "rand=32x64xf32", "zeros=32x64xf32", perturb=-1)
