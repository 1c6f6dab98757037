"""Launches a kernel of a module on addresses and scalars by pto-run."""

import subprocess
import tempfile
from pathlib import Path

from .. import _tools
from . import memory


class LaunchError(RuntimeError):
    """A kernel that was refused or that faulted; the message is pto-run's."""


def launch(module, kernel, arguments, blocks=1):
    """Runs a kernel. An argument is the address of device memory, which is read
    and written in place, as Pointer(address), or a scalar."""
    text = module.operation.get_asm(enable_debug_info=True)
    with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
        folder = Path(folder)
        (folder / "kernel.mlir").write_text(text, encoding="utf-8")
        command = [_tools.find("pto-run"), str(folder / "kernel.mlir"), "--kernel", kernel, "--blocks", str(blocks)]
        storages = {}
        for i, a in enumerate(arguments):
            if isinstance(a, Pointer):
                data = memory.at(a.address)
                file = folder / f"{i}.bin"
                data.tofile(file)
                storages[file] = data
                command += ["--arg", f"inout={file}"]
            else:
                command += ["--arg", _scalar(a)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.stdout:
            print(done.stdout, end="")
        if done.returncode:
            raise LaunchError(done.stderr.rstrip())
        for file, data in storages.items():
            data[:] = memory.np.fromfile(file, dtype=memory.np.uint8)


class Pointer:
    """An address of device memory."""

    def __init__(self, address):
        self.address = address


def _scalar(a):
    if isinstance(a, bool):
        return "true" if a else "false"
    return repr(a)
