"""Arrays with made-up numbers."""

import numpy as np

from . import _elements


def rand(shape, dtype="f32", seed=0):
    """Returns an array of made-up elements for a kernel, the same for the same seed. A
    random generator of numpy as seed gives other elements for each call.

    dtype is an element type of kernels, such as "f16" or "ui8", or a numpy type.
    Floats are between -1 and 1. Integers are any value of their type, and elements of i1
    are False or True. For floats that numpy has not got, the array holds their bits or
    is one of package ml_dtypes (see encode).
    """
    elem = dtype if isinstance(dtype, str) and _is_elem(dtype) else _elements.name_of(np.dtype(dtype))
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    numbers = np.random.default_rng(seed)
    out = _elements.dtype_of(elem)
    if elem in _elements._FORMATS:
        bits = _elements.encode(numbers.uniform(-1, 1, shape), elem)
        return bits if out.kind == "u" else bits.view(out)
    if out.kind == "f":
        return numbers.uniform(-1, 1, shape).astype(out)
    if out.kind == "b":
        return numbers.integers(0, 2, shape).astype(bool)
    limits = np.iinfo(out)
    return numbers.integers(limits.min, limits.max, shape, dtype=out, endpoint=True)


def _is_elem(name):
    return name.removeprefix("s") in _elements._NUMPY or name in _elements._FORMATS
