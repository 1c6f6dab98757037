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


class Window:
    """Memory that all ranks of a launch can access: a list with an array for each rank.

    The arrays must have one size. A window of zeros that Python does not read is the
    text "window=8x64xf32", as after --arg of pto-run.
    """

    def __init__(self, arrays):
        self.arrays = arrays


class Piece:
    """The array of one argument on one rank.

    rank is None for launches without ranks. constant means that every rank has a copy of
    the array, which the kernel must not write.
    """

    def __init__(self, name, array, *, rank=None, divided=False, window=False, constant=False):
        self.name, self.array, self.rank, self.divided, self.window, self.constant = name, array, rank, divided, window, constant
        self.low, self.high = _bounds(array)

    def __str__(self):
        return self.name if self.rank is None else f"{self.name} of rank {self.rank}"


class Arrays:
    """The arrays of one launch, on their way there and back.

    Arrays of one rank that share memory share it for the kernel, too. Those that are not
    contiguous are copied, in C order, and what the kernel wrote is copied back.
    """

    def __init__(self, pieces):
        self._pieces = list(pieces)
        self._places, self._size = self._layout()

    def _layout(self):
        """Returns the offset of each array in the arena, and the size of all."""
        places, top = [0] * len(self._pieces), 0
        group_to, group_from, group_at, before = None, 0, 0, None
        # Constant ones come last: each is a copy, which shares memory with no other.
        order = sorted(range(len(self._pieces)), key=lambda i: (self._pieces[i].constant, self._pieces[i].low))
        for i in order:
            p = self._pieces[i]
            if group_to is not None and not p.constant and p.low < group_to and p.high > p.low:
                if p.rank != before.rank:
                    raise ValueError(f"{p} overlaps {before}, but ranks have memory of their own; pass copies, or one array instead of a list if the kernel only reads it")
                if not (p.array.flags.c_contiguous and before.array.flags.c_contiguous):
                    raise ValueError(f"{p} overlaps {before}, and one is not contiguous; pass copies")
                places[i] = group_at + p.low - group_from
                group_to = max(group_to, p.high)
                top = max(top, places[i] + p.array.nbytes)
                continue
            top = (top + _ALIGN - 1) // _ALIGN * _ALIGN
            places[i] = top
            group_from, group_to, group_at, before = p.low, p.high, top, p
            top += p.array.nbytes
        return places, top

    def __enter__(self):
        self.arena = _pool.take(_server.server(), max(self._size, 1))
        for p, at in zip(self._pieces, self._places):
            self._view(p, at)[...] = p.array
        return self

    def _view(self, p, at):
        return self.arena.bytes[at : at + p.array.nbytes].view(p.array.dtype).reshape(p.array.shape)

    def requests(self):
        """The arrays as run takes them."""
        return [
            {
                "file": self.arena.path,
                "offset": at,
                "bytes": p.array.nbytes,
                "elem": _elements.name_of(p.array.dtype),
                "shape": p.array.shape,
                "name": p.name,
                "per_block": p.divided,
                "window": p.window,
            }
            for p, at in zip(self._pieces, self._places)
        ]

    def fetch(self):
        """Copies what the kernel has left."""
        for p, at in zip(self._pieces, self._places):
            now, a = self._view(p, at), p.array
            if a.flags.writeable and not p.constant:
                a[...] = now
            elif now.tobytes() != a.tobytes():
                why = "of which every rank got a copy: pass a list with an array for each rank" if p.constant else "which is read-only"
                raise ValueError(f"the kernel writes {p}, {why}")

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
