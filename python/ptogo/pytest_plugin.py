"""The pytest plugin: options for all launches of a test run, and a fixture.

    pytest --pto-check=race,init     check every launch; what is found fails the test
    pytest --pto-arch=a5             the profile of kernels that name none
    pytest --pto-engine=llvm         the engine
    pytest --pto-scratch-fill=0xA5   a byte that local memory is full of at the start

Workers of pytest-xdist have a pto-run each and share nothing.
"""

import zlib
from pathlib import Path

import numpy as np
import pytest

from . import _kernel, _server, testing
from ._numerics import numerics
from ._rand import rand


def pytest_addoption(parser):
    group = parser.getgroup("ptogo", "PTO kernels")
    group.addoption("--pto-check", metavar="KINDS", help="check every launch: race, sync, init, mem, device, output, redundant or all")
    group.addoption("--pto-arch", metavar="PROFILE", help="profile of kernels that name none: a2, a3 or a5")
    group.addoption("--pto-engine", metavar="ENGINE", help="go or llvm")
    group.addoption("--pto-scratch-fill", metavar="BYTE", help="start with this byte all over local memory")


def pytest_configure(config):
    for option in ("check", "arch", "engine", "scratch_fill"):
        value = config.getoption(f"pto_{option}", None)
        if value is not None:
            _kernel.defaults[option] = value


def pytest_unconfigure(config):
    _kernel.defaults.clear()
    _server.shutdown()


class Pto:
    """What tests of kernels need."""

    def __init__(self, folder, seed):
        self._folder = folder
        self.rng = np.random.default_rng(seed)

    def load(self, source, **options):
        """ptogo.load; files are looked for beside the test."""
        if "\n" not in str(source):
            source = self._folder / source
        return _kernel.load(source, **options)

    def rand(self, *shape, dtype="f32"):
        """ptogo.rand, with other numbers for each call and the same in each run. The shape
        may be several numbers or one tuple."""
        if len(shape) == 1 and not isinstance(shape[0], int):
            (shape,) = shape
        return rand(shape, dtype, self.rng)

    assert_close = staticmethod(testing.assert_close)

    def tolerance(self, source, *args, arg=None, runs=10, **options):
        """Returns the tolerance for the results of a kernel, as keywords of assert_close:
        pto.assert_close(y, want, **pto.tolerance("softmax.pto", x, y)). The arrays do not
        change. arg names the result if there are several. options are those of
        ptogo.numerics."""
        if "\n" not in str(source):
            source = self._folder / source
        return numerics(source, *args, perturb=runs, **options).tolerance(arg)


@pytest.fixture
def pto(request):
    """load, rand, assert_close and rng, whose numbers depend on the name of the test alone."""
    return Pto(Path(request.path).parent, zlib.crc32(request.node.name.encode()))
