"""Compiles an orchestration together with the recorder to a shared library."""

import subprocess
import sys
import tempfile
from pathlib import Path

from . import _cache, _checkout, _wrapper
from ._errors import PlatformError

_FLAGS = ["-std=c++17", "-O1", "-fPIC", "-shared", "-w", "-D__CPU_SIM"]
_RECORDER = Path(__file__).with_name("recorder.cpp")


def compiled(manifest, arch):
    """The path of the library for the orchestration of a manifest."""
    sources = _checkout.Sources(_checkout.runtime(), arch, manifest.runtime or _checkout.RUNTIME)
    command = _checkout.compiler()
    try:
        orchestration = manifest.orchestration.read_text(encoding="utf-8")
    except OSError as e:
        raise PlatformError(f"the orchestration is missing: {e}", "compile the model again") from None
    bindings = _wrapper.bindings(manifest.kernels.values())
    name = _cache.key(orchestration, bindings, _RECORDER.read_text(encoding="utf-8"), sources.stamp(), _checkout.version(command), " ".join(_FLAGS))

    def make(path):
        with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
            (Path(folder) / "ptogo_bindings.inc").write_text(bindings, encoding="utf-8")
            link = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
            line = [
                command, *_FLAGS, f"-I{folder}", *(f"-I{p}" for p in sources.include), "-o", str(path),
                str(manifest.orchestration), str(_RECORDER), *map(str, sources.sources), *link,
            ]  # fmt: skip
            done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode:
            errors = [s for s in done.stderr.splitlines() if "error" in s] or done.stderr.splitlines()
            raise PlatformError(
                f"{manifest.orchestration} does not compile with the runtime in {sources.root}:\n" + "\n".join(errors[:10]),
                "the frontend and the checkout of the runtime must fit together: use the revision that the frontend names (its submodule runtime)",
            )

    return _cache.made(f"{manifest.orchestration.stem}-{name}.so", make)
