"""Memory for all tensors of a run, which pto-run maps, too."""

import bisect
import mmap
import os
import shutil
import tempfile

import numpy as np

from ._errors import PlatformError

_ALIGN = 512  # of buffers, as the device aligns them
_PAGE = mmap.PAGESIZE


class Allocation:
    """A buffer in an arena: its address in this process, its offset in the file, its bytes, and its type."""

    def __init__(self, name, address, offset, size, elem):
        self.name, self.address, self.offset, self.size, self.elem = name, address, offset, size, elem


class Arena:
    """A sparse file that is mapped once. Memory is used when it is written first."""

    def __init__(self, size):
        folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
        if folder and shutil.disk_usage(folder).free < size:
            folder = None
        number, self.path = tempfile.mkstemp(prefix="ptogo-", dir=folder)
        try:
            os.truncate(number, size)
            self._map = mmap.mmap(number, size)
        except (OSError, ValueError) as e:
            os.unlink(self.path)
            raise PlatformError(f"cannot reserve {size} bytes of memory for tensors: {e}", "PTOGO_MEMORY=8GiB sets the size") from None
        finally:
            os.close(number)
        self.bytes = np.frombuffer(self._map, np.uint8)
        self.base, self.size, self.used = self.bytes.ctypes.data, size, 0
        self.all, self._starts = [], []

    def allocate(self, size, elem, name=None):
        """A new buffer, filled with zeros. Buffers are never reused in a run."""
        start = -(-self.used // _ALIGN) * _ALIGN
        if start + size > self.size:
            raise PlatformError(f"the tensors of this run need more than {self.size} bytes", "PTOGO_MEMORY=16GiB sets the limit")
        self.used = start + max(size, 1)
        a = Allocation(name or f"b{len(self.all)}", self.base + start, start, size, elem)
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
