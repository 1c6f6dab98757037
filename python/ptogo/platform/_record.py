"""The interface to recorder.cpp: its structures, and the calls that it makes."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_uint32, c_uint64

MAX_DIMS = 5


class _Value(Structure):
    _fields_ = [("bits", c_uint64), ("part", c_int64), ("pointer", c_uint32), ("size", c_uint32)]


class _Declared(Structure):
    _fields_ = [("address", c_uint64), ("bytes", c_uint64), ("tag", c_uint32), ("unused", c_uint32)]


class _View(Structure):
    _fields_ = [("address", c_uint64), ("shape", c_uint32 * MAX_DIMS), ("strides", c_uint32 * MAX_DIMS), ("dims", c_uint32), ("dtype", c_uint32)]


class _Task(Structure):
    _fields_ = [
        ("id", c_uint64), ("kernels", c_int32 * 3), ("blocks", c_int32), ("after", POINTER(c_uint64)), ("after_count", c_uint64),
        ("values", POINTER(_Value) * 3), ("value_count", c_uint64 * 3), ("declared", POINTER(_Declared)), ("declared_count", c_uint64),
        ("views", POINTER(_View)), ("view_count", c_uint64), ("scalars", POINTER(c_uint64)), ("scalar_count", c_uint64),
        ("scopes", POINTER(c_int32)), ("scope_count", c_uint64), ("heap", c_uint64),
    ]  # fmt: skip


_ALLOCATE = CFUNCTYPE(c_uint64, c_uint64, c_uint32)
_TASK = CFUNCTYPE(None, POINTER(_Task))
_FLUSH = CFUNCTYPE(c_int32, c_char_p)
_LOG = CFUNCTYPE(None, c_int32, c_char_p, c_char_p)


class _Host(Structure):
    _fields_ = [("allocate", _ALLOCATE), ("task", _TASK), ("flush", _FLUSH), ("log", _LOG), ("clusters", c_int32), ("vectors", c_int32)]


class _Tensor(Structure):
    _fields_ = [("address", c_uint64), ("bytes", c_uint64), ("shape", c_uint32 * MAX_DIMS), ("dims", c_uint32), ("dtype", c_uint32)]


class Task:
    """A submitted task.

    kernels are the numbers of the kernels for the cube core and the two vector cores, or -1.
    after are the tasks that must end first. values has for each kernel the arguments that
    its wrapper passes, as (is pointer, bits, part): part is the distance between the addresses
    of consecutive blocks; it is empty for a kernel in C++. declared are the arguments as
    (address, bytes, tag). views are the tensors as (address, shape, strides, number of the
    type), and scalars the bits of the scalars, as kernels in C++ read them.
    scopes are the numbers of the open scopes, and heap the bytes of outputs in the ring of memory.
    """

    def __init__(self, raw):
        self.id, self.kernels, self.blocks = raw.id, list(raw.kernels), max(raw.blocks, 1)
        self.after = raw.after[: raw.after_count]
        self.values = [[(bool(v.pointer), v.bits, v.part) for v in values[:n]] if n else [] for values, n in zip(raw.values, raw.value_count)]
        self.declared = [(d.address, d.bytes, d.tag) for d in raw.declared[: raw.declared_count]]
        self.views = [(v.address, tuple(v.shape[: v.dims]), tuple(v.strides[: v.dims]), v.dtype) for v in raw.views[: raw.view_count]]
        self.scalars = raw.scalars[: raw.scalar_count]
        self.scopes, self.heap = raw.scopes[: raw.scope_count], raw.heap


class Library:
    """A compiled orchestration."""

    def __init__(self, path):
        self._lib = ctypes.CDLL(str(path))
        self._record = self._lib.ptogo_record
        self._record.restype = c_int32
        self._record.argtypes = [POINTER(_Host), POINTER(_Tensor), c_uint64, POINTER(c_uint64), c_uint64, c_char_p, c_uint64]
        name = self._lib.ptogo_dtype_name
        name.restype, name.argtypes = c_char_p, [c_uint32]
        self.dtypes = []  # names of the element types of the runtime, by number
        for i in range(256):
            text = name(i)
            if text is None:
                break
            self.dtypes.append(text.decode())

    def record(self, host, tensors, scalars):
        """Runs the orchestration. The methods allocate, task, flush and log of host are called meanwhile.

        tensors are (address, bytes, shape, name of the type). The result is the text of an
        error, or "". An exception in a method of host ends the run and is raised here.
        """
        raised = []

        def guarded(method, failed):
            def call(*args):
                if raised:
                    return failed
                try:
                    result = method(*args)
                    return 0 if result is None else result
                except BaseException as e:  # it must not cross the C++ code
                    raised.append(e)
                    return failed

            return call

        calls = _Host(
            _ALLOCATE(guarded(lambda size, dtype: host.allocate(size, self.dtypes[dtype]), 0)),
            _TASK(guarded(lambda task: host.task(Task(task.contents)) and None, None)),
            _FLUSH(guarded(lambda why: host.flush(why.decode()), 1)),
            _LOG(guarded(lambda level, function, text: host.log(level, function.decode(errors="replace"), text.decode(errors="replace")) and None, None)),
            host.clusters, host.vectors,
        )  # fmt: skip
        raw = (_Tensor * max(len(tensors), 1))()
        for r, (address, size, shape, dtype) in zip(raw, tensors):
            r.address, r.bytes, r.dims, r.dtype = address, size, len(shape), self.dtypes.index(dtype)
            r.shape[: len(shape)] = shape
        numbers = (c_uint64 * max(len(scalars), 1))(*scalars)
        error = ctypes.create_string_buffer(4096)
        self._record(ctypes.byref(calls), raw, len(tensors), numbers, len(scalars), error, len(error))
        if raised:
            raise raised[0]
        return error.value.decode(errors="replace")
