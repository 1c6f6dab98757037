"""Memory for all tensors of a run, which pto-run maps, too."""

import bisect
import contextlib
import mmap
import os
import shutil
import tempfile

import numpy as np

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

from ._errors import PlatformError

_ALIGN = 512  # of buffers, as the device aligns them
_MOST_SLACK = 1 << 20
_PAGE = mmap.PAGESIZE
_IN_MEMORY = "/dev/shm"  # a folder of files in memory, if the system has it


class Allocation:
    """A buffer in an arena: its address in this process, its offset in the memory, its bytes, and its type.

    slack is the number of bytes after the buffer that no other buffer uses. Generated kernels load more than a tensor
    where they round sizes up; on a device, they read the memory that follows.
    kind is "tensor", or "window" for memory that all ranks access, or "comm" for a
    communication context, which pto-run fills. members are the ranks that a context describes.
    """

    def __init__(self, arena, name, address, offset, size, elem, kind, members=()):
        self.arena = arena
        self.name, self.address, self.offset, self.size, self.elem, self.kind, self.members = name, address, offset, size, elem, kind, members
        self.slack = _MOST_SLACK if kind == "window" else min(max(size, _ALIGN), _MOST_SLACK)


class Arena:
    """Memory that is mapped once. It is used when it is written first.

    The memory is a file without a name, which ends with the processes that map it, even if they are killed. Where the
    system does not have such files, path names a sparse file. descriptor is the open file, which the arena closes.
    group are the arenas of all ranks. outer is an arena of the same rank with buffers that exist before and after a run.
    """

    def __init__(self, size, prefix="", descriptor=None, path=None):
        if descriptor is None:
            (descriptor,), path = _files(1, size)
        self._descriptor, self._path, self._prefix = descriptor, path, prefix
        try:
            os.truncate(descriptor, size)
            self._map = mmap.mmap(descriptor, size)
        except (OSError, ValueError, OverflowError) as e:
            self._remove()
            raise PlatformError(f"cannot reserve {size} bytes of memory for tensors: {e}", "PTOGO_MEMORY=8GiB sets the size") from None
        self.bytes = np.frombuffer(self._map, np.uint8)
        self.base, self.size, self.used = self.bytes.ctypes.data, size, 0
        self.all, self._starts = [], []
        self.group, self.outer = [self], None

    @property
    def path(self):
        """The path under which another process opens the memory."""
        return self._path or f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def _remove(self):
        os.close(self._descriptor)
        if self._path:
            os.unlink(self._path)

    def allocate(self, size, elem, name=None, kind="tensor", members=()):
        """A new buffer, filled with zeros. Buffers are never reused in a run."""
        start = -(-self.used // _ALIGN) * _ALIGN
        a = Allocation(self, f"{self._prefix}{name or f'b{len(self.all)}'}", self.base + start, start, size, elem, kind, members)
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
        return self.outer.find(address) if self.outer else (None, 0)

    def view(self, a):
        """The bytes of a buffer of this arena or of the outer one. A buffer of all ranks has the bytes of this rank."""
        arena = self.outer if a.arena not in self.group else self
        return arena.bytes[a.offset : a.offset + a.size]

    def discard(self, a):
        """Returns the memory of a buffer to the system. The buffer must not be used any more."""
        start, end = -(-a.offset // _PAGE) * _PAGE, (a.offset + a.size) // _PAGE * _PAGE
        if start < end and hasattr(mmap, "MADV_REMOVE"):
            with contextlib.suppress(OSError):  # a file system without sparse files
                self._map.madvise(mmap.MADV_REMOVE, start, end - start)

    def close(self):
        self.bytes = None
        self._remove()
        try:
            self._map.close()
        except BufferError:
            pass  # an array still refers to it


def _files(ranks, size):
    """New files for the memory of each rank: their descriptors, and None or the path of the first.

    The paths of the files of several ranks differ in the number of the rank, at their end.
    """
    found = _anonymous(ranks)
    if found:
        return found, None
    folder = _IN_MEMORY if os.path.isdir(_IN_MEMORY) else None
    if folder and shutil.disk_usage(folder).free < size * ranks:
        folder = None
    if ranks == 1:
        descriptor, path = tempfile.mkstemp(prefix="ptogo-", dir=folder)
        return [descriptor], path
    path = os.path.join(tempfile.mkdtemp(prefix="ptogo-", dir=folder), "0")
    return [os.open(path[:-1] + str(rank), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600) for rank in range(ranks)], path


def _anonymous(ranks):
    """Descriptors of files without a name, one for each rank, or None if the system does not have them.

    The descriptors of several ranks are numbers that end in the number of the rank, for pattern.
    """
    if not hasattr(os, "memfd_create") or fcntl is None or not os.path.exists("/proc/self/fd"):
        return None
    for first in range(2, 100):
        made = []
        try:
            for rank in range(ranks):
                wanted = int(f"{first}{rank}") if ranks > 1 else 0
                new = os.memfd_create("ptogo")
                made.append(new)
                made[-1] = fcntl.fcntl(new, fcntl.F_DUPFD_CLOEXEC, wanted)  # the first one from this number on that is free
                os.close(new)
                if ranks > 1 and made[-1] != wanted:
                    break
            else:
                return made
        except OSError:
            for d in made:
                os.close(d)
            return None  # the limit of open files
        for d in made:
            os.close(d)
    return None


def arenas(ranks, prefix=""):
    """An arena for each rank, which divide the memory evenly. The names of buffers start with prefix."""
    if ranks == 1:
        return [Arena(limit(), prefix)]
    size = limit() // ranks // _PAGE * _PAGE
    descriptors, path = _files(ranks, size)
    made = []
    try:
        for rank, d in enumerate(descriptors):
            made.append(Arena(size, f"{prefix}r{rank}.", d, path and path[:-1] + str(rank)))
    except BaseException:
        for d in descriptors[len(made) + 1 :]:
            os.close(d)
        close(made)
        if path:
            shutil.rmtree(path[:-2], ignore_errors=True)
        raise
    for a in made:
        a.group = made
    return made


def close(arenas):
    """Removes the files of arenas."""
    folder = {os.path.dirname(a._path) for a in arenas if len(arenas) > 1 and a._path}
    for a in arenas:
        a.close()
    for f in folder:
        os.rmdir(f)


def pattern(arenas):
    """The path of the file of each arena, with {rank} in place of its number."""
    return arenas[0].path if len(arenas) == 1 else arenas[0].path.removesuffix("0") + "{rank}"


def on_all(arenas, size, elem, name, kind, members=()):
    """A buffer at the same offset of each arena."""
    start = max(a.used for a in arenas)
    made = []
    for a in arenas:
        a.used = start
        made.append(a.allocate(size, elem, None, kind, members))
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
