"""A run: the tasks that orchestrations submitted, on one or several ranks, and the memory of their tensors."""

import json
import os
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

from .. import _elements, _kernel, _server
from .._errors import Diagnostic, KernelWarning, error_of
from . import _arena, _record, _reference, _values
from ._errors import PlatformError
from ._options import options

# How tasks declare their arguments (TensorArgType of the runtime), and the words of graphs for it.
_ACCESS = {0: "read", 1: "write", 2: "update", 3: "write"}

# The cores of a chip, which an orchestration can ask the runtime for: cube cores, vector cores.
_CORES = {"a3": (24, 48), "a5": (36, 72)}


class Pending:
    """A task that is recorded but not executed."""

    def __init__(self, name, order, rank, program, task, texts, after):
        self.name, self.order, self.rank, self.program, self.task, self.texts, self.after = name, order, rank, program, task, texts, after


class Session:
    """The tasks so far of all ranks, which flush executes as one graph.

    Each rank has an arena with its tensors. A program that a rank records waits in flush
    until the tasks of all ranks are executed, because tasks of several ranks can wait for
    signals of each other.
    """

    def __init__(self, target, ranks=1, outer=()):
        self.target, self.ranks = target, ranks
        self.clusters, self.vectors = _CORES[target]
        self.arenas = _arena.arenas(ranks)
        for a, b in zip(self.arenas, outer):
            a.outer = b
        self.tasks, self.parts, self.seconds, self.report = 0, 0, 0.0, ""
        # The first task with a wrong output; how many were compared; kernels without a reference.
        self._wrong, self._compared, self._without = "", 0, {}
        self._pending = []
        self._queues, self._submitted = [[] for _ in range(ranks)], 0
        # The tasks of each rank that no later task of the same program follows: a rank
        # executes one program after the other.
        self._last = [set() for _ in range(ranks)]
        self._turns = None
        self.rings = {}  # sizes that a call configures

    def __repr__(self):
        size = sum(a.used for a in self.arenas) >> 20
        on = f" on {self.ranks} ranks" if self.ranks > 1 else ""
        return f"{self.tasks} tasks in {self.parts} part{'s' * (self.parts != 1)}{on}, {size} MiB, {self.seconds:.1f} s in pto-run"

    def close(self):
        _arena.close(self.arenas)

    # Recording

    def submit(self, rank, program, tensors, scalars):
        """Adds an execution of a program on a rank, for drain. tensors are (allocation, offset, bytes, shape, dtype)."""
        self._queues[rank].append((self._submitted, program, tensors, scalars))
        self._submitted += 1

    def drain(self):
        """Executes all programs that were submitted."""
        queues, self._queues = self._queues, [[] for _ in range(self.ranks)]
        busy = [rank for rank, queue in enumerate(queues) if queue]
        if len(busy) == 1:
            self._record(busy[0], queues[busy[0]])
        elif busy:
            self._turns = _Turns()
            try:
                self._turns.run([lambda rank=rank: self._record(rank, queues[rank]) for rank in busy], self._flush)
            finally:
                self._turns = None
        self._flush("")

    def _record(self, rank, queue):
        """Records the tasks of programs on a rank."""
        for order, program, tensors, scalars in queue:
            recording = _Recording(self, order, rank, program)
            described = []
            for i, (a, offset, size, shape, dtype) in enumerate(tensors):
                if len(shape) > _record.MAX_DIMS:
                    raise PlatformError(f"tensor {i} has {len(shape)} dimensions", f"the runtime has at most {_record.MAX_DIMS}")
                described.append((a.address + offset, size, shape, dtype))
            error = program.recorder.record(recording, described, scalars)
            if error:
                raise PlatformError(f"the orchestration {program.manifest.orchestration.name} failed: {error}")
            self._last[rank] = recording.last or self._last[rank]

    def add(self, recording, task, texts, after):
        """Adds a task that flush executes, and returns its name."""
        name = f"{texts[0].name}.{self.tasks}"
        self.tasks += 1
        if not after:
            after = self._last[recording.rank]
        self._pending.append(Pending(name, recording.order, recording.rank, recording.program, task, texts, after))
        return name

    def flush(self, why):
        """Executes the tasks so far, for the orchestration that calls it."""
        if self._turns:
            self._turns.wait()
        else:
            self._flush(why)

    # Execution

    def _flush(self, why):
        pending, self._pending = sorted(self._pending, key=lambda p: p.order), []
        if options.reference and not self._wrong:
            if self.ranks > 1:
                raise PlatformError("--reference runs each task alone, but the tasks of several ranks wait for each other", "run the model without --reference")
            while pending and not self._wrong:
                self._compare(pending.pop(0))
        if pending:
            self._execute(pending, why)

    def _compare(self, p):
        """Runs a task alone, and compares its outputs with the reference of the frontend."""
        arena, dtypes, task = self.arenas[p.rank], p.program.recorder.dtypes, p.task
        references = p.program.references()
        expected = problem = None
        try:
            expected = [t.clone() for t in _reference.tensors(task, arena, dtypes)]
        except (KeyError, RuntimeError) as e:
            problem = e
        old = [t.clone() for t in expected] if expected and len(p.texts) > 1 else None
        before = [(arena.find(v[0])[0], arena.view(arena.find(v[0])[0]).copy()) for v in task.views] if expected else []
        self._execute([p], "")
        if expected is None:
            self._without[p.texts[0].name] = problem
            return
        try:
            references.run([t.name for t in p.texts], task.blocks, expected, task.scalars)
        except Exception as e:  # the frontend has no code for some operations
            self._without[p.texts[0].name] = e
            return
        self._compared += 1
        tags = [tag for _, _, tag in task.declared]
        limit = _reference.tolerance(expected)
        for i, (actual, right) in enumerate(zip(_reference.tensors(task, arena, dtypes), expected)):
            if old and _reference.same(right, old[i]):
                continue  # cores pass tiles through this tensor, which the reference does otherwise
            text = _ACCESS.get(tags[i]) in ("write", "update") and _reference.difference(f"tensor {i}", actual, right, limit)
            if text:
                self._wrong = f"task {p.name} is the first whose output differs from the frontend's reference; {text}"
                after = [(a, arena.view(a).copy()) for a, _ in before]
                for a, data in before:
                    arena.view(a)[:] = data
                path = self._save(*self._lines([p]), f"{os.path.splitext(os.fspath(options.graph or 'wrong.jsonl'))[0]}.{p.name}.jsonl")
                for a, data in after:
                    arena.view(a)[:] = data
                print(f"ptogo.platform: {self._wrong}\n  pto-run --graph {path} runs this task alone", file=sys.stderr)
                return

    def end(self):
        """Reports what was compared."""
        if options.reference:
            text = self._wrong or "no output differs from the frontend's reference"
            print(f"ptogo.platform: {self._compared} of {self.tasks} tasks compared: {text}", file=sys.stderr)
            for name, why in self._without.items():
                text = str(why.args[0] if why.args else why).strip() or repr(why)
                print(f"  no reference for {name}: {text.splitlines()[-1]}", file=sys.stderr)

    def _execute(self, pending, why):
        """Runs tasks as one graph."""
        used, lines = self._lines(pending)
        if why and options.verbose:
            print(f"ptogo.platform: runs {len(lines)} tasks: {why}", file=sys.stderr)
        if options.graph:
            root, ext = os.path.splitext(os.fspath(options.graph))
            self._save(used, lines, options.graph if not self.parts else f"{root}.{self.parts}{ext}")
        self._run(used, lines)
        self.parts += 1

    def _lines(self, pending):
        """The buffers and the lines of a graph with these tasks."""
        for kernels in {id(p.program): p.program.kernels for p in pending}.values():
            kernels.prepare(sorted({t.file for p in pending if p.program.kernels is kernels for t in p.texts}))
        here, used, lines = {(p.rank, p.name) for p in pending}, {}, []
        for p in pending:
            lines.append({
                "task": p.name, "rank": p.rank, "file": str(p.program.kernels.ready(p.texts[0].file)), "kernel": ",".join(t.name for t in p.texts),
                "blocks": p.task.blocks, "args": self._arguments(p, used), "after": sorted(n for n in p.after if (p.rank, n) in here),
                "scope": [p.order, *p.task.scopes[1:]], "heap": p.task.heap,  # each execution of a program has rings of its own
            })  # fmt: skip
        if any(a.kind == "comm" for a in used.values()):  # a context has addresses of windows
            used.update({a.name: a for a in self.arenas[0].all if a.kind == "window"})
        return list(used.values()), lines

    def _arguments(self, p, used):
        """The arguments of a task in a graph. The kernel with the fewest parameters determines their number."""
        arena, task = self.arenas[p.rank], p.task
        plain = [(True, v[0], 0) for v in task.views] + [(arena.find(s)[0] is not None, s, 0) for s in task.scalars]
        values = [v or plain for v, k in zip(task.values, task.kernels) if k >= 0]  # a kernel in C++ has the arguments of the task
        text, bound = min(zip(p.texts, values), key=lambda both: len(both[0].params))
        if len(bound) < len(text.params):
            raise PlatformError(f"task {p.name}: the wrapper passes {len(bound)} arguments, but kernel @{text.name} has {len(text.params)} parameters")
        args = []
        for i, (type, (pointer, bits, part)) in enumerate(zip(text.params, bound)):
            if not pointer:
                args.append({"scalar": _values.scalar(bits, type)})
                continue
            a, offset = arena.find(bits)
            if a is None:
                raise PlatformError(f"task {p.name}: argument {i} (of type {type}) points to memory that is not a tensor of rank {p.rank}")
            used[a.name] = a
            arg = {"buffer": a.name, "offset": offset}
            for address, size, tag in task.declared:
                if address == bits and tag in _ACCESS and a.kind == "tensor":
                    count = min(size, a.size - offset) // _elements.dtype_of(a.elem).itemsize
                    arg.update(access=_ACCESS[tag], shape=f"{count}x{a.elem}")
            if part:
                size = part * task.blocks
                arg.update(per_block=True, shape=f"{size // _elements.dtype_of(a.elem).itemsize}x{a.elem}")
            args.append(arg)
        return args

    def _run(self, buffers, tasks):
        """Runs tasks with pto-run, in the memory of the arenas."""
        flags = _kernel.flags_of(check=options.check or None, timing=options.timing or None, timeout=options.timeout or None, pto_arch=self.target)
        with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
            path = os.path.join(folder, "graph.jsonl")
            _write(path, self.ranks, self.rings, [self._line(a) for a in buffers], tasks)
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

    def _line(self, a):
        """The line of a graph for a buffer."""
        if a.kind == "comm":
            return {"buffer": a.name, "type": "i64", "spec": f"comm={','.join(map(str, a.members))}"}
        shared = {"file": _arena.pattern(a.arena.group), "offset": a.offset, "bytes": a.size, "slack": a.slack}
        line = {"buffer": a.name, "type": a.elem, "shared": shared}
        if a.kind == "window":
            line["window"] = True
        return line

    def _save(self, buffers, tasks, path):
        """Writes a graph that pto-run --graph can run without this process, and returns its path."""
        data = os.path.abspath(path + ".data")
        os.makedirs(data, exist_ok=True)
        rank = "{rank}" if self.ranks > 1 else ""
        lines = []
        for a in buffers:
            if a.kind == "comm":
                lines.append(self._line(a))
                continue
            for i, arena in enumerate(self.arenas):
                np.save(f"{data}/{a.name}{i if rank else ''}.npy", arena.view(a).view(_elements.dtype_of(a.elem)))
            lines.append({"buffer": a.name, "type": a.elem, "spec": f"in={data}/{a.name}{rank}.npy"})
            if a.kind == "window":
                lines[-1]["window"] = True
        _write(path, self.ranks, self.rings, lines, tasks)
        return path


class _Recording:
    """What an orchestration does on a rank while it is recorded: the host of recorder.cpp."""

    def __init__(self, session, order, rank, program):
        self.session, self.order, self.rank, self.program = session, order, rank, program
        self.clusters, self.vectors = session.clusters, session.vectors
        self.last = set()
        self._ended = {}  # for each task the tasks that a successor must wait for
        self._allocated = {}  # for each scope the bytes that tasks without a kernel allocate

    def allocate(self, size, dtype):
        return self.session.arenas[self.rank].allocate(size, _values.ELEMENTS.get(dtype, "ui8")).address

    def log(self, level, function, text):
        if level >= 3 or options.verbose:
            print(f"{function}: {text}", file=sys.stderr)

    def flush(self, why):
        self.session.flush(why)
        return 0

    def task(self, task):
        """Adds a task. A task without a kernel only passes on what it waits for, and the memory that it allocates."""
        after = set().union(*(self._ended.get(p, ()) for p in task.after))
        ids = [k for k in task.kernels if k >= 0]
        scope = tuple(task.scopes)
        task.heap += self._allocated.pop(scope, 0)
        if not ids:
            self._allocated[scope] = task.heap
            self._ended[task.id] = after
            return
        for k in ids:
            if k not in self.program.manifest.kernels:
                raise PlatformError(f"a task starts kernel {k}, which kernel_config.py does not list")
        arena, dtypes = self.session.arenas[self.rank], self.program.recorder.dtypes
        texts = [self.program.kernels.get(self.program.manifest.kernels[k], task.views, task.scalars, lambda s: arena.find(s)[0] is not None, dtypes) for k in ids]
        if any(t.file != texts[0].file for t in texts):
            raise PlatformError(f"kernels {', '.join(t.name for t in texts)} run together but are in several .pto files")
        if len({k for k in ids}) == 2 and len(ids) == 3:  # one kernel on both vector cores, beside a cube kernel
            texts = texts[:2]
        name = self.session.add(self, task, texts, after)
        self._ended[task.id] = {name}
        self.last = self.last - after | {name}


class _Turns:
    """Runs functions in threads, one at a time. When all wait or have ended, the caller's step runs."""

    def __init__(self):
        self._lock = threading.Condition()
        self._turn, self._failed = None, False

    def run(self, functions, step):
        states, errors = ["ready"] * len(functions), []

        def start(i):
            self._await(i)
            try:
                functions[i]()
            except BaseException as e:  # raised in the caller's thread
                errors.append(e)
            states[i] = "ended"
            self._pass(None)

        threads = [threading.Thread(target=start, args=(i,), daemon=True) for i in range(len(functions))]
        for t in threads:
            t.start()
        while any(s != "ended" for s in states):
            for i, state in enumerate(states):
                if state == "ready":
                    self._states, self._current = states, i
                    self._pass(i)
                    self._await(None)
            if not errors and any(s == "waits" for s in states):
                try:
                    step("an orchestration needs a result")
                except BaseException as e:  # the threads have to end first
                    errors.append(e)
            self._failed = bool(errors)
            states[:] = ["ready" if s == "waits" else s for s in states]
        for t in threads:
            t.join()
        if errors:
            raise errors[0]

    def wait(self):
        """Lets the other functions run, and then the caller's step."""
        i = self._current
        self._states[i] = "waits"
        self._pass(None)
        self._await(i)
        if self._failed:
            raise PlatformError("another rank failed")

    def _pass(self, turn):
        with self._lock:
            self._turn = turn
            self._lock.notify_all()

    def _await(self, turn):
        with self._lock:
            self._lock.wait_for(lambda: self._turn == turn)


def _write(path, ranks, rings, buffers, tasks):
    with open(path, "w", encoding="utf-8") as file:
        for line in [{"version": 1, "ranks": ranks, "rings": {**_rings(), **rings}}, *buffers, *tasks]:
            file.write(json.dumps(line) + "\n")


# The sizes of the rings of the runtime: as keys of graphs, as variables, and as fields of the settings of a call.
_RINGS = (
    ("window", "PTO2_RING_TASK_WINDOW", "ring_task_window"),
    ("heap", "PTO2_RING_HEAP", "ring_heap"),
    ("dependencies", "PTO2_RING_DEP_POOL", "ring_dep_pool"),
)


def _rings():
    """The sizes of the rings that the variables of the runtime state. Lists with a size for each depth are left out."""
    return {key: int(os.environ[name]) for key, name, _ in _RINGS if os.environ.get(name, "").isdecimal()}


def configured(environment):
    """The sizes of the rings in the settings runtime_env of a call. 0 means that the call does not state the size."""
    sizes = {key: getattr(environment, field, 0) for key, _, field in _RINGS}
    return {key: n for key, n in sizes.items() if isinstance(n, int) and n > 0}
