"""Runs kernels of Python frontends, as they are, without MLIR, torch or an NPU.

install() puts in place what frontends import: MLIR's bindings (mlir_compat),
torch and torch_npu on numpy (device), and launches by pto-run (launch).
"""

from . import frontends, torch_standin
from .. import mlir_compat

_installed = False


def install():
    """Makes import find the stand-ins. A second call does nothing."""
    global _installed
    if _installed:
        return
    _installed = True
    mlir_compat.install()
    torch_standin.install()
    frontends.install()
