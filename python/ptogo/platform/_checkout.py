"""Finds what a run needs on this machine: a checkout of the runtime, and a C++ compiler."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

from ._errors import PlatformError

RUNTIME = "tensormap_and_ringbuffer"
_ARCHES = {"a2a3": "a3", "a2a3sim": "a3", "a5": "a5", "a5sim": "a5"}


def target_of(platform):
    """The architecture folder of the runtime for a platform, and the target of pto-run."""
    if platform not in _ARCHES:
        raise PlatformError(f"unknown platform {platform!r}", f"platforms are {', '.join(_ARCHES)}")
    return platform.removesuffix("sim"), _ARCHES[platform]


def runtime():
    """The folder of the user's checkout of the runtime (hw-native-sys/simpler).

    PTOGO_RUNTIME names it. Otherwise it is the folder runtime of the checkout of pypto that
    Python imports, or the sources that an installed package simpler_setup has.
    """
    named = os.environ.get("PTOGO_RUNTIME")
    tried = []
    for folder in [Path(named)] if named else _candidates():
        tried.append(str(folder))
        if (folder / "src" / "common" / "task_interface").is_dir():
            return folder.resolve()
    found = f"PTOGO_RUNTIME={named} is not one" if named else f"tried {', '.join(tried)}" if tried else "found no package of the frontend"
    raise PlatformError(
        f"needs a checkout of the public runtime hw-native-sys/simpler, but {found}",
        "set PTOGO_RUNTIME to the folder of a checkout, or run 'git submodule update --init runtime' in the checkout of pypto",
    )


def _candidates():
    """Folders that can contain the runtime."""
    found = []
    for package, up in (("pypto", 3), ("simpler_setup", 2)):
        try:
            spec = importlib.util.find_spec(package)
        except (ImportError, ValueError):
            continue
        if spec is None or not spec.origin:
            continue
        root = Path(spec.origin).resolve().parents[up - 1]
        found += [root / "runtime"] if package == "pypto" else [root, Path(spec.origin).resolve().parent / "_assets"]
    return found


def compiler():
    """The command of a C++17 compiler: CXX, or the first of c++, g++ and clang++ on PATH."""
    named = os.environ.get("CXX")
    for name in [named] if named else ["c++", "g++", "clang++"]:
        path = shutil.which(name)
        if path:
            return path
    raise PlatformError(
        f"needs a C++ compiler, but CXX={named} is not on PATH" if named else "needs a C++ compiler, but c++, g++ and clang++ are not on PATH",
        "install one (Debian: apt-get install g++), or name one in the environment variable CXX",
    )


def version(command):
    """The first line of the version of a compiler."""
    try:
        text = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as e:
        raise PlatformError(f"the compiler {command} does not run: {e}", "name another one in the environment variable CXX") from None
    return text.split("\n", 1)[0]


class Sources:
    """The headers and sources of a checkout that an orchestration is compiled with."""

    def __init__(self, root, arch, name):
        if name != RUNTIME:
            raise PlatformError(f"the program is for the runtime {name!r}, but only {RUNTIME!r} is supported", "compile the model for this runtime")
        base, common = root / "src" / arch / "runtime" / name, root / "src" / "common"
        self.root = root
        self.include = [
            base / "runtime", base / "orchestration", base / "common", base.parent, common / "task_interface", common,
            root / "src" / arch / "platform" / "include", common / "platform" / "include", common / "log" / "include",
        ]  # fmt: skip
        self.sources = [base / "orchestration" / "common.cpp", base / "runtime" / "shared" / "pto_tensormap.cpp"]
        for needed in [base / "orchestration" / "pto_orchestration_api.h", base / "runtime" / "pto_dep_compute.h", *self.sources]:
            if not needed.is_file():
                raise PlatformError(
                    f"the checkout of the runtime has no file {needed.relative_to(root)}",
                    "use the revision of the runtime that the frontend names (its submodule runtime)",
                )

    def stamp(self):
        """A text that changes when a file of the checkout changes."""
        parts = []
        for folder in {p for p in self.include if p.is_dir()}:
            for path in folder.glob("**/*.h"):
                st = path.stat()
                parts.append(f"{path} {st.st_size} {st.st_mtime_ns}")
        parts += [f"{p} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in self.sources]
        return "\n".join(sorted(parts))
