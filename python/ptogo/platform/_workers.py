"""Stand-ins for the Python package of the runtime (simpler), which run programs with pto-run.

The frontend executes programs of several ranks with the class Worker of the package
simpler: a host program submits programs to ranks, and communication domains give each rank
a window that all ranks can access. Worker here records these programs and runs them
together as one graph of several ranks.
"""

import ctypes
import enum
import itertools
import sys
import threading
import types
from pathlib import Path

import numpy as np

from . import _arena, _session, _values
from ._errors import PlatformError
from ._options import options
from ._program import Program

CONTEXT_BYTES = 1056  # of a communication context, see docs/ranks.md

DataType = enum.Enum("DataType", list(_values.ELEMENTS), start=0)
TensorArgType = enum.Enum("TensorArgType", ["INPUT", "OUTPUT", "INOUT", "OUTPUT_EXISTING", "NO_DEP"], start=0)
ArgDirection = enum.Enum("ArgDirection", ["IN", "OUT", "INOUT", "SCALAR"], start=0)


class CallConfig:
    """Settings of a call. Of those, the sizes of rings in runtime_env have an effect."""

    def __init__(self):
        self.output_prefix, self.runtime_env = "", types.SimpleNamespace()


class CommBufferSpec:
    """A part of the window of a domain."""

    def __init__(self, name, dtype="opaque", count=0, nbytes=0, **_):
        self.name, self.dtype, self.count, self.nbytes = name, dtype, count, int(nbytes)


class Buffer:
    """Memory of the host or of a rank: its address, and its bytes.

    window is (domain, rank, offset) if the memory is a part of a window.
    """

    def __init__(self, nbytes, memory=None, window=None):
        self.nbytes, self.window = int(nbytes), window
        self.memory = np.zeros(max(self.nbytes, 1), np.uint8) if memory is None else memory
        self.base = self.memory.ctypes.data

    def tensor(self, shapes, dtype, strides=None, byte_offset=0):
        return Tensor(self, byte_offset, shapes, dtype, strides)

    def close(self):
        pass


class Tensor:
    """A tensor argument of a program: a part of a buffer, with a shape."""

    def __init__(self, owner, offset, shapes, dtype, strides=None):
        self.owner, self.shapes = owner, tuple(int(n) for n in shapes) or (1,)
        self.dtype = dtype if isinstance(dtype, DataType) else DataType(int(dtype))
        self.offset, self.nbytes = int(offset), int(np.prod(self.shapes)) * _values.size(self.dtype.name)
        dense = tuple(int(np.prod(self.shapes[i + 1 :])) for i in range(len(self.shapes)))
        if strides is not None and tuple(strides) != dense:
            raise PlatformError(f"a tensor argument with shape {self.shapes} has strides {tuple(strides)}", "pass a contiguous tensor")
        self.strides = dense
        if self.offset + self.nbytes > owner.nbytes:
            raise PlatformError(f"a tensor of {self.nbytes} bytes at offset {self.offset} is not inside its buffer of {owner.nbytes} bytes")

    @property
    def address(self):
        return self.owner.base + self.offset

    @property
    def buffer(self):
        return memoryview(self.owner.memory[self.offset : self.offset + self.nbytes])


class TaskArgs:
    """The arguments of a program: tensors with their use, and scalars."""

    def __init__(self):
        self.tensors, self.scalars = [], []

    def add_tensor(self, tensor, tag=TensorArgType.INOUT):
        self.tensors.append((tensor, tag))

    def add_scalar(self, value):
        self.scalars.append(_values.bits("a scalar", value))

    def tensor_count(self):
        return len(self.tensors)

    def scalar_count(self):
        return len(self.scalars)


class _Mapped(list):
    """The arguments of a Python function that runs on the host: the tensors, and the scalars."""

    def __init__(self, args):
        super().__init__(t for t, _ in args.tensors)
        self._scalars = args.scalars

    def tensor_count(self):
        return len(self)

    def scalar_count(self):
        return len(self._scalars)

    def scalar(self, i):
        return self._scalars[i]


class Member:
    """A rank of a domain: the parts of its window by name, and its communication context."""

    def __init__(self, domain, rank, buffers, index):
        self.buffers, self.device_ctx = buffers, domain.context(rank)
        self.domain_rank, self.domain_size, self.actual_window_size = index, len(domain.workers), domain.size


class Domain:
    """A communication domain. Its windows keep their contents between runs."""

    def __init__(self, name, workers, size, specs):
        self.name, self.workers, self.size = name, tuple(workers), int(size)
        self.memory = {w: np.zeros(max(self.size, 1), np.uint8) for w in self.workers}
        self._contexts = {w: np.zeros(CONTEXT_BYTES, np.uint8) for w in self.workers}
        self._members, self.freed = {}, False
        for index, w in enumerate(self.workers):
            buffers, at = {}, 0
            for s in specs:
                buffers[s.name] = Buffer(s.nbytes, self.memory[w][at : at + max(s.nbytes, 1)], (self, w, at))
                at += s.nbytes
            self._members[w] = Member(self, w, buffers, index)

    def context(self, rank):
        """The address that identifies the context of a rank until the window has its place in a run."""
        return self._contexts[rank].ctypes.data

    def __getitem__(self, worker):
        if worker not in self._members:
            raise PlatformError(f"rank {worker} is not in the communication domain {self.name}, which has ranks {self.workers}")
        return self._members[worker]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def release(self):
        self.freed = True


class _Region:
    """A part of the memory of the host that a rank has a copy of."""

    def __init__(self, tensor, allocation):
        self.start, self.end, self.memory, self.allocation = tensor.address, tensor.address + tensor.nbytes, tensor, allocation
        self.written = False


class Orchestrator:
    """What a host program submits to, for one run."""

    def __init__(self, worker):
        self._worker, self._session = worker, None
        self._regions, self._places = [], {}

    def session(self):
        if self._session is None:
            self._session = _session.Session(self._worker.target, self._worker.ranks, self._worker.memory or ())
            self._regions = [[] for _ in range(self._session.ranks)]
        return self._session

    def submit_next_level(self, program, args, config=None, *, worker=0):
        """Adds an execution of a program on a rank."""
        session, tensors = self.session(), []
        self._worker.programs.add(program)
        session.rings.update(_session.configured(getattr(config, "runtime_env", None)))
        if not 0 <= worker < session.ranks:
            raise PlatformError(f"the host program submits to rank {worker}, but it has {session.ranks} ranks")
        for t, tag in args.tensors:
            place, offset = self._window(worker, *t.owner.window, t.offset) if t.owner.window else self._copy(worker, t, tag)
            tensors.append((place, offset, t.nbytes, t.shapes, t.dtype.name))
        session.submit(worker, program, tensors, [self._scalar(worker, s) for s in args.scalars])

    def submit_next_level_group(self, program, args_list, config=None, *, workers):
        for args, worker in zip(args_list, workers):
            self.submit_next_level(program, args, config, worker=worker)

    def submit_sub(self, function, args=None):
        """Runs a Python function on the host, after all programs so far."""
        self.settle()
        function(_Mapped(args or TaskArgs()))

    def submit_sub_group(self, function, args_list):
        for args in args_list:
            self.submit_sub(function, args)

    def _scalar(self, rank, value):
        """A scalar argument. The address of a context becomes that of its place in this run."""
        domain = self._worker.contexts.get(value)
        if domain is None:
            return value
        return self._place(domain)[1][rank].address

    def allocate_domain(self, *, name, workers, window_size, buffers, **_):
        """A domain whose window each rank of workers has."""
        if len(set(workers)) != len(workers) or not set(workers) <= set(range(self._worker.ranks)):
            raise PlatformError(f"the communication domain {name} has ranks {list(workers)}, but the host program has ranks 0 to {self._worker.ranks - 1}")
        domain = Domain(name, workers, window_size, buffers)
        self._worker._next_alloc_id += 1
        self._worker.contexts.update({domain.context(w): domain for w in workers})
        self._worker._live_domains[name] = domain
        self._worker._building_run_resources.live_domains[name] = domain
        return domain

    def release_domain(self, domain):
        domain.release()

    def _place(self, domain):
        """The windows and the contexts of a domain in this run, by rank."""
        if domain not in self._places:
            arenas, n = self.session().arenas, len(self._places)
            windows = _arena.on_all(arenas, max(domain.size, 1), "i8", f"window{n}", "window")
            contexts = _arena.on_all(arenas, CONTEXT_BYTES, "i64", f"comm{n}", "comm", domain.workers)
            for w in domain.workers:
                arenas[w].view(windows[w])[:] = domain.memory[w]
            self._places[domain] = windows, contexts
        return self._places[domain]

    def _window(self, rank, domain, owner, at, offset):
        """The place of a part of a window in this run."""
        if owner != rank:
            raise PlatformError(f"an argument for rank {rank} is the window of rank {owner}")
        return self._place(domain)[0][rank], at + offset

    def _copy(self, rank, t, tag):
        """The copy of a tensor of the host that a rank has, and the offset in it."""
        start, end, writes = t.address, t.address + t.nbytes, tag not in (TensorArgType.INPUT, TensorArgType.NO_DEP)
        if self._worker.memory:
            place, offset = self._worker.memory[rank].find(start)
            if place:  # memory of this rank, which the program reads and writes in place
                return place, offset

        def others(r):
            return [(k, g) for k, regions in enumerate(self._regions) for g in regions if g.start < end and start < g.end and (k == rank) == r]

        if any(g.written for _, g in others(False)) or any(g.written and not (g.start <= start and end <= g.end) for _, g in others(True)):
            self.settle()  # another rank, or another part, has the current contents
        for k, g in others(False):
            if writes:
                self._regions[k].remove(g)
        found = next((g for _, g in others(True) if g.start <= start and end <= g.end), None)
        if found is None:
            arena = self.session().arenas[rank]
            found = _Region(t, arena.allocate(t.nbytes, _values.ELEMENTS[t.dtype.name]))
            arena.view(found.allocation)[:] = np.frombuffer(t.buffer, np.uint8)
            if writes:
                for _, g in others(True):
                    self._regions[rank].remove(g)
            self._regions[rank].append(found)
        found.written |= writes
        return found.allocation, start - found.start

    def settle(self):
        """Executes all programs so far, and copies results and windows to the memory of the host."""
        if self._session is None:
            return
        self._session.drain()
        self._session.end()
        for arena, regions in zip(self._session.arenas, self._regions):
            for g in regions:
                if g.written:
                    np.frombuffer(g.memory.buffer, np.uint8)[:] = arena.view(g.allocation)
            regions.clear()
        for domain, (windows, _) in self._places.items():
            for w in domain.workers:
                domain.memory[w][:] = self._session.arenas[w].view(windows[w])

    def copy_to(self, dst, src):
        self._worker.copy_to(dst, src)

    def copy_from(self, dst, src):
        self._worker.copy_from(dst, src)

    def alloc(self, shape, dtype):
        return Buffer(int(np.prod(shape)) * _values.size(dtype.name))

    def alloc_child_tensor(self, worker_id, shapes, dtype):
        return self._worker.alloc_child_tensor(worker_id, shapes, dtype)

    def free(self, buffer):
        self._worker.free(buffer)

    def scope(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def end(self):
        if self._session is not None:
            if options.verbose:
                print(f"ptogo.platform: {self._session}", file=sys.stderr)
            self._session.close()


class _Ended:
    """The handle of a run that has ended."""

    done = True

    def result(self, timeout=None):
        return None

    wait = result


class Worker:
    """Runs programs on one rank (level 2), or host programs on all ranks (level 3)."""

    host_dlopen_count = 0

    def __init__(self, level=2, device_ids=None, platform="a2a3sim", **_):
        from . import _checkout

        self.level, self.target = level, _checkout.target_of(platform)[1]
        self.ranks = len(device_ids or [0]) if level > 2 else 1
        self.contexts, self._live_domains, self.programs = {}, {}, set()
        self._next_alloc_id = 0  # the number of domains so far, as tests of the frontend read it
        # The buffers on devices by address, with their rank and place in the arenas of memory.
        self.memory, self._buffers = None, {}
        self._building_run_resources, self._lock = None, threading.Lock()

    @property
    def aicpu_dlopen_count(self):
        """How many different programs ran. A device loads each of them once."""
        return len(self.programs)

    def register(self, function):
        """A handle of a program, or of a Python function: the thing itself."""
        return function

    def unregister(self, handle):
        pass

    def init(self, prewarm_config=None):
        pass

    def close(self):
        self.contexts.clear()
        self._buffers.clear()
        if self.memory:
            _arena.close(self.memory)
            self.memory = None

    # Memory

    def create_buffer(self, nbytes):
        """Memory of the host."""
        return Buffer(nbytes)

    def release_buffer(self, buffer):
        pass

    def malloc(self, nbytes):
        """Memory of the first rank, as bytes."""
        return self.alloc_child_tensor(0, (int(nbytes),), DataType.UINT8)

    def alloc_child_tensor(self, worker_id, shapes, dtype):
        """Memory of a rank, which programs use in place."""
        with self._lock:  # the frontend fills the memory of several ranks at the same time
            if self.memory is None:
                self.memory = _arena.arenas(self.ranks, "device.")
            arena = self.memory[worker_id]
            place = arena.allocate(int(np.prod(shapes)) * _values.size(dtype.name), _values.ELEMENTS[dtype.name])
            made = Buffer(place.size, arena.view(place))
            self._buffers[place.address] = worker_id, place
        return made

    def free(self, buffer):
        with self._lock:
            worker, place = self._buffers.pop(buffer.base, (0, None))
            if place:
                self.memory[worker].discard(place)

    def committed_device_memory(self, worker_id=0):
        return sum(place.size for worker, place in self._buffers.values() if worker == worker_id)

    def copy_to(self, dst, src):
        _bytes(dst)[: len(_bytes(src))] = _bytes(src)

    def copy_from(self, dst, src):
        n = min(len(_bytes(dst)), len(_bytes(src)))
        _bytes(dst)[:n] = _bytes(src)[:n]

    def make_tensor_arg(self, tensor, shapes=None, dtype=None):
        return make_tensor_arg(self, tensor)

    # Runs

    def submit(self, function, args=None, config=None):
        """Runs a host program."""
        orch = Orchestrator(self)
        self._building_run_resources = types.SimpleNamespace(live_domains={}, domain_lock=_NoLock(), retired=False)
        try:
            function(orch, args, config)
            orch.settle()
        finally:
            for name, domain in self._building_run_resources.live_domains.items():
                self._live_domains.pop(name, None)
                for w in domain.workers:
                    del self.contexts[domain.context(w)]
            self._building_run_resources = None
            orch.end()
        return _Ended()

    def run(self, function, args=None, config=None):
        """Runs a program of one rank, or a host program."""
        if isinstance(function, Program):
            self.submit(lambda orch, *_: orch.submit_next_level(function, args, config))
        else:
            self.submit(function, args, config)


class _NoLock:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def _bytes(memory):
    if isinstance(memory, Buffer):
        return memory.memory[: memory.nbytes]
    if isinstance(memory, Tensor):
        return np.frombuffer(memory.buffer, np.uint8)
    return np.frombuffer(memory, np.uint8)


def make_tensor_arg(worker, tensor):
    """A tensor argument for a CPU tensor of torch or a numpy array."""
    t = _values.Tensor("a tensor argument", tensor)
    return Tensor(Buffer(t.bytes.size, t.bytes), 0, t.shape, DataType[t.dtype])


def torch_dtype_to_datatype(dtype):
    return DataType[_values.NAMES[str(dtype).removeprefix("torch.")]]


def scalar_to_uint64(value):
    return _values.bits("a scalar", value)


_counter = itertools.count(1)

# What the modules of the runtime have, by module.
MODULES = {
    "simpler": {},
    "simpler.task_interface": {
        "ArgDirection": ArgDirection, "CallConfig": CallConfig, "CommBufferSpec": CommBufferSpec, "DataType": DataType, "TaskArgs": TaskArgs, "Tensor": Tensor,
        "TensorArgType": TensorArgType, "scalar_to_uint64": scalar_to_uint64,
    },
    "simpler.worker": {"Worker": Worker},
    "simpler.buffer": {
        "mint_owner_instance_id": lambda: next(_counter).to_bytes(16, "little"),
        "wrap_fork_inherited": lambda address, nbytes, *_, **__: Buffer(nbytes, np.frombuffer((ctypes.c_uint8 * nbytes).from_address(address), np.uint8)),
    },
    "simpler_setup": {},
    # Kernels in C++ include headers of the tile library, which pto-opt declares itself.
    "simpler_setup.pto_isa": {"ensure_pto_isa_root": lambda *_, **__: str(Path(__file__).parent)},
    "simpler_setup.torch_interop": {"make_tensor_arg": make_tensor_arg, "torch_dtype_to_datatype": torch_dtype_to_datatype},
}  # fmt: skip
