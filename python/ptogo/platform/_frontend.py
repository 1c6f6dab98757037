"""Connects this package to the frontend pypto.

pypto executes a compiled program by two functions of its module pypto.runtime.device_runner:
compile_and_assemble and execute_on_device. install replaces these two. Models and tests
of the frontend stay as they are.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import shutil
import sys
import warnings
from pathlib import Path

from .. import _tools
from . import _cache, _reference, _workers
from ._errors import PlatformError
from ._options import options
from ._program import Program

# Values of an option for the platform, and the platform of the frontend in their place.
PLATFORMS = {"ptogo": "a2a3sim", "ptogo-a2a3": "a2a3sim", "ptogo-a5": "a5sim"}

_DFX = ("enable_chip_swimlane", "enable_dump_args", "enable_pmu", "enable_dep_gen", "enable_scope_stats")


def install():
    """Replaces the execution of programs in pypto for the rest of this process."""
    _provide_ptoas()
    _provide_runtime()
    try:
        runner = importlib.import_module("pypto.runtime.device_runner")
    except ModuleNotFoundError as e:
        if e.name != "pypto":
            raise PlatformError(f"the frontend cannot be imported: {e}", "install what it needs, for example torch") from e
        raise PlatformError("needs the frontend pypto, which Python cannot import", "install it from a checkout: pip install -e .") from None
    for name in ("compile_and_assemble", "execute_on_device"):
        if not hasattr(runner, name):
            raise PlatformError(f"pypto.runtime.device_runner has no function {name}", "this version of pypto is not supported: docs/measurements/platform.md has the tested revisions")
    if options.reference:
        _reference.install()
    runner.compile_and_assemble, runner.execute_on_device = compile_and_assemble, execute_on_device


def compile_and_assemble(work_dir, platform):
    """Takes the place of the function of pypto: a program, the name of its runtime, and its settings."""
    program = Program(work_dir, platform)
    return program, program.manifest.runtime, {"runtime": program.manifest.runtime}


def execute_on_device(chip_callable, orch_args, platform, runtime_name, device_id, **settings):
    """Takes the place of the function of pypto: runs a program and changes the tensors in orch_args."""
    asked = [name for name in _DFX if settings.get(name)]
    if asked:
        warnings.warn(f"ptogo.platform ignores {', '.join(asked)}: it writes no profiles of the device runtime", stacklevel=2)
    with _environment(settings.get("runtime_env")):
        chip_callable(*orch_args)


@contextlib.contextmanager
def _environment(changes):
    """Changes environment variables for a block."""
    before = {name: os.environ.get(name) for name in changes or ()}
    os.environ.update(changes or {})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def arguments(args):
    """Arguments of a command with the platform ptogo replaced by one that the frontend accepts."""
    args = list(args)
    for i, a in enumerate(args):
        option, eq, value = a.partition("=")
        if eq and option == "--platform" and value in PLATFORMS:
            args[i] = f"{option}={PLATFORMS[value]}"
        elif a in PLATFORMS and i and args[i - 1] in ("-p", "--platform"):
            args[i] = PLATFORMS[a]
    return args


def _provide_ptoas():
    """Lets the frontend find pto-opt as ptoas, unless it finds another ptoas."""
    if os.environ.get("PTOAS_ROOT") or shutil.which("ptoas"):
        return
    tool = Path(_tools.find("pto-opt")).resolve()
    root = _cache.folder() / f"ptoas-{_cache.key(str(tool))}"
    root.mkdir(parents=True, exist_ok=True)
    link = root / "ptoas"
    if not link.exists():
        link.unlink(missing_ok=True)
        try:
            link.symlink_to(tool)
        except FileExistsError:
            pass  # another process was faster
    os.environ["PTOAS_ROOT"] = str(root)


def _provide_runtime():
    """Lets modules of the frontend import the stand-ins for the runtime's Python package, even if that is built."""
    for name in [m for m in sys.modules if m.split(".")[0] in ("simpler", "simpler_setup")]:
        del sys.modules[name]
    if not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Placeholder(type):
    """The class of names of the runtime that models import but do not use here."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _placeholder(f"{cls.__qualname__}.{name}")

    def __call__(cls, *args, **kwargs):
        raise PlatformError(f"uses {cls.__qualname__} of the runtime directly, which ptogo.platform does not support", "run the model with a board, or build the runtime's simulator")


def _placeholder(name):
    return _Placeholder(name, (), {})


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__path__ = []
        vars(module).update(_workers.MODULES[module.__name__])
        module.__getattr__ = lambda name: _attribute(module.__name__, name)


def _attribute(module, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _placeholder(f"{module}.{name}")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the runtime that the frontend imports at its start."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True) if name in _workers.MODULES else None
