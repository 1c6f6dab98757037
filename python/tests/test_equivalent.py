import numpy as np
import ptogo
import pytest


def test_equivalent(examples):
    x, y = np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32)
    v = ptogo.equivalent(examples / "vector_softmax.pto", examples / "softmax.pto", x, y)
    assert v and v.outcome == "equivalent" and "for all data" in v.text


def test_differs(examples):
    text = (examples / "divide.pto").read_text()
    shapes = "iota=32x64xf32", "zeros=32x64xf32"
    assert ptogo.equivalent(text, examples / "divide.pto", *shapes, 2.0)
    v = ptogo.equivalent(text.replace("pto.tdivs", "pto.tmuls"), text, *shapes, 3.0, arch="a3")
    assert not v and v.outcome == "differs" and "against" in v.text


def test_errors(examples):
    with pytest.raises(ptogo.UsageError, match="unknown value"):
        ptogo.equivalent(examples / "divide.pto", examples / "divide.pto", "iota=32x64xf32", "zeros=32x64xf32", 2.0, modulo="rounding")
