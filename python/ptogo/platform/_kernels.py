"""Kernels of a program, ready for pto-run."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from .. import _tools
from . import _cache, _deferred, _unit, _wrapper
from ._errors import PlatformError

_FUNCTION = re.compile(r"func\.func\s+(?:private\s+|public\s+)?@([\w.$-]+)\s*\(([^)]*)\)")
_PARAM = re.compile(r"%(\w+)\s*:\s*([^,]*(?:<[^>]*>)?[^,]*)")
_INDEX = "__pypto_spmd_"  # parameters that receive the index of the block; pto-run supplies them


class Text:
    """A kernel in a .pto file: its file, and the types of the parameters that a task supplies."""

    def __init__(self, file, name, params):
        self.file, self.name, self.params = file, name, params


class Kernels:
    """The kernels that the frontend wrote as .pto files to its folder."""

    def __init__(self, manifest, target, include):
        self._target, self._include, self._ready, self._generated, self._units = target, include, {}, {}, {}
        files = sorted(manifest.folder.glob("ptoas/*.pto")) or sorted(manifest.folder.glob("kernels/**/*.pto"))
        self._texts = {}
        for file in files:
            text = _deferred.waiting(file.read_text(encoding="utf-8"), file)
            for name, params in _FUNCTION.findall(text):
                types = [t.strip() for p, t in _PARAM.findall(params) if not p.startswith(_INDEX)]
                self._texts.setdefault(name, Text(file, name, types))
        self._folder = manifest.folder

    def get(self, kernel, views=(), scalars=(), is_address=bool, dtypes=()):
        """The text of a kernel of the manifest. That of a kernel in C++ depends on the arguments of the task."""
        if not self._generated.setdefault(kernel.number, _wrapper.generated(kernel)):
            return self._converted(kernel, views, [is_address(s) for s in scalars], dtypes)
        if kernel.name not in self._texts:
            raise PlatformError(f"{self._folder} has no .pto file with kernel @{kernel.name}", "compile the model again; the frontend keeps these files in its folder ptoas")
        return self._texts[kernel.name]

    def _converted(self, kernel, views, pointers, dtypes):
        """The text of a kernel in C++ for tensors with these shapes, and for scalars of which some are addresses."""
        unit = _unit.text(kernel, [(dtypes[v[3]], *v[1:3]) for v in views], pointers)
        if unit not in self._units:
            file = _unit.converted(kernel, unit, self._target, self._include)
            name, params = _FUNCTION.findall(file.read_text(encoding="utf-8"))[-1]
            self._units[unit] = Text(file, name, [t.strip() for _, t in _PARAM.findall(params)])
            self._ready[file] = file
        return self._units[unit]

    def prepare(self, files):
        """Makes files ready, several at a time: it inserts synchronization, as the frontend asks ptoas to do."""
        todo = [f for f in files if f not in self._ready]
        with ThreadPoolExecutor(2) as pool:
            for file, ready in zip(todo, pool.map(self._make, todo)):
                self._ready[file] = ready

    def ready(self, file):
        """The path of the file that pto-run executes."""
        return self._ready[file]

    def _make(self, file):
        text, tool = file.read_text(encoding="utf-8"), _tools.find("pto-opt")
        waiting = _deferred.waiting(text, file)
        level = "level3" if re.search(r"alloc_tile\s+addr\b", text) or "alloc_tile" not in text else "level2"
        version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout

        def make(path):
            source = file
            if waiting != text:
                source = path.with_suffix(".waiting.pto")
                source.write_text(waiting, encoding="utf-8")
            line = [tool, str(source), "--enable-insert-sync", f"--pto-level={level}", f"--pto-arch={self._target}", "--emit-pto-ir", "-o", str(path)]
            done = subprocess.run(line, capture_output=True, text=True)
            if source != file:
                source.unlink()
            if done.returncode:
                raise PlatformError(f"pto-opt cannot prepare {file}:\n{done.stderr.strip()[-4000:]}")

        return _cache.made(f"{file.stem}-{_cache.key(waiting, version, level, self._target)}.pto", make)
