import numpy as np
import ptogo
import pytest


@pytest.mark.parametrize(
    "elem, bits, value",
    [
        ("bf16", 0x3F80, 1.0), ("bf16", 0xC000, -2.0), ("bf16", 0x7F80, np.inf), ("bf16", 0x0001, 2.0**-133),
        ("f8E4M3FN", 0x38, 1.0), ("f8E4M3FN", 0x7E, 448.0), ("f8E4M3FN", 0x01, 2.0**-9), ("f8E4M3FN", 0xB8, -1.0),
        ("f8E5M2", 0x3C, 1.0), ("f8E5M2", 0x7B, 57344.0), ("f8E5M2", 0x7C, np.inf), ("f8E5M2", 0x01, 2.0**-16),
    ],
)  # fmt: skip
def test_values(elem, bits, value):
    assert ptogo.decode(bits, elem) == value
    assert ptogo.encode(value, elem) == bits


@pytest.mark.parametrize("elem, width", [("bf16", 16), ("f8E4M3FN", 8), ("f8E5M2", 8)])
def test_round_trip(elem, width):
    bits = np.arange(1 << width).astype(f"u{width // 8}")
    numbers = ptogo.decode(bits, elem)
    back = ptogo.encode(numbers, elem)
    assert (back == bits)[~np.isnan(numbers)].all()
    assert np.isnan(ptogo.decode(back, elem))[np.isnan(numbers)].all()


def test_rounding():
    assert ptogo.decode(ptogo.encode([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20], "bf16"), "bf16").tolist() == [1, 1 + 2**-6, 1 + 2**-7]
    assert np.isinf(ptogo.decode(ptogo.encode(1e39, "bf16"), "bf16"))
    assert ptogo.encode([464.0, 465.0], "f8E4M3FN").tolist() == [0x7E, 0x7F]
    assert ptogo.encode([61439.0, 61440.0], "f8E5M2").tolist() == [0x7B, 0x7C]


def test_unknown():
    with pytest.raises(ValueError, match="hif8"):
        ptogo.decode(0, "hif8")


def test_show():
    html = ptogo.show(np.arange(10000.0).reshape(100, 100))._repr_html_()
    assert "100x100 float64" in html and html.count("<tr>") == 10 and "9999" in html
    assert "1.5" in ptogo.show(np.array([0x3FC0], np.uint16), "bf16")._repr_html_()
    assert ptogo.show(np.zeros((0, 4)))._repr_html_()
