"""Arguments of models: numpy arrays, CPU tensors of torch, and scalars."""

import ctypes
import struct

import numpy as np

from .. import _elements
from ._errors import PlatformError

# Names of element types in numpy and torch, and the names that the runtime has for them.
NAMES = {
    "float32": "FLOAT32", "float16": "FLOAT16", "bfloat16": "BFLOAT16", "int64": "INT64", "int32": "INT32", "int16": "INT16",
    "int8": "INT8", "uint64": "UINT64", "uint32": "UINT32", "uint16": "UINT16", "uint8": "UINT8", "bool": "BOOL",
    "float8_e4m3fn": "FP8E4M3FN", "float8_e8m0fnu": "FP8E8M0", "float4_e2m1fn_x2": "FP4E2M1",
}  # fmt: skip
ELEMENTS = {
    "FLOAT32": "f32", "FLOAT16": "f16", "BFLOAT16": "bf16", "INT64": "i64", "INT32": "i32", "INT16": "i16", "INT8": "i8",
    "UINT64": "ui64", "UINT32": "ui32", "UINT16": "ui16", "UINT8": "ui8", "BOOL": "i8", "FP8E4M3FN": "f8E4M3FN",
    "FP8E8M0": "ui8", "FP4E2M1": "ui8",
}  # fmt: skip


class Tensor:
    """A tensor argument: its shape, its type in the runtime, and its bytes, which are those of the caller."""

    def __init__(self, where, value):
        name = str(value.dtype).removeprefix("torch.")
        if name not in NAMES:
            raise PlatformError(f"{where} has elements of type {name}, which the runtime does not have")
        self.dtype, self.shape = NAMES[name], tuple(value.shape) or (1,)
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise PlatformError(f"{where} is not contiguous", "pass numpy.ascontiguousarray(x)")
            self.bytes = value.reshape(-1).view(np.uint8)
            return
        if not hasattr(value, "is_contiguous"):  # a DeviceTensor of the frontend, whose memory a Worker has allocated
            count = int(np.prod(self.shape)) * size(self.dtype)
            memory = (ctypes.c_uint8 * count).from_address(value.data_ptr) if count else b""
            self.bytes, self._keep = np.frombuffer(memory, np.uint8), value
            return
        if value.device.type != "cpu" or not value.is_contiguous():
            raise PlatformError(f"{where} must be a contiguous tensor in CPU memory", "pass x.cpu().contiguous()")
        count = value.numel() * value.element_size()
        memory = (ctypes.c_uint8 * count).from_address(value.data_ptr()) if count else b""
        self.bytes, self._keep = np.frombuffer(memory, np.uint8), value


def size(name):
    """The bytes of an element of a type of the runtime."""
    return {"FLOAT32": 4, "FLOAT16": 2, "BFLOAT16": 2, "INT64": 8, "INT32": 4, "INT16": 2, "UINT64": 8, "UINT32": 4, "UINT16": 2}.get(name, 1)


def split(args):
    """The tensors and the bits of the scalars in a list of arguments."""
    tensors, scalars = [], []
    for i, a in enumerate(args):
        where = f"argument {i}"
        if hasattr(a, "dtype") and hasattr(a, "shape") and (isinstance(a, np.ndarray) or hasattr(a, "data_ptr")):
            tensors.append(Tensor(where, a))
        else:
            scalars.append(bits(where, a))
    return tensors, scalars


def bits(where, value):
    """The bits of a scalar, as the frontend passes them."""
    if isinstance(value, ctypes._SimpleCData):
        return int.from_bytes(bytes(value), "little")
    if isinstance(value, np.generic):
        return int.from_bytes(value.tobytes(), "little")
    if isinstance(value, (bool, int)):
        return int(value) & (1 << 64) - 1
    if isinstance(value, float):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    raise PlatformError(f"{where} is of type {type(value).__name__}", "arguments are numpy arrays, CPU tensors and numbers")


def scalar(bits, type):
    """The text of a scalar for a parameter of a kernel with a type such as i32, index or bf16."""
    if type == "i1":
        return "true" if bits & 1 else "false"
    if type == "index" or type.startswith(("i", "si")):
        width = 64 if type == "index" else int(type.lstrip("si"))
        bits &= (1 << width) - 1
        return str(bits - (1 << width) if bits >> width - 1 else bits)
    if type.startswith("ui"):
        return str(bits & (1 << int(type[2:])) - 1)
    size = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}.get(type, 1)
    raw = np.frombuffer(bits.to_bytes(8, "little")[:size], {8: "<u8", 4: "<u4", 2: "<u2", 1: "u1"}[size])
    if type in ("f64", "f32", "f16"):
        return repr(raw.view(f"<f{size}")[0].item())
    return repr(float(_elements.decode(raw, type)[0]))
