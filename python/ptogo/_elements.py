"""Element types of kernels, and what numpy has for them."""

import numpy as np

_NUMPY = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
}  # fmt: skip
_NAMES = {np.dtype(t): name for name, t in _NUMPY.items()}

# By the names that package ml_dtypes gives its types.
_ML_DTYPES = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "float8_e8m0fnu": "!pto.f8E8M0"}

# Exponent bits, mantissa bits and bias of floats that numpy has not got.
_FORMATS = {"bf16": (8, 7, 127), "f8E4M3FN": (4, 3, 7), "f8E5M2": (5, 2, 15)}


def name_of(dtype):
    """The element type of a numpy type, or a TypeError."""
    name = _NAMES.get(dtype) or _ML_DTYPES.get(dtype.name)
    if name is None:
        raise TypeError(f"kernels have no elements of type {dtype}")
    return name


def dtype_of(elem):
    """The numpy type that holds elements: that of ml_dtypes, if it is there, for
    floats that numpy has not got, else unsigned integers with their bits."""
    plain = elem.removeprefix("s")  # si32 is stored as i32 is
    if plain in _NUMPY:
        return np.dtype(_NUMPY[plain])
    for name, e in _ML_DTYPES.items():
        if e == elem:
            try:
                import ml_dtypes

                return np.dtype(getattr(ml_dtypes, name))
            except (ImportError, AttributeError):  # early versions lack the youngest
                break
    return np.dtype(np.uint16 if elem == "bf16" else np.uint8)


def _values(elem):
    """The value of each pattern of bits."""
    exponent_bits, mantissa_bits, bias = _FORMATS[elem]
    bits = np.arange(1 << (1 + exponent_bits + mantissa_bits), dtype=np.uint32)
    mantissa = (bits & ((1 << mantissa_bits) - 1)).astype(np.float64)
    exponent = ((bits >> mantissa_bits) & ((1 << exponent_bits) - 1)).astype(np.int64)
    sign = np.where(bits >> (exponent_bits + mantissa_bits), -1.0, 1.0)
    one = float(1 << mantissa_bits)
    value = np.where(
        exponent == 0,
        np.ldexp(mantissa / one, 1 - bias),
        np.ldexp(1 + mantissa / one, np.maximum(exponent, 1) - bias),
    )
    top = exponent == (1 << exponent_bits) - 1
    if elem == "f8E4M3FN":  # no infinities; all ones is NaN
        value[top & (mantissa == one - 1)] = np.nan
    else:
        value[top & (mantissa == 0)] = np.inf
        value[top & (mantissa != 0)] = np.nan
    return sign * value


_tables = {}


def _table(elem):
    if elem not in _FORMATS:
        raise ValueError(f"no numbers are known of {elem}: expected one of {', '.join(_FORMATS)}")
    if elem not in _tables:
        _tables[elem] = _values(elem)
    return _tables[elem]


def decode(bits, elem):
    """The numbers that bits mean, as float32. elem is bf16, f8E4M3FN or f8E5M2."""
    return _table(elem).astype(np.float32)[np.asarray(bits)]


def encode(numbers, elem):
    """The bits of the nearest values, ties to even, as unsigned integers.

    What is too large becomes infinite, or NaN in f8E4M3FN, which has no infinity.
    """
    values = _table(elem)
    dtype = np.uint16 if elem == "bf16" else np.uint8
    x = np.asarray(numbers, dtype=np.float64)
    half = len(values) // 2
    largest = int(np.nanargmax(np.where(np.isfinite(values[:half]), values[:half], -1)))
    finite = values[: largest + 1]  # grow with their bits
    size = np.abs(x)
    above = np.clip(np.searchsorted(finite, size), 1, largest)
    low, high = finite[above - 1], finite[above]
    middle = (low + high) / 2
    up = (size > middle) | ((size == middle) & (above % 2 == 0))
    bits = np.where(up, above, above - 1)
    step = finite[largest] - finite[largest - 1]
    beyond = size >= finite[largest] + step / 2
    if elem == "f8E4M3FN":
        beyond = size > finite[largest] + step / 2
    bits = np.where(beyond, largest + 1, bits)
    bits = np.where(np.isnan(x), half - 1, bits)
    return (bits + np.where(np.signbit(x), half, 0)).astype(dtype)
