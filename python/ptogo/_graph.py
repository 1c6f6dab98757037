"""Launch lists: tasks of several ranks, with edges between them. docs/ranks.md has the format."""

import json
import os
import sys
import tempfile
import warnings

import numpy as np

from . import _elements, _kernel, _server
from ._errors import Diagnostic, KernelWarning, error_of
from ._memory import Window

VERSION = 1  # of the format


class Buffer:
    """A buffer, of which each rank has one; an argument of tasks. at gives a part of it."""

    def __init__(self, name, offset=0, shape=None, access=None, per_block=False):
        self.name, self.offset, self.shape, self.access, self.per_block = name, offset, shape, access, per_block

    def at(self, offset, shape=None, *, access=None, per_block=False):
        """The part that starts at a byte; a shape such as "16x64xf32" bounds it.

        access declares what the task does with the part: "read", "write" or "update", which
        check="race" compares with what it does. per_block divides the part among the blocks.
        """
        return Buffer(self.name, offset, shape, access, per_block)

    def _line(self):
        line = {"buffer": self.name}
        if self.offset:
            line["offset"] = self.offset
        if self.shape:
            line["shape"] = self.shape
        if self.access:
            line["access"] = self.access
        if self.per_block:
            line["per_block"] = True
        return line


class GraphResult(_kernel.Result):
    """What a run of a graph said, and the arrays that it left: result["x"][rank]."""

    def __init__(self, stdout, diagnostics, arrays):
        super().__init__(stdout, diagnostics)
        self.arrays = arrays

    def __getitem__(self, name):
        return self.arrays[name]


class Graph:
    """Tasks of several ranks. A task starts when its predecessors on its rank have ended.

        g = ptogo.Graph(ranks=2)
        x = g.buffer("x", [x0, x1])
        y = g.buffer("y", "zeros=16x64xf32")
        first = g.task("first", "kernels.pto", "scale", [x, y, 2.0], rank=0)
        g.task("second", "kernels.pto", "scale", [y, y, 3.0], rank=0, after=[first])
        result = g.run(check="all")
        result["y"][0]              # the array of rank 0
    """

    def __init__(self, ranks=1):
        self.ranks = ranks
        self._buffers, self._tasks, self._texts = {}, [], []

    def __repr__(self):
        return f"<graph of {len(self._tasks)} tasks on {self.ranks} ranks>"

    def buffer(self, name, value, type=None):
        """Adds a buffer to every rank, and returns it.

        value is a list with an array for each rank, an array of which every rank gets a
        copy, a Window of arrays, or a text in the syntax of --arg: "zeros=16x64xf32",
        "window=1x16xi32", "comm". type is the element type, which "in=FILE" needs.
        """
        if name in self._buffers:
            raise ValueError(f"buffer {name!r} is already defined")
        line = {"buffer": name}
        if isinstance(value, str):
            line["spec"] = value
            if value != "comm":
                line["type"] = type or value.rsplit("x", 1)[-1].split(",")[0]
            self._buffers[name] = line, None
            return Buffer(name)
        if isinstance(value, Window):
            line["window"], value = True, value.arrays
        each = value if isinstance(value, (list, tuple)) else [value] * self.ranks
        if len(each) != self.ranks:
            raise TypeError(f"buffer {name!r} has a list of {len(each)} for {self.ranks} ranks: it needs one for each rank")
        for rank, a in enumerate(each):
            if not isinstance(a, np.ndarray):
                raise TypeError(f"buffer {name!r} of rank {rank} takes a numpy array, not {a.__class__.__name__}")
            if a.dtype != each[0].dtype:
                raise TypeError(f"buffer {name!r} has elements {each[0].dtype} on rank 0, but {a.dtype} on rank {rank}")
        line["type"] = type or _elements.name_of(each[0].dtype)
        self._buffers[name] = line, list(each)
        return Buffer(name)

    def part(self, name, of, offset, shape):
        """Adds a buffer that is a part of another one, and returns it.

        of is the other buffer, offset a number of bytes, and shape a text such as
        "16x64xf32". Parts may have bytes in common, as slots of a heap have.
        """
        if name in self._buffers:
            raise ValueError(f"buffer {name!r} is already defined")
        self._buffers[name] = {"buffer": name, "type": shape.rsplit("x", 1)[-1], "in": of.name, "offset": offset, "shape": shape}, None
        return Buffer(name)

    def buffer_of(self, name):
        """Returns the buffer with a name."""
        if name not in self._buffers:
            raise ValueError(f"the graph has no buffer {name!r}")
        return Buffer(name)

    def task(self, name, source, kernel, args, *, rank=0, blocks=1, after=()):
        """Adds a task and returns its name.

        source is the path of a file, or the text of a program, which has more than one
        line. args are buffers, parts of buffers and numbers. after names earlier tasks of
        the same rank that must end first.
        """
        where = f"task {name!r} of rank {rank}"
        if not 0 <= rank < self.ranks:
            raise ValueError(f"{where}: there are {self.ranks} ranks, from 0")
        line = {"task": name, "rank": rank, "file": self._file(os.fspath(source)), "kernel": kernel, "blocks": blocks}
        line["args"] = [self._argument(f"{where}, argument {i}", a) for i, a in enumerate(args)]
        line["after"] = list(after)
        self._tasks.append(line)
        return name

    def _file(self, source):
        """A path as it is, or the number of a text."""
        if "\n" not in source:
            return source if source.startswith("$") else os.path.abspath(source)
        if source not in self._texts:
            self._texts.append(source)
        return self._texts.index(source)

    def _argument(self, where, a):
        if isinstance(a, Buffer):
            if a.name not in self._buffers:
                raise ValueError(f"{where} is buffer {a.name!r} of another graph")
            return a._line()
        if isinstance(a, np.ndarray):
            raise TypeError(f"{where} is an array: make a buffer of it first, graph.buffer(name, array)")
        if isinstance(a, (bool, np.bool_)):
            return {"scalar": "true" if a else "false"}
        return {"scalar": a if isinstance(a, str) else repr(a.item() if isinstance(a, np.generic) else a)}

    def save(self, path):
        """Writes the launch list to a file, with arrays and texts of programs in the folder
        PATH.data beside it."""
        path = os.fspath(path)
        self._write(path, path + ".data", ())

    def _write(self, path, folder, read):
        """Writes the launch list. Buffers in read are written to files of the folder after
        the run."""
        os.makedirs(folder, exist_ok=True)
        folder = os.path.abspath(folder)
        for i, text in enumerate(self._texts):
            with open(os.path.join(folder, f"kernels{i}.pto"), "w", encoding="utf-8") as file:
                file.write(text)
        with open(path, "w", encoding="utf-8") as file:
            lines = [{"version": VERSION, "ranks": self.ranks}]
            for i, (name, (line, arrays)) in enumerate(self._buffers.items()):
                line = dict(line)
                if arrays is not None:
                    line["spec"] = f"in={folder}/b{i}-{{rank}}.npy"
                    for rank, a in enumerate(arrays):
                        np.save(f"{folder}/b{i}-{rank}.npy", np.ascontiguousarray(a))
                if name in read:
                    line["out"] = f"{folder}/r{i}-{{rank}}.npy"
                lines.append(line)
            for line in self._tasks:
                if isinstance(line["file"], int):
                    line = {**line, "file": os.path.join(folder, f"kernels{line['file']}.pto")}
                lines.append(line)
            file.writelines(json.dumps(line) + "\n" for line in lines)

    def run(self, *, read=None, check=None, timing=None, timeout=None, max_memory=None, arch=None, **options):
        """Runs the tasks and returns a GraphResult.

        read     names of the buffers whose contents the result has; all if it is None
        check    checkers, as for kernels: "race", "all"
        timing   True predicts the time; the report is the stdout of the result
        arch     a2, a3 or a5, for kernels that name none

        timeout, max_memory and further options are those of kernels. Arrays that buffers
        were made of do not change.
        """
        wanted = [n for n, (line, _) in self._buffers.items() if line.get("spec") != "comm"] if read is None else list(read)
        for name in wanted:
            if name not in self._buffers:
                raise ValueError(f"the graph has no buffer {name!r}")
        flags = _kernel.flags_of(check=check, timing=timing, timeout=timeout, max_memory=max_memory, pto_arch=arch, **options)
        with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
            path = os.path.join(folder, "graph.jsonl")
            self._write(path, folder, wanted)
            answer = _server.server().request("tool", {"name": "pto-run", "argv": [f"--graph={path}", *_kernel.command_line(flags)]})
            diagnostics = [Diagnostic.of(d) for d in answer.get("diagnostics", ())]
            if answer["exit"]:
                raise error_of(answer["exit"], diagnostics, answer.get("stdout", ""))
            arrays = {name: self._read(folder, name) for name in wanted}
        for d in diagnostics:
            if d.severity == "warning":
                warnings.warn(KernelWarning(str(d)), stacklevel=3)
        stdout = answer.get("stdout", "")
        if stdout and not timing:
            sys.stdout.write(stdout)
        return GraphResult(stdout, diagnostics, arrays)

    def _read(self, folder, name):
        """The arrays of a buffer after a run, one for each rank."""
        i = list(self._buffers).index(name)
        line, arrays = self._buffers[name]
        dtype = _elements.dtype_of(line["type"])
        found = [np.load(f"{folder}/r{i}-{rank}.npy").view(dtype if arrays is None else arrays[rank].dtype) for rank in range(self.ranks)]
        return found if arrays is None else [f.reshape(a.shape) for f, a in zip(found, arrays)]


def graph(path):
    """Reads a launch list, a file in the format of pto-run --graph, as a Graph."""
    path = os.fspath(path)
    g, folder = None, os.path.dirname(os.path.abspath(path))
    with open(path, encoding="utf-8-sig") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                line = json.loads(text)
                g = _add(g, line, folder)
            except (ValueError, KeyError, TypeError, AttributeError) as e:
                raise ValueError(f"{path}:{number}: {e}") from None
    if g is None:
        raise ValueError(f"{path}: the file is empty")
    return g


def _add(g, line, folder):
    """Adds a line of a file to a graph, or makes the graph of the first."""
    if g is None:
        if line.get("version") != VERSION:
            raise ValueError(f'the first line must be {{"version": {VERSION}, "ranks": N}}')
        return Graph(line["ranks"])
    if "task" in line:
        file = line["file"]
        if not file.startswith("$"):
            file = os.path.join(folder, file)
        g._tasks.append({**line, "file": file})
    elif "buffer" in line:
        line.pop("out", None)
        g._buffers[line["buffer"]] = line, None
    else:
        raise ValueError("expected the definition of a buffer or of a task")
    return g
