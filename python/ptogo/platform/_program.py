"""Programs: an orchestration with its kernels, and their execution."""

import sys

from . import _checkout, _compile, _kernels, _manifest, _record, _reference, _session, _values
from ._errors import PlatformError
from ._options import options


class Program:
    """A model that the frontend has compiled to a folder. Call it with its arguments to run it."""

    def __init__(self, folder, platform="a2a3sim"):
        self._references = None
        arch, self.target = _checkout.target_of(platform)
        self.manifest = _manifest.Manifest(folder)
        sources = _checkout.Sources(_checkout.runtime(), arch, self.manifest.runtime or _checkout.RUNTIME)
        self.kernels = _kernels.Kernels(self.manifest, self.target, sources.include)
        self.recorder = _record.Library(_compile.compiled(self.manifest, sources))

    def __repr__(self):
        return f"<program {self.manifest.orchestration.stem} with {len(self.manifest.kernels)} kernels>"

    def references(self):
        """The frontend's own references of the kernels."""
        if self._references is None:
            self._references = _reference.References(self.manifest.folder)
        return self._references

    def __call__(self, *args):
        """Runs the program. Tensors are changed in place; the result is the Session, with statistics."""
        tensors, scalars = _values.split(args)
        session = _session.Session(self.target)
        try:
            arena, external = session.arenas[0], []
            for i, t in enumerate(tensors):
                external.append(arena.allocate(t.bytes.size, _values.ELEMENTS[t.dtype], f"arg{i}"))
                arena.view(external[i])[:] = t.bytes
            session.submit(0, self, [(a, 0, a.size, t.shape, t.dtype) for a, t in zip(external, tensors)], scalars)
            session.drain()
            session.end()
            for t, a in zip(tensors, external):
                t.bytes[:] = arena.view(a)
        finally:
            session.close()
        if options.verbose:
            print(f"ptogo.platform: {session}", file=sys.stderr)
        return session


def load(folder, platform="a2a3sim"):
    """Loads the program in a folder that the frontend wrote, for platform a2a3sim or a5sim."""
    return Program(folder, platform)
