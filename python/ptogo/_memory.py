"""Arrays in memory that pto-run maps, too."""

import mmap
import os
import shutil
import sys
import tempfile
import threading

import numpy as np

from . import _elements, _server

_ALIGN = 64
_SMALLEST = 1 << 20
_LARGEST_KEPT = 256 << 20


class Arena:
    """A file that both sides map. It belongs to one server."""

    def __init__(self, server, size):
        self.server, self.size = server, size
        number, self.path = _new_file(size)
        try:
            self._map = mmap.mmap(number, size)
        finally:
            os.close(number)
        self.bytes = np.frombuffer(self._map, dtype=np.uint8)
        self._listed = True

    def known(self):
        """The server has mapped the file, so nobody needs its name any more."""
        if self._listed and sys.platform != "win32":
            self._listed = False
            os.unlink(self.path)

    def close(self):
        self.bytes = None
        try:
            self._map.close()
        except BufferError:
            pass  # somebody still looks at it; it goes with him
        if self._listed:
            os.unlink(self.path)
        if self.server.alive and self.server.pid == os.getpid():
            self.server.request("forget", {"file": self.path})


def _new_file(size):
    """Returns the descriptor and the path of a file with so much room."""
    folder = "/dev/shm"
    if not os.path.isdir(folder) or shutil.disk_usage(folder).free < 2 * size:
        folder = None  # the usual one for temporary files
    number, path = tempfile.mkstemp(prefix="ptogo-", dir=folder)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(number, 0, size)  # a full disk is an error here, and a crash later
        else:
            os.truncate(number, size)
    except BaseException:
        os.close(number)
        os.unlink(path)
        raise
    return number, path


class _Pool:
    """Arenas that nobody uses just now."""

    def __init__(self):
        self.free, self.lock = [], threading.Lock()

    def take(self, server, size):
        stale = []
        with self.lock:
            for i, a in enumerate(self.free):
                if a.server is server and a.size >= size:
                    return self.free.pop(i)
            stale, self.free = self.free, []
        for a in stale:
            a.close()
        return Arena(server, max(_SMALLEST, 1 << (size - 1).bit_length()))

    def give(self, arena):
        if arena.size > _LARGEST_KEPT or not arena.server.alive:
            arena.close()
            return
        with self.lock:
            self.free.append(arena)


_pool = _Pool()


def _after_fork():
    _pool.__init__()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class PerBlock:
    """An array of which each block of the launch gets an equal part of its own.

    Block i of n gets the address of byte i * array.nbytes / n, as per-block: before
    an --arg of pto-run does. Kernels with a gm_slot_buffer need it on several blocks.
    """

    def __init__(self, array):
        self.array = array


class Arrays:
    """The arrays of one launch, on their way there and back.

    Arrays that share memory share it for the kernel, too. Those that are not
    contiguous are copied, in C order, and what the kernel wrote is copied back.
    """

    def __init__(self, arrays):
        """arrays are pairs of a name and a numpy array, or a PerBlock of one."""
        self._divided = [isinstance(a, PerBlock) for _, a in arrays]
        arrays = [(name, a.array if isinstance(a, PerBlock) else a) for name, a in arrays]
        self._items = [(name, a, *_bounds(a)) for name, a in arrays]
        self._places, self._size = self._layout()

    def _layout(self):
        """Returns where in the arena each array lies, and how much there is."""
        places, top = [0] * len(self._items), 0
        group_from = group_to = group_at = None
        before = None
        for i in sorted(range(len(self._items)), key=lambda i: self._items[i][2]):
            name, a, low, high = self._items[i]
            if group_to is not None and low < group_to and high > low:
                other, b = before
                if not (a.flags.c_contiguous and b.flags.c_contiguous):
                    raise ValueError(f"{name} overlaps {other}, and one is not contiguous; pass copies")
                places[i] = group_at + low - group_from
                group_to = max(group_to, high)
                top = max(top, places[i] + a.nbytes)
                continue
            top = (top + _ALIGN - 1) // _ALIGN * _ALIGN
            places[i] = top
            group_from, group_to, group_at, before = low, high, top, (name, a)
            top += a.nbytes
        return places, top

    def __enter__(self):
        self.arena = _pool.take(_server.server(), max(self._size, 1))
        for (_, a, _, _), at in zip(self._items, self._places):
            self._view(a, at)[...] = a
        return self

    def _view(self, a, at):
        return self.arena.bytes[at : at + a.nbytes].view(a.dtype).reshape(a.shape)

    def requests(self):
        """The arrays as run takes them."""
        return [
            {
                "file": self.arena.path,
                "offset": at,
                "bytes": a.nbytes,
                "elem": _elements.name_of(a.dtype),
                "shape": a.shape,
                "name": name,
                "per_block": divided,
            }
            for (name, a, _, _), at, divided in zip(self._items, self._places, self._divided)
        ]

    def fetch(self):
        """Copies what the kernel has left."""
        for (name, a, _, _), at in zip(self._items, self._places):
            now = self._view(a, at)
            if a.flags.writeable:
                a[...] = now
            elif now.tobytes() != a.tobytes():
                raise ValueError(f"the kernel writes {name}, which is read-only")

    def __exit__(self, *_):
        _pool.give(self.arena)


def _bounds(a):
    """The addresses between which an array lies."""
    low = high = a.__array_interface__["data"][0]
    if a.size == 0:
        return low, low
    for extent, stride in zip(a.shape, a.strides):
        low += min(0, (extent - 1) * stride)
        high += max(0, (extent - 1) * stride)
    return low, high + a.itemsize
