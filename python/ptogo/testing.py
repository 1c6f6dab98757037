"""Comparisons of arrays, with the report of pto-run --expect."""

import numpy as np

from . import _elements

_WORST = 5  # differences that a report lists


def assert_close(actual, expected, rtol=0.0, atol=0.0, *, elem=None, name="the array"):
    """Fails unless |actual - expected| <= atol + rtol * |expected| everywhere.

    NaN equals NaN, and an infinity only itself. Without tolerances elements must be
    equal. expected may be of a wider type, as an f32 reference of an f16 result is.
    elem says what the bits in actual mean, for floats that numpy has not got: bf16,
    f8E4M3FN or f8E5M2. Arrays of package ml_dtypes need none.
    """
    report = compare(actual, expected, rtol, atol, elem=elem, name=name)
    if report:
        raise AssertionError(report)


def compare(actual, expected, rtol=0.0, atol=0.0, *, elem=None, name="the array"):
    """Returns the report of differences, or "" if there is none."""
    actual = np.asarray(actual)
    elem = elem or _elements.name_of(actual.dtype)
    x, y = _numbers(actual, elem), _wide(np.asarray(expected))
    if x.shape != y.shape:
        return f"{name} has the shape {x.shape}, but {y.shape} is expected"
    off = _distance(x, y)
    infinite = np.isinf(y) if y.dtype.kind == "f" else np.zeros(y.shape, bool)
    tolerance = np.where(infinite, 0.0, atol + rtol * np.abs(np.where(infinite, 0, y)).astype(np.float64))
    differs = ~(off <= np.nan_to_num(tolerance))
    count = int(differs.sum())
    if not count:
        return ""
    where = np.argwhere(differs)
    order = np.argsort(-np.where(np.isnan(off[differs]), np.inf, off[differs]), kind="stable")[:_WORST]
    lines = [f"{name} differs in {count} of {x.size} elements; the worst:"]
    for at in map(tuple, where[order]):
        lines.append(f"  {_index(at)}  got {x[at]:.9g}, expected {y[at]:.9g}, off by {off[at]:g}")
    lines.append(f"  the first: {_index(where[0])}")
    lines.append("  the largest: " + ", ".join(_largest(x, y, off, differs, elem)))
    lines += _pattern(where, x.shape)
    return "\n".join(lines)


def _numbers(actual, elem):
    if elem in _elements._FORMATS and actual.dtype.kind in "ui":
        return _wide(_elements.decode(actual.view(f"u{actual.itemsize}"), elem))
    return _wide(actual)


def _wide(a):
    """The numbers in a type that holds them all."""
    if a.dtype.kind in "iub":
        return a.astype(np.int64) if a.dtype != np.uint64 else a.astype(object)
    return a.astype(np.float64)


def _distance(x, y):
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(x - y).astype(np.float64)
    off[np.asarray(x == y, dtype=bool)] = 0
    if x.dtype.kind == "f" and y.dtype.kind == "f":
        nan_x, nan_y = np.isnan(x), np.isnan(y)
        off[nan_x & nan_y] = 0
        off[nan_x ^ nan_y] = np.inf
    return off


def _index(at):
    return "[" + ", ".join(str(int(i)) for i in at) + "]"


def _largest(x, y, off, differs, elem):
    """The largest errors by each measure, with their places."""
    texts = []
    worst = np.unravel_index(np.argmax(np.where(differs, off, -1)), off.shape)
    texts.append(f"absolute error {off[worst]:g} at {_index(worst)}")
    with np.errstate(invalid="ignore", divide="ignore"):
        relative = np.where(differs & (y != 0), off / np.abs(y).astype(np.float64), -1)
    if relative.size and relative.max() >= 0:
        worst = np.unravel_index(np.argmax(relative), off.shape)
        texts.append(f"relative error {relative[worst]:g} at {_index(worst)}")
    if elem in ("f16", "f32", "f64"):
        ulps = np.where(differs, _ulps(x, y, _elements.dtype_of(elem)), -1)
        worst = np.unravel_index(np.argmax(ulps), off.shape)
        if ulps[worst] >= 0:
            texts.append(f"{int(ulps[worst])} ULP at {_index(worst)}")
    return texts


def _ulps(x, y, dtype):
    """How many numbers of a type lie between x and y; NaN is near to nothing."""

    def order(a):
        with np.errstate(over="ignore"):
            bits = a.astype(dtype).view(f"i{dtype.itemsize}").astype(object)
        return np.where(bits < 0, -(1 << (8 * dtype.itemsize - 1)) - bits, bits)

    apart = np.abs(order(x) - order(y))
    return np.where(np.isnan(x.astype(np.float64)) | np.isnan(y.astype(np.float64)), -1, apart)


def _pattern(where, shape):
    """Says where differences lie, if that is in a part of the array only."""
    lines = []
    for axis, extent in enumerate(shape):
        low, high = int(where[:, axis].min()), int(where[:, axis].max())
        if extent > 1 and (low > 0 or high < extent - 1):
            lines.append(f"  all of them at {low}..{high} of {extent} in dimension {axis}")
    return lines
