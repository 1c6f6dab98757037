"""Programs: an orchestration with its kernels, and their execution."""

import json
import os
import sys
import tempfile
import time
import warnings

import numpy as np

from .. import _elements, _kernel, _server
from .._errors import Diagnostic, KernelWarning, error_of
from . import _arena, _checkout, _compile, _kernels, _manifest, _record, _values
from ._errors import PlatformError
from ._options import options

# How tasks declare their arguments (TensorArgType of the runtime), and the words of graphs for it.
_ACCESS = {0: "read", 1: "write", 2: "update", 3: "write"}

# The cores of a chip, which an orchestration can ask the runtime for: cube cores, vector cores.
_CORES = {"a3": (24, 48), "a5": (36, 72)}


class Program:
    """A model that the frontend has compiled to a folder. Call it with its arguments to run it."""

    def __init__(self, folder, platform="a2a3sim"):
        arch, self.target = _checkout.target_of(platform)
        self.manifest = _manifest.Manifest(folder)
        self.kernels = _kernels.Kernels(self.manifest, self.target)
        self.recorder = _record.Library(_compile.compiled(self.manifest, arch))

    def __repr__(self):
        return f"<program {self.manifest.orchestration.stem} with {len(self.manifest.kernels)} kernels>"

    def __call__(self, *args):
        """Runs the program. Tensors are changed in place; the result is the Run, with statistics."""
        tensors, scalars = _values.split(args)
        run = Run(self, tensors)
        try:
            error = self.recorder.record(run, run.described, scalars)
            if error:
                raise PlatformError(f"the orchestration {self.manifest.orchestration.name} failed: {error}")
            run.flush("")
            for t, a in zip(tensors, run.external):
                t.bytes[:] = run.arena.view(a)
        finally:
            run.arena.close()
        if options.verbose:
            print(f"ptogo.platform: {run}", file=sys.stderr)
        return run


class Run:
    """One execution of a program: the tasks so far, and the memory of the tensors."""

    def __init__(self, program, tensors):
        self.program, self.arena = program, _arena.Arena(_arena.limit())
        self.clusters, self.vectors = _CORES[program.target]
        self.external, self.described = [], []
        try:
            self._copy_in(tensors)
        except BaseException:
            self.arena.close()
            raise
        # ended maps a task without a kernel to the tasks that it depends on.
        self.tasks, self.parts, self.seconds, self.report = 0, 0, 0.0, ""
        self._pending, self._ended = [], {}

    def _copy_in(self, tensors):
        """Copies the tensors of the caller to the arena."""
        for i, t in enumerate(tensors):
            a = self.arena.allocate(t.bytes.size, _values.ELEMENTS[t.dtype], f"arg{i}")
            self.arena.view(a)[:] = t.bytes
            self.external.append(a)
            if len(t.shape) > _record.MAX_DIMS:
                raise PlatformError(f"tensor {i} has {len(t.shape)} dimensions", f"the runtime has at most {_record.MAX_DIMS}")
            self.described.append((a.address, a.size, t.shape, t.dtype))

    def __repr__(self):
        return f"{self.tasks} tasks in {self.parts} part{'s' * (self.parts != 1)}, {self.arena.used >> 20} MiB, {self.seconds:.1f} s in pto-run"

    def allocate(self, size, dtype):
        return self.arena.allocate(size, _values.ELEMENTS.get(dtype, "ui8")).address

    def log(self, level, function, text):
        if level >= 3 or options.verbose:
            print(f"{function}: {text}", file=sys.stderr)

    def task(self, task):
        """Adds a task, which flush executes."""
        if task.problem:
            raise PlatformError(task.problem)
        after = set().union(*(self._ended.get(p, ()) for p in task.after))
        ids = [k for k in task.kernels if k >= 0]
        if not ids:
            self._ended[task.id] = after
            return
        for k in ids:
            if k not in self.program.manifest.kernels:
                raise PlatformError(f"a task starts kernel {k}, which kernel_config.py does not list")
        texts = [self.program.kernels.get(self.program.manifest.kernels[k]) for k in ids]
        if any(t.file != texts[0].file for t in texts):
            raise PlatformError(f"kernels {', '.join(t.name for t in texts)} run together but are in several .pto files")
        if len({k for k in ids}) == 2 and len(ids) == 3:  # one kernel on both vector cores, beside a cube kernel
            texts = texts[:2]
        name = f"{texts[0].name}.{self.tasks}"
        self.tasks += 1
        self._ended[task.id] = {name}
        self._pending.append((name, task, texts, after))

    def flush(self, why):
        """Executes the tasks so far."""
        if not self._pending:
            return 0
        pending, self._pending = self._pending, []
        self.program.kernels.prepare(sorted({t.file for _, _, texts, _ in pending for t in texts}))
        here, used, lines = {name for name, _, _, _ in pending}, {}, []
        for name, task, texts, after in pending:
            lines.append({
                "task": name, "rank": 0, "file": str(self.program.kernels.ready(texts[0].file)), "kernel": ",".join(t.name for t in texts),
                "blocks": task.blocks, "args": self._arguments(name, task, texts, used), "after": sorted(after & here),
            })  # fmt: skip
        if why and options.verbose:
            print(f"ptogo.platform: runs {len(lines)} tasks: {why}", file=sys.stderr)
        self._run(list(used.values()), lines)
        self.parts += 1
        return 0

    def _arguments(self, name, task, texts, used):
        """The arguments of a task in a graph. The kernel with the fewest parameters determines their number."""
        values = [v for v, k in zip(task.values, task.kernels) if k >= 0]
        text, bound = min(zip(texts, values), key=lambda p: len(p[0].params))
        if len(bound) < len(text.params):
            raise PlatformError(f"task {name}: the wrapper passes {len(bound)} arguments, but kernel @{text.name} has {len(text.params)} parameters")
        args = []
        for i, (type, (pointer, bits, part)) in enumerate(zip(text.params, bound)):
            if not pointer:
                args.append({"scalar": _values.scalar(bits, type)})
                continue
            a, offset = self.arena.find(bits)
            if a is None:
                raise PlatformError(f"task {name}: argument {i} (of type {type}) points to memory that is not a tensor", "programs of several ranks are not supported")
            used[a.name] = a
            arg = {"buffer": a.name, "offset": offset}
            for address, size, tag in task.declared:
                if address == bits and tag in _ACCESS:
                    count = min(size, a.size - offset) // _elements.dtype_of(a.elem).itemsize
                    arg.update(access=_ACCESS[tag], shape=f"{count}x{a.elem}")
            if part:
                size = part * task.blocks
                arg.update(per_block=True, shape=f"{size // _elements.dtype_of(a.elem).itemsize}x{a.elem}")
            args.append(arg)
        return args

    def _run(self, buffers, tasks):
        """Runs tasks with pto-run, in the memory of the arena."""
        flags = _kernel.flags_of(check=options.check or None, timing=options.timing or None, timeout=options.timeout or None, pto_arch=self.program.target)
        with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
            path = os.path.join(folder, "graph.jsonl")
            _write(path, [{"buffer": a.name, "type": a.elem, "shared": {"file": self.arena.path, "offset": a.offset, "bytes": a.size}} for a in buffers], tasks)
            if options.graph:
                self._save(buffers, tasks)
            start = time.monotonic()
            answer = _server.server().request("tool", {"name": "pto-run", "argv": [f"--graph={path}", *_kernel.command_line(flags)]})
            self.seconds += time.monotonic() - start
        diagnostics = [Diagnostic.of(d) for d in answer.get("diagnostics", ())]
        self.report += answer.get("stdout", "")
        if answer["exit"]:
            raise error_of(answer["exit"], diagnostics, answer.get("stdout", ""))
        for d in diagnostics:
            if d.severity == "warning":
                warnings.warn(KernelWarning(str(d)), stacklevel=2)
        if options.timing:
            sys.stdout.write(answer.get("stdout", ""))

    def _save(self, buffers, tasks):
        """Writes a graph that pto-run --graph can run without this process."""
        root, ext = os.path.splitext(os.fspath(options.graph))
        path = options.graph if not self.parts else f"{root}.{self.parts}{ext}"
        data = os.path.abspath(path + ".data")
        os.makedirs(data, exist_ok=True)
        lines = []
        for a in buffers:
            np.save(f"{data}/{a.name}.npy", self.arena.view(a).view(_elements.dtype_of(a.elem)))
            lines.append({"buffer": a.name, "type": a.elem, "spec": f"in={data}/{a.name}.npy"})
        _write(path, lines, tasks)


def _write(path, buffers, tasks):
    with open(path, "w", encoding="utf-8") as file:
        for line in [{"version": 1, "ranks": 1}, *buffers, *tasks]:
            file.write(json.dumps(line) + "\n")


def load(folder, platform="a2a3sim"):
    """Loads the program in a folder that the frontend wrote, for platform a2a3sim or a5sim."""
    return Program(folder, platform)
