"""Compiles an orchestration together with the recorder to a shared library."""

import subprocess
import sys
import tempfile
from pathlib import Path

from . import _cache, _checkout, _wrapper
from ._errors import PlatformError

_FLAGS = ["-std=c++17", "-O1", "-fPIC", "-w", "-D__CPU_SIM"]
_HERE = Path(__file__).parent


def compiled(manifest, sources):
    """The path of the library for the orchestration of a manifest, compiled with sources of the runtime."""
    command = _checkout.compiler()
    try:
        orchestration = manifest.orchestration.read_text(encoding="utf-8")
    except OSError as e:
        raise PlatformError(f"the orchestration is missing: {e}", "compile the model again") from None
    stamp = [sources.stamp(), _checkout.version(command), *_FLAGS, *(p.read_text(encoding="utf-8") for p in sorted(_HERE.glob("*.[ch]*")))]
    common = [_object(_HERE / "recorder.cpp", sources, command, stamp), *(_object(p, sources, command, stamp) for p in sources.sources)]
    bindings = _wrapper.bindings(manifest.kernels.values())

    def make(path):
        with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
            unit = Path(folder) / "unit.cpp"
            unit.write_text(f'#include "{manifest.orchestration}"\n#include "binding.h"\n{bindings}', encoding="utf-8")
            link = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
            _run([command, *_FLAGS, "-shared", *_include(sources), "-o", str(path), str(unit), *map(str, common), *link], manifest.orchestration, sources)

    return _cache.made(f"{manifest.orchestration.stem}-{_cache.key(orchestration, bindings, *stamp)}.so", make)


def _object(source, sources, command, stamp):
    """The path of the object file of a source that all orchestrations are linked to."""
    return _cache.made(f"{source.stem}-{_cache.key(str(source), *stamp)}.o", lambda path: _run([command, *_FLAGS, "-c", *_include(sources), "-o", str(path), str(source)], source, sources))


def _include(sources):
    return [f"-I{p}" for p in [_HERE, *sources.include]]


def _run(line, what, sources):
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        errors = [s for s in done.stderr.splitlines() if "error" in s] or done.stderr.splitlines()
        raise PlatformError(
            f"{what} does not compile with the runtime in {sources.root}:\n" + "\n".join(errors[:10]),
            "the frontend and the checkout of the runtime must fit together: use the revision that the frontend names (its submodule runtime)",
        )
