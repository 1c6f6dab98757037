"""Memory for all tensors of a run, which pto-run maps, too."""

import bisect
import mmap
import os
import shutil
import tempfile

import numpy as np

from ._errors import PlatformError

_ALIGN = 512  # of buffers, as the device aligns them
_MOST_SLACK = 1 << 20
_PAGE = mmap.PAGESIZE


class Allocation:
    """A buffer in an arena: its address in this process, its offset in the file, its bytes, and its type.

    slack is the number of bytes after the buffer that no other buffer uses. Generated kernels load more than a tensor
    where they round sizes up; on a device, they read the memory that follows.
    kind is "tensor", or "window" for memory that all ranks access, or "comm" for a
    communication context, which pto-run fills.
    """

    def __init__(self, name, address, offset, size, elem, kind):
        self.name, self.address, self.offset, self.size, self.elem, self.kind = name, address, offset, size, elem, kind
        self.slack = min(max(size, _ALIGN), _MOST_SLACK)


class Arena:
    """A sparse file that is mapped once. Memory is used when it is written first."""

    def __init__(self, size, path=None, prefix=""):
        self.path, self._prefix = path or _temporary(size), prefix
        try:
            with open(self.path, "ab") as file:
                file.truncate(size)
            with open(self.path, "r+b") as file:
                self._map = mmap.mmap(file.fileno(), size)
        except (OSError, ValueError) as e:
            os.unlink(self.path)
            raise PlatformError(f"cannot reserve {size} bytes of memory for tensors: {e}", "PTOGO_MEMORY=8GiB sets the size") from None
        self.bytes = np.frombuffer(self._map, np.uint8)
        self.base, self.size, self.used = self.bytes.ctypes.data, size, 0
        self.all, self._starts = [], []

    def allocate(self, size, elem, name=None, kind="tensor"):
        """A new buffer, filled with zeros. Buffers are never reused in a run."""
        start = -(-self.used // _ALIGN) * _ALIGN
        a = Allocation(f"{self._prefix}{name or f'b{len(self.all)}'}", self.base + start, start, size, elem, kind)
        end = start + max(size, 1) + a.slack
        if end > self.size:
            raise PlatformError(f"the tensors of this run need more than {self.size} bytes", "PTOGO_MEMORY=16GiB sets the limit")
        self.used = end
        self.all.append(a)
        self._starts.append(a.address)
        return a

    def find(self, address):
        """The buffer that contains an address, and the offset in it; (None, 0) if there is none."""
        i = bisect.bisect_right(self._starts, address) - 1
        if i >= 0 and address <= self.all[i].address + self.all[i].size:
            return self.all[i], address - self.all[i].address
        return None, 0

    def view(self, a):
        """The bytes of a buffer."""
        return self.bytes[a.offset : a.offset + a.size]

    def close(self):
        self.bytes = None
        os.unlink(self.path)
        try:
            self._map.close()
        except BufferError:
            pass  # an array still refers to it


def _temporary(size, make=tempfile.mkstemp):
    """A new file, or a new folder, where a file of this size is in memory if possible."""
    folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
    if folder and shutil.disk_usage(folder).free < size:
        folder = None
    made = make(prefix="ptogo-", dir=folder)
    if make is tempfile.mkdtemp:
        return made
    os.close(made[0])
    return made[1]


def arenas(ranks):
    """An arena for each rank, which divide the memory evenly."""
    if ranks == 1:
        return [Arena(limit())]
    size = limit() // ranks // _PAGE * _PAGE
    folder, made = _temporary(size * ranks, tempfile.mkdtemp), []
    try:
        for rank in range(ranks):
            made.append(Arena(size, os.path.join(folder, str(rank)), f"r{rank}."))
    except BaseException:
        close(made)
        if not made:
            os.rmdir(folder)
        raise
    return made


def close(arenas):
    """Removes the files of arenas."""
    for a in arenas:
        a.close()
    if len(arenas) > 1 or arenas and arenas[0].path.endswith("/0"):
        os.rmdir(os.path.dirname(arenas[0].path))


def pattern(arenas):
    """The path of the file of each arena, with {rank} in place of its number."""
    return arenas[0].path if len(arenas) == 1 else os.path.join(os.path.dirname(arenas[0].path), "{rank}")


def on_all(arenas, size, elem, name, kind):
    """A buffer at the same offset of each arena."""
    start = max(a.used for a in arenas)
    made = []
    for a in arenas:
        a.used = start
        made.append(a.allocate(size, elem, None, kind))
        made[-1].name = name  # one buffer of the graph
    return made


def limit():
    """The largest size of an arena: PTOGO_MEMORY, or three quarters of the free memory."""
    text = os.environ.get("PTOGO_MEMORY")
    if not text:
        pages = os.sysconf("SC_AVPHYS_PAGES") if hasattr(os, "sysconf") else 0
        free = pages * _PAGE
        if os.path.exists("/proc/meminfo"):
            with open("/proc/meminfo", encoding="ascii") as file:
                free = next((int(s.split()[1]) << 10 for s in file if s.startswith("MemAvailable")), free)
        return max(free * 3 // 4, 1 << 30) // _PAGE * _PAGE
    for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10), ("", 0)):
        if text.endswith(unit):
            try:
                return max(int(float(text.removesuffix(unit)) * (1 << shift)) // _PAGE, 1) * _PAGE
            except ValueError:
                break
    raise PlatformError(f"PTOGO_MEMORY={text} is not a size", "write a number of bytes, or for example 8GiB")
