"""Arguments of a launch: checks them and converts them to the form of requests."""

import numbers

import numpy as np

from . import _elements
from ._memory import PerBlock, Piece, Window


def bind(kernel, args, ranks=None):
    """Returns one entry for each parameter: a text, a Piece of memory, or a list of those
    with one for each rank. ranks is None for launches without ranks."""
    if len(args) != len(kernel.params):
        raise TypeError(f"{kernel.signature} takes {len(kernel.params)} arguments, but got {len(args)}")
    return [_entry(i, a, p, ranks) for i, (a, p) in enumerate(zip(args, kernel.params))]


def pieces(entries):
    """Yields the pieces of memory of entries in order."""
    for e in entries:
        yield from (x for x in (e if isinstance(e, list) else [e]) if isinstance(x, Piece))


def request(entries, requests):
    """Returns the entries with each Piece replaced by the next of requests."""
    requests = iter(requests)

    def one(e):
        if isinstance(e, list):
            return [one(x) for x in e]
        return next(requests) if isinstance(e, Piece) else e

    return [one(e) for e in entries]


def _entry(i, arg, param, ranks):
    """Converts the argument for one parameter, on all ranks."""
    where = f"argument {i} ({param!r})"
    name = param.name or f"arg{i}"
    window = isinstance(arg, Window)
    if window and param.elem is None:
        raise TypeError(f"{where} is a scalar and takes a number, not a Window")
    each = arg.arrays if window else arg
    if ranks is None:
        if window:
            raise TypeError(f"{where} is a Window, which a launch on several ranks takes: kernel[blocks, ranks](...)")
        return _value(where, each, param, name)
    if isinstance(each, (list, tuple)):
        if len(each) != ranks:
            raise TypeError(f"{where} has a list of {len(each)} for {ranks} ranks: it needs one for each rank")
        return [_value(f"{where} of rank {r}", a, param, name, rank=r, window=window) for r, a in enumerate(each)]
    if window:
        raise TypeError(f"{where} is a Window of {type(each).__name__} and takes a list with an array for each of {ranks} ranks")
    if isinstance(each, (np.ndarray, PerBlock)):
        return [_value(where, each, param, name, rank=r, constant=ranks > 1) for r in range(ranks)]
    return _value(where, each, param, name)


def _value(where, arg, param, name, **options):
    """Converts the argument of one rank to a text or a Piece."""
    if param.elem is None:
        return _scalar(where, arg, param.type)
    if isinstance(arg, str):
        return arg
    divided = isinstance(arg, PerBlock)
    array = arg.array if divided else arg
    if divided and isinstance(array, str):
        return f"per-block:{array}"
    if not isinstance(array, np.ndarray):
        hint = ""
        if hasattr(array, "numpy"):
            hint = ": write .numpy(), which shares its memory"
        elif isinstance(array, (list, tuple)) and array and isinstance(array[0], np.ndarray):
            hint = ": a list with an array for each rank needs a launch with ranks, kernel[blocks, ranks](...)"
        elif isinstance(array, (list, tuple, numbers.Number)):
            hint = f": write np.array(..., dtype=np.{_elements.dtype_of(param.elem)})"
        raise TypeError(f"{where} is a pointer and takes a numpy array, not {type(array).__name__}{hint}")
    if not array.dtype.isnative:
        raise TypeError(f"{where} has the byte order of another machine: use .astype(x.dtype.newbyteorder('='))")
    _fits(where, array.dtype, param.elem)
    return Piece(name, array, divided=divided, **options)


def _fits(where, dtype, elem):
    """Checks an element type as the tool does, so that the message comes early."""
    have = _elements.name_of(dtype)
    want = _elements.dtype_of(elem)
    if have == elem or dtype.itemsize == want.itemsize and have.lstrip("u").startswith("i") and (
        elem not in _elements._NUMPY or elem.lstrip("u").startswith("i")
    ):
        return
    raise TypeError(f"{where} points to {elem} and takes an array of {want}, not {dtype}: write .astype(np.{want}), into an array of its own if the kernel writes it")


def _scalar(where, arg, type):
    is_float = type.startswith(("f", "bf"))
    if isinstance(arg, str):
        return arg  # in the syntax of --arg
    if isinstance(arg, (bool, np.bool_)) and not is_float:
        return "true" if type == "i1" and arg else "false" if type == "i1" else str(int(arg))
    if isinstance(arg, numbers.Integral):
        return repr(float(arg)) if is_float else str(int(arg))
    if isinstance(arg, numbers.Real) and is_float:
        return repr(float(arg))
    raise TypeError(f"{where} is a scalar and takes a number of its type, not {arg!r}")
