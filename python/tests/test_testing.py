import numpy as np
import ptogo
import pytest
from ptogo.testing import assert_close, compare


def test_equal():
    assert_close(np.array([1, np.nan, np.inf], np.float32), [1.0, np.nan, np.inf])
    assert_close(np.array([1.0], np.float16), [1.0009], rtol=1e-3)
    assert_close(np.array([2**63 + 1], np.uint64), np.array([2**63 + 1], np.uint64))
    assert_close(ptogo.encode([1.5, -2], "bf16"), [1.5, -2], elem="bf16")
    assert_close(np.zeros((0, 3), np.float32), np.zeros((0, 3)))


@pytest.mark.parametrize(
    "x, y, tolerance",
    [
        ([1.0, 2.0], [1.0, 3.0], 0.5),
        ([1.0, np.nan], [1.0, 3.0], 1e9),
        ([np.inf], [3.0], 1e9),
        ([3.0], [np.inf], 1e9),
        ([-np.inf], [np.inf], 1e9),
    ],
)
def test_different(x, y, tolerance):
    with pytest.raises(AssertionError, match="differs in 1 of"):
        assert_close(np.array(x, np.float32), y, atol=tolerance)


def test_integers():
    with pytest.raises(AssertionError, match="off by 1"):
        assert_close(np.array([2**62], np.int64), np.array([2**62 + 1], np.int64))


def test_report():
    x = np.zeros((8, 16), np.float32)
    y = x.copy()
    x[4:, 3] = [1, 2, 3, np.float32(1e-45)]
    text = compare(x, y, name="y")
    assert text.splitlines() == [
        "y differs in 4 of 128 elements; the worst:",
        "  [6, 3]  got 3, expected 0, off by 3",
        "  [5, 3]  got 2, expected 0, off by 2",
        "  [4, 3]  got 1, expected 0, off by 1",
        "  [7, 3]  got 1.40129846e-45, expected 0, off by 1.4013e-45",
        "  the first: [4, 3]",
        "  the largest: absolute error 3 at [6, 3], 1077936128 ULP at [6, 3]",
        "  all of them at 4..7 of 8 in dimension 0",
        "  all of them at 3..3 of 16 in dimension 1",
    ]


def test_shapes():
    with pytest.raises(AssertionError, match="shape"):
        assert_close(np.zeros(4, np.float32), np.zeros((2, 2)))
