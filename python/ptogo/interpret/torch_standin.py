"""torch and torch_npu as far as tests of kernels use them: arrays of numpy that
say they are on an NPU. Without training, broadcasting rules of its own, or
anything else that numpy does not do."""

import sys
import types

import numpy as np

from . import memory


class DType:
    """An element type of torch. bfloat16 is kept as its bits."""

    def __init__(self, name, numpy):
        self.name, self.numpy = name, np.dtype(numpy)
        self.is_floating_point = self.numpy.kind == "f" or name == "bfloat16"
        self.itemsize = self.numpy.itemsize

    def __repr__(self):
        return "torch." + self.name


_DTYPES = [DType(n, n) for n in ("float32", "float16", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                 "uint32", "uint64")] + [DType("bool", "bool"), DType("bfloat16", "uint16")]
_BFLOAT16 = _DTYPES[-1]
_by_numpy = {d.numpy: d for d in _DTYPES[:-1]}
_ALIASES = {"float": "float32", "half": "float16", "double": "float64", "int": "int32", "short": "int16", "long": "int64"}


def _dtype_of(array):
    return _by_numpy[array.dtype]


def _round_bfloat16(values):
    wide = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (wide + (0x7FFF + (wide >> 16 & 1))) >> 16
    return np.where(np.isnan(values), wide >> 16 | 0x40, rounded).astype(np.uint16)


def _widen_bfloat16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Device:
    def __init__(self, name):
        self.type, _, index = str(name).partition(":")
        self.index = int(index) if index else None

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return str(self) == str(other)


class Tensor:
    """An array with torch's methods."""

    __array_priority__ = 1000

    def __init__(self, array, dtype=None, device="cpu"):
        self._array = np.asarray(array)
        self.dtype = dtype or _dtype_of(self._array)
        self.device = Device(device)
        if self.device.type == "npu":
            memory.register(self._array)

    def _like(self, array, dtype=None):
        array = np.asarray(array)
        return Tensor(array, dtype or _dtype_of(array), str(self.device))

    @property
    def shape(self):
        return self._array.shape

    @property
    def ndim(self):
        return self._array.ndim

    @property
    def is_npu(self):
        return self.device.type == "npu"

    @property
    def values(self):
        """The numbers, bfloat16 as float32."""
        return _widen_bfloat16(self._array) if self.dtype is _BFLOAT16 else self._array

    def to(self, *args, device=None, dtype=None, **_):
        for a in args:
            if isinstance(a, DType):
                dtype = a
            elif isinstance(a, Tensor):
                device, dtype = a.device, a.dtype
            else:
                device = a
        dtype = dtype or self.dtype
        if dtype is self.dtype:
            array = self._array.copy() if device is not None else self._array
        elif dtype is _BFLOAT16:
            array = _round_bfloat16(self.values)
        else:
            array = self.values.astype(dtype.numpy)
        return Tensor(np.ascontiguousarray(array), dtype, str(device if device is not None else self.device))

    def cpu(self):
        return self.to("cpu")

    def npu(self, _index=0):
        return self.to("npu:0")

    def type(self, dtype):
        return self.to(dtype)

    def float(self):
        return self.to(_DTYPES[0])

    def half(self):
        return self.to(_DTYPES[1])

    def numpy(self):
        if self.dtype is _BFLOAT16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self._array

    def detach(self):
        return self

    def data_ptr(self):
        memory.register(self._array)
        return self._array.ctypes.data

    def numel(self):
        return self._array.size

    def element_size(self):
        return self._array.itemsize

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return self._array.ndim

    def item(self):
        return self.values.item()

    def tolist(self):
        return self.values.tolist()

    def stride(self, dim=None):
        strides = tuple(s // self._array.itemsize for s in self._array.strides)
        return strides if dim is None else strides[dim]

    def is_contiguous(self):
        return self._array.flags.c_contiguous

    def contiguous(self):
        return self._like(np.ascontiguousarray(self._array), self.dtype)

    def clone(self):
        return self._like(self._array.copy(), self.dtype)

    def reshape(self, *shape):
        return self._like(self._array.reshape(_shape(shape)), self.dtype)

    view = reshape

    def transpose(self, a, b):
        return self._like(self._array.swapaxes(a, b), self.dtype)

    def t(self):
        return self._like(self._array.T, self.dtype)

    @property
    def T(self):
        return self.t()

    def fill_(self, value):
        self._array[...] = _round_bfloat16(np.float32(value)) if self.dtype is _BFLOAT16 else value
        return self

    def zero_(self):
        return self.fill_(0)

    def copy_(self, other):
        self._array[...] = other.to(self.dtype)._array
        return self

    def sum(self, dim=None, keepdim=False):
        return self._like(self.values.sum(axis=dim, keepdims=keepdim))

    def mean(self, dim=None, keepdim=False):
        return self._like(self.values.mean(axis=dim, keepdims=keepdim))

    def max(self, dim=None, keepdim=False):
        return self._extreme(np.max, np.argmax, dim, keepdim)

    def min(self, dim=None, keepdim=False):
        return self._extreme(np.min, np.argmin, dim, keepdim)

    def _extreme(self, best, where, dim, keepdim):
        if dim is None:
            return self._like(best(self.values))
        return self._like(best(self.values, axis=dim, keepdims=keepdim)), self._like(where(self.values, axis=dim))

    def abs(self):
        return self._like(np.abs(self.values))

    def all(self):
        return self._like(np.all(self.values))

    def any(self):
        return self._like(np.any(self.values))

    def __bool__(self):
        return bool(self.values)

    def __len__(self):
        return len(self._array)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i):
        return self._like(self._array[_plain(i)], self.dtype)

    def __setitem__(self, i, value):
        if isinstance(value, Tensor):
            value = value.to(self.dtype)._array
        elif self.dtype is _BFLOAT16:
            value = _round_bfloat16(np.asarray(value, np.float32))
        self._array[_plain(i)] = value

    def __array__(self, dtype=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def __repr__(self):
        return f"tensor({self.values}, dtype={self.dtype}, device='{self.device}')"


def _plain(i):
    if isinstance(i, tuple):
        return tuple(map(_plain, i))
    return i._array if isinstance(i, Tensor) else i


def _operator(name):
    def apply(self, other=None):
        args = () if other is None else (other.values if isinstance(other, Tensor) else other,)
        result = getattr(self.values, name)(*args)
        same = self.dtype is _BFLOAT16 and result.dtype == np.float32
        return self._like(_round_bfloat16(result), _BFLOAT16) if same else self._like(result)
    return apply


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod", "pow", "matmul", "and",
              "or", "xor", "lshift", "rshift", "lt", "le", "gt", "ge", "eq", "ne", "neg", "invert"):
    setattr(Tensor, f"__{_name}__", _operator(f"__{_name}__"))
Tensor.__hash__ = object.__hash__


def _shape(args):
    if len(args) == 1 and isinstance(args[0], (tuple, list)):
        return tuple(args[0])
    return tuple(args)


class _Random:
    """The generator that manual_seed resets; its numbers are numpy's."""

    generator = np.random.default_rng(0)


def _maker(make):
    def build(*shape, dtype=None, device="cpu", **_):
        return _finish(make(_shape(shape)), dtype or _DTYPES[0], device)
    return build


def _finish(array, dtype, device):
    array = np.asarray(array)
    return Tensor(_round_bfloat16(array) if dtype is _BFLOAT16 else array.astype(dtype.numpy), dtype, device)


def _full(shape, value, *, dtype=None, device="cpu", **_):
    return _finish(np.full(shape, value), dtype or (_DTYPES[0] if isinstance(value, float) else _dtype_of(np.asarray(value))),
                   device)


def _tensor(data, *, dtype=None, device="cpu", **_):
    array = np.asarray(data)
    if dtype is None:
        dtype = _DTYPES[0] if array.dtype == np.float64 else _dtype_of(array)
    return _finish(array, dtype, device)


def _randint(low, high=None, size=None, *, dtype=None, device="cpu", **_):
    if size is None:
        low, high, size = 0, low, high
    return _finish(_Random.generator.integers(low, high, size), dtype or _by_numpy[np.dtype(np.int64)], device)


def _like_maker(make):
    def build(other, *, dtype=None, device=None, **_):
        return make(*other.shape, dtype=dtype or other.dtype, device=str(device or other.device))
    return build


def _arange(*args, dtype=None, device="cpu", **_):
    array = np.arange(*args)
    return _finish(array, dtype or (_DTYPES[0] if array.dtype.kind == "f" else _dtype_of(array)), device)


def _elementwise(f):
    def apply(x, *others, **kwargs):
        return x._like(f(x.values, *[o.values if isinstance(o, Tensor) else o for o in others], **kwargs))
    return apply


def _max(x, other=None, **kwargs):
    return _elementwise(np.maximum)(x, other) if isinstance(other, Tensor) else x.max(other, **kwargs)


def _min(x, other=None, **kwargs):
    return _elementwise(np.minimum)(x, other) if isinstance(other, Tensor) else x.min(other, **kwargs)


def _sort(x, dim=-1, descending=False, stable=False):
    order = np.argsort(-x.values if descending else x.values, axis=dim, kind="stable")
    return x._like(np.take_along_axis(x._array, order, dim), x.dtype), x._like(order)


def _assert_close(actual, expected, *, rtol=1e-5, atol=1e-8, equal_nan=False, msg=None, **_):
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=rtol or 0, atol=atol or 0,
                               equal_nan=equal_nan, err_msg=msg if isinstance(msg, str) else "")


class _Stream:
    """A stream: launches have ended when they return."""

    _as_parameter_ = 0
    npu_stream = 0

    def synchronize(self):
        pass


def _npu_module():
    npu = types.ModuleType("torch.npu")
    npu.config = types.SimpleNamespace(allow_internal_format=False)
    npu.set_device = npu.set_compile_mode = npu.synchronize = npu.empty_cache = lambda *_, **__: None
    npu.current_stream = npu.default_stream = npu.Stream = lambda *_, **__: _Stream()
    npu.is_available = lambda: True
    npu.device_count = lambda: 1
    npu.current_device = lambda: 0
    npu.get_device_name = lambda *_: "pto-run"
    return npu


def install():
    """Makes torch and torch_npu the modules here, also where a real torch is
    installed: it knows no device of this name."""
    torch, torch_npu = types.ModuleType("torch"), types.ModuleType("torch_npu")
    torch.__version__ = torch_npu.__version__ = "0+ptogo"
    torch.Tensor, torch.dtype, torch.device = Tensor, DType, Device
    for d in _DTYPES:
        setattr(torch, d.name, d)
    for alias, name in _ALIASES.items():
        setattr(torch, alias, getattr(torch, name))
    torch.from_numpy = lambda array: Tensor(array)
    torch.zeros, torch.ones = _maker(np.zeros), _maker(np.ones)
    torch.empty = torch.zeros
    torch.zeros_like, torch.ones_like = _like_maker(torch.zeros), _like_maker(torch.ones)
    torch.empty_like = torch.zeros_like
    torch.full, torch.tensor, torch.arange, torch.randint = _full, _tensor, _arange, _randint
    torch.as_tensor = _tensor
    torch.eye = lambda n, m=None, **k: _finish(np.eye(n, m), k.get("dtype") or _DTYPES[0], k.get("device", "cpu"))
    torch.rand = _maker(lambda shape: _Random.generator.random(shape))
    torch.randn = _maker(lambda shape: _Random.generator.standard_normal(shape))
    torch.manual_seed = lambda seed: setattr(_Random, "generator", np.random.default_rng(seed))
    for name in ("exp", "log", "sqrt", "abs", "tanh", "sin", "cos", "floor", "ceil", "reciprocal", "isnan", "matmul", "where",
                 "maximum", "minimum"):
        setattr(torch, name, _elementwise(getattr(np, name)))
    torch.max, torch.min, torch.sort = _max, _min, _sort
    torch.sum = lambda x, *a, **k: x.sum(*a, **k)
    torch.allclose = lambda a, b, rtol=1e-5, atol=1e-8: bool(np.allclose(a.values, b.values, rtol, atol))
    torch.equal = lambda a, b: bool(np.array_equal(a.values, b.values))
    torch.testing = types.SimpleNamespace(assert_close=_assert_close)
    torch.npu = torch_npu.npu = _npu_module()
    sys.modules["torch"], sys.modules["torch_npu"], sys.modules["torch.npu"] = torch, torch_npu, torch.npu
