"""python -m ptogo graph import: launch lists from what the public orchestration writes.

The orchestration of simpler (hw-native-sys/simpler, docs/dfx/dep-gen.md and args-dump.md)
writes deps.json, which has tasks, tensors and edges, and args_dump/args_dump.json, which
has scalars and the contents of tensors. The formats have no version, so the importer
refuses keys and values that it does not know.
"""

import argparse
import ast
import gc
import json
import re
import sys
from pathlib import Path

import numpy as np

from . import _elements
from ._errors import Error
from ._graph import Graph
from ._kernel import load

_DTYPES = {
    "FLOAT32": "f32", "FLOAT16": "f16", "BFLOAT16": "bf16", "INT64": "i64", "INT32": "i32", "INT16": "i16", "INT8": "i8",
    "UINT64": "ui64", "UINT32": "ui32", "UINT16": "ui16", "UINT8": "ui8", "BOOL": "i8", "FP8E4M3FN": "f8E4M3FN",
    "FP8E8M0": "ui8", "FP4E2M1": "ui8",
}  # fmt: skip
# UNKNOWN is what the runtime writes for arguments without dependencies (NO_DEP).
_ARGUMENTS = ("INPUT", "OUTPUT", "INOUT", "OUTPUT_EXISTING", "UNKNOWN")
_ACCESS = {"INPUT": "read", "OUTPUT": "write", "INOUT": "update", "OUTPUT_EXISTING": "write"}
_SOURCES = ("explicit", "creator", "tensormap")


class _Refused(Exception):
    """A file that the importer cannot read, or does not understand."""


def main(args):
    """Runs the command and returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m ptogo graph import",
        description="Writes a launch list for pto-run --graph from what the public orchestration writes (docs/ranks.md).",
    )
    parser.add_argument("run", nargs="+", help="deps.json or its folder, one for each rank; or a folder with rank0, rank1, ...")
    parser.add_argument("-o", "--output", required=True, help="the launch list; arrays go to the folder OUTPUT.data")
    parser.add_argument("--kernels", required=True, help="the .pto file with all kernels, or a folder that has the files")
    parser.add_argument("--names", help="kernel_config.py or name_map.json, which name the kernels by number")
    parser.add_argument("--arch", help="a2, a3 or a5, for kernels that name none")
    parser.add_argument("--contents", action="store_true", help="fill buffers from args.bin; its source trusts it on a2a3 only")
    parser.add_argument("--arg", action="append", default=[], metavar="KERNEL.PARAM=SPEC", help="an argument that the files do not have: a number, comm, or another SPEC of pto-run --arg")
    parser.add_argument("--window", action="append", default=[], metavar="BUFFER", help="a buffer, such as b2, that all ranks can access")
    parser.add_argument("--outputs-in-order", action="store_true", help="assume that the outputs of a task have rising addresses")
    options = parser.parse_args(args)
    collects = gc.isenabled()
    gc.disable()  # the records have no cycles, and the search for cycles needs half of the time
    try:
        report = _Import(options).run()
    except (_Refused, OSError, Error) as e:
        print(f"python -m ptogo graph import: error: {e}", file=sys.stderr)
        return 1
    finally:
        if collects:
            gc.enable()
    print("\n".join(report))
    return 0


def _known(where, record, required, optional=()):
    """Refuses a record that misses a key or has one that is not known."""
    if not isinstance(record, dict):
        raise _Refused(f"{where}: expected an object, not {type(record).__name__}")
    for key in required:
        if key not in record:
            raise _Refused(f"{where}: the key {key!r} is missing")
    for key in record:
        if key not in required and key not in optional:
            raise _Refused(f"{where}: unknown key {key!r}: this importer does not know what it means")
    return record


def _one_of(where, value, known):
    if value not in known:
        raise _Refused(f"{where}: unknown value {value!r}: expected {', '.join(known)}")
    return value


def _read(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as e:
        raise _Refused(f"{path}: {e}") from None


class _View:
    """A tensor argument: the memory that it is in, its offset there in bytes, its elements,
    and its shape and strides in elements.

    memory is (first byte, end, element type, creator). creator is the task whose output
    the memory is, or -1: the runtime reuses addresses for the outputs of later tasks.
    """

    def __init__(self, where, memory, record):
        self.elem = _DTYPES[_one_of(where, record["dtype"].upper(), _DTYPES)]
        self.dtype = _elements.dtype_of(self.elem)
        self.shape, self.strides = list(record["shape"]), list(record["strides"])
        if len(self.shape) != len(self.strides):
            raise _Refused(f"{where}: {len(self.shape)} extents, but {len(self.strides)} strides")
        self.memory = memory
        self.start = int(record["start_offset"]) * self.dtype.itemsize

    def size(self):
        """The bytes from the first element to the end of the last."""
        if 0 in self.shape:
            return 0
        return (1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides))) * self.dtype.itemsize

    def bytes(self):
        """The offsets of all bytes, in the order of the elements."""
        at = np.zeros(1, np.int64)
        for n, s in zip(self.shape, self.strides):
            at = (at[:, None] + np.arange(n) * s).reshape(-1)
        size = self.dtype.itemsize
        return (self.start + at[:, None] * size + np.arange(size)).reshape(-1)


class _Task:
    def __init__(self, number, record, where):
        self.number, self.where = number, where
        self.ids = record["kernel_ids"]
        self.blocks = record["block_num"]
        self.after, self.views, self.scalars = set(), [], []
        self.args = record["args"]

    def runs(self):
        """Whether the task runs a kernel. Other tasks only allocate memory."""
        return any(k >= 0 for k in self.ids)

    def name(self):
        return f"{self.number >> 32}.{self.number & 0xFFFFFFFF}"


class _Rank:
    """The files of one rank."""

    def __init__(self, path, report):
        path = Path(path)
        self.path = path / "deps.json" if path.is_dir() else path
        deps = _known(self.path, _read(self.path), ("tasks", "tensors", "edges"))
        self.tensors = {}
        for i, t in enumerate(deps["tensors"]):
            where = f"{self.path}: tensors[{i}]"
            _known(where, t, ("tensor_id", "buffer_addr", "version", "dtype", "buffer_numel"))
            elem = _DTYPES[_one_of(where, t["dtype"], _DTYPES)]
            first = int(t["buffer_addr"])
            self.tensors[int(t["tensor_id"])] = first, first + int(t["buffer_numel"]) * _elements.dtype_of(elem).itemsize, elem
        self.tasks, self.order = {}, {}
        for i, t in enumerate(deps["tasks"]):
            where = f"{self.path}: tasks[{i}]"
            _known(where, t, ("task_id", "scope", "kernel_ids", "block_num", "args"), ("early_dispatch",))
            _one_of(where, t["scope"], ("auto", "manual"))
            number = int(t["task_id"])
            if number in self.tasks:
                raise _Refused(f"{where}: task {t['task_id']} exists already")
            self.tasks[number], self.order[number] = _Task(number, t, where), i
        self.created, self.creators = {}, {}  # tensors by task, and tasks by tensor
        self.users = {}  # by task, the tasks until whose end the runtime keeps its outputs
        counts = self._edges(deps["edges"])
        self._dump()
        report.append(f"{self.path}: {len(self.tasks)} tasks, {len(self.tensors)} tensors, {len(deps['edges'])} edges ({counts})")

    def _edges(self, edges):
        """Reads the edges, and returns how many there are of each source."""
        counts, unflagged, kept = dict.fromkeys(_SOURCES, 0), 0, 0
        place = ("tensor_id", "consumer_dtype", "consumer_shape", "consumer_start_offset", "consumer_strides")
        before = ("producer_shape", "producer_start_offset", "producer_strides", "overlap")
        for i, e in enumerate(edges):
            where = f"{self.path}: edges[{i}]"
            _known(where, e, ("pred", "succ", "arg", "source"), ("flags", *place, *before))
            source = _one_of(where, e["source"], _SOURCES)
            pred, succ = int(e["pred"]), int(e["succ"])
            for n in (pred, succ):
                if n not in self.tasks:
                    raise _Refused(f"{where}: there is no task {n}")
            if self.order[pred] >= self.order[succ]:
                raise _Refused(f"{where}: task {pred} was submitted after task {succ}, which depends on it")
            counts[source] += 1
            for flag in e.get("flags", ()):
                _one_of(where, flag, ("wait", "retain"))
            unflagged += "flags" not in e
            if source == "creator":
                self.created.setdefault(pred, set()).add(int(e["tensor_id"]))
                self.creators.setdefault(int(e["tensor_id"]), set()).add(pred)
            self.users.setdefault(pred, set()).add(succ)
            if "wait" not in e.get("flags", ["wait"]):
                kept += 1
                continue
            self.tasks[succ].after.add(pred)
        text = ", ".join(f"{n} {s}" for s, n in counts.items())
        if unflagged:
            text += f"; {unflagged} without flags, which are read as an order"
        if kept:
            text += f"; {kept} that only keep memory, which are left out"
        return text

    def memory(self, where, task, tensor):
        """Returns the memory of a tensor that a task reads or writes. If several tasks
        created the tensor, it is the last of them that comes before the task."""
        if tensor not in self.tensors:
            raise _Refused(f"{where}: there is no tensor {tensor}")
        before = [c for c in self.creators.get(tensor, ()) if self.order[c] < self.order[task]]
        return *self.tensors[tensor], max(before, key=self.order.get, default=-1)

    def _dump(self):
        """Reads the dump of arguments, if there is one."""
        self.dump, self.scalars, self.payload = {}, {}, None
        path = self.path.parent / "args_dump" / "args_dump.json"
        if not path.exists():
            return
        manifest = _read(path)
        _known(path, manifest, ("args", "bin_file", "dropped_records"), (
            "run_dir", "bin_format", "dump_args_level", "total_args", "before_dispatch", "after_completion", "input_args", "output_args",
            "inout_args", "truncated_args", "dropped_overwrite",
        ))  # fmt: skip
        if manifest["dropped_records"]:
            raise _Refused(f"{path}: {manifest['dropped_records']} records are lost; repeat the run with larger buffers")
        for i, a in enumerate(manifest["args"]):
            where = f"{path}: args[{i}]"
            _known(where, a, ("task_id", "arg_index", "kind", "stage", "dtype", "shape", "strides", "start_offset"), (
                "func_id", "role", "value", "is_contiguous", "numel", "arg_index_ambiguous", "bin_offset", "bin_size", "truncated", "overwritten",
            ))  # fmt: skip
            _one_of(where, a["kind"], ("tensor", "scalar"))
            _one_of(where, a["stage"], ("before_dispatch", "after_completion"))
            key = int(a["task_id"], 0), a["arg_index"]
            if key not in self.dump or a["stage"] == "before_dispatch":
                self.dump[key] = {**a, "where": where}
        for (number, _), a in sorted(self.dump.items(), key=lambda item: item[0]):
            if a["kind"] == "scalar":
                self.scalars.setdefault(number, []).append(a)
        if manifest["bin_file"]:
            self.payload = path.parent / manifest["bin_file"]


class _Import:
    def __init__(self, options):
        self.options, self.report = options, []
        self.names = _names(options.names) if options.names else {}
        self.kernels = _Kernels(options.kernels, options.arch)
        self.given = {}
        for text in options.arg:
            place, eq, spec = text.partition("=")
            if not eq or "." not in place:
                raise _Refused(f"--arg {text}: expected KERNEL.PARAM=SPEC")
            self.given[tuple(place.rsplit(".", 1))] = spec

    def run(self):
        """Writes the launch list and returns the report."""
        ranks = [_Rank(p, self.report) for p in _rank_paths(self.options.run)]
        graph = Graph(len(ranks))
        buffers = [self._buffers(r) for r in ranks]
        heaps = [self._heaps(r, b) for r, b in zip(ranks, buffers)]
        self._declare(graph, ranks, buffers, heaps)
        tasks = 0
        for number, r in enumerate(ranks):
            tasks += self._tasks(graph, number, r)
        graph.save(self.options.output)
        self.report.append(f"{self.options.output}: {tasks} tasks of {len(self.kernels.used)} kernels on {len(ranks)} rank{'s' * (len(ranks) > 1)}")
        return self.report

    def _buffers(self, rank):
        """Resolves the views of all tasks, and returns the buffers (first byte, end, element
        type) in the order of first use."""
        for t in rank.tasks.values():
            if t.runs():
                self._views(rank, t)
        ranges = sorted({v.memory for t in rank.tasks.values() for v in t.views}, key=lambda m: (m[3], m[0], -m[1]))
        buffers, place = [], {}
        for memory in ranges:
            first, end, elem, creator = memory
            if buffers and creator == buffers[-1][3] and first < buffers[-1][1]:
                buffers[-1][1] = max(buffers[-1][1], end)
            else:
                buffers.append([first, end, elem, creator])
            place[memory] = len(buffers) - 1
        used = {}
        for v in (v for t in rank.tasks.values() for v in t.views):
            own = place[v.memory]
            v.buffer = used.setdefault(own, len(used))
            v.start += v.memory[0] - buffers[own][0]
        return [buffers[i] for i in used]

    def _heaps(self, rank, buffers):
        """Returns the heap of each buffer that shares memory with others, as (number of the heap, offset, size of the heap).

        The runtime gives the memory of an output to a later output after the tasks that use the first one have ended.
        It does not record this order, which is added to the tasks here. A task that reads an output without an edge to
        its creator (NO_DEP) is not among these users.
        """
        slots = sorted((i for i, b in enumerate(buffers) if b[3] >= 0 and b[0] >= 0), key=lambda i: buffers[i][:2])
        groups, end = [], -1
        for i in slots:
            if buffers[i][0] < end:
                groups[-1].append(i)
            else:
                groups.append([i])
            end = max(end, buffers[i][1])
        heaps, waits = {}, 0
        for number, group in enumerate(g for g in groups if len(g) > 1):
            base = buffers[group[0]][0]
            size = max(buffers[i][1] for i in group) - base
            heaps.update({i: (number, buffers[i][0] - base, size) for i in group})
            used = []
            for i in sorted(group, key=lambda i: rank.order[buffers[i][3]]):
                first, end, _, creator = buffers[i]
                before = set()
                for e in used:
                    if buffers[e][0] < end and first < buffers[e][1]:
                        before |= {buffers[e][3], *rank.users.get(buffers[e][3], ())}
                before = {n for n in before if rank.order[n] < rank.order[creator]}
                rank.tasks[creator].after |= before
                waits += bool(before)
                used = [e for e in used if not (first <= buffers[e][0] and buffers[e][1] <= end)] + [i]
        if waits:
            self.report.append(f"{rank.path}: {waits} outputs have memory of earlier outputs: their tasks wait for the users of these")
        return heaps

    def _views(self, rank, task):
        """Resolves the tensor arguments of a task."""
        outputs = self._outputs(rank, task)
        for i, a in enumerate(task.args):
            where = f"{task.where}: args[{i}]"
            _known(where, a, ("idx", "type"), ("tensor_id", "dtype", "shape", "start_offset", "strides"))
            _one_of(where, a["type"], _ARGUMENTS)
            if a["idx"] != i:
                raise _Refused(f"{where}: expected idx {i}, but found {a['idx']}")
            if "tensor_id" in a:
                task.views.append(_View(where, rank.memory(where, task.number, int(a["tensor_id"])), a))
                continue
            dumped = self._dumped(rank, task, i)
            view = _View(dumped["where"], outputs.get(i), dumped)
            if view.memory is None:  # no task reads the output
                first = -(i + 1) << 48
                view.memory = first, first + view.start + view.size(), view.elem, task.number
            task.views.append(view)

    def _dumped(self, rank, task, i):
        """Returns what the dump of arguments has about an output."""
        if (task.number, i) not in rank.dump:
            raise _Refused(f"{task.where}: args[{i}]: the shape of this output is in the dump of arguments only: repeat the run with --dump-args 3")
        return rank.dump[task.number, i]

    def _outputs(self, rank, task):
        """Returns the memory of the outputs that the runtime allocates, by number of the
        argument. Tasks that read an output name the memory, but not which output it is."""
        slots = [i for i, a in enumerate(task.args) if a.get("type") == "OUTPUT" and "tensor_id" not in a]
        views = {i: _View(self._dumped(rank, task, i)["where"], None, self._dumped(rank, task, i)) for i in slots}
        created = {(*rank.tensors[n], task.number) for n in rank.created.get(task.number, ()) if n in rank.tensors}
        found = {}
        for elem, size in {(m[2], m[1] - m[0]) for m in created}:
            memory = sorted(m for m in created if (m[2], m[1] - m[0]) == (elem, size))
            fitting = [i for i, v in views.items() if v.elem == elem and v.start + v.size() == size]
            if len(fitting) < len(memory):
                raise _Refused(f"{task.where}: tasks read {len(memory)} outputs of {size} bytes, but the task has {len(fitting)}")
            if len(fitting) > 1 and not (self.options.outputs_in_order and len(fitting) == len(memory)):
                raise _Refused(f"{task.where}: the outputs {fitting} have one shape, and the files do not say which of them later tasks read: --outputs-in-order assumes rising addresses")
            found.update(zip(fitting, memory))
        return found

    def _declare(self, graph, ranks, buffers, heaps):
        """Adds the buffers, of which every rank has one with the same number and size."""
        for r, own in zip(ranks, buffers):
            if [b[1] - b[0] for b in own] != [b[1] - b[0] for b in buffers[0]]:
                raise _Refused(f"{r.path}: the buffers differ from those of {ranks[0].path} in number or size, but every rank of a launch list has the same")
        for r, own in zip(ranks, heaps):
            if own != heaps[0]:
                raise _Refused(f"{r.path}: outputs have common memory in another way than those of {ranks[0].path}, but every rank of a launch list has the same buffers")
        for number, size in sorted({(number, size) for number, _, size in heaps[0].values()}):
            graph.buffer(f"heap{number}", f"zeros=1x{size}xui8")
        total, filled = 0, 0
        for i, (first, end, elem, _) in enumerate(buffers[0]):
            name, dtype = f"b{i}", _elements.dtype_of(elem)
            count = -(-(end - first) // dtype.itemsize)
            total += end - first
            if i in heaps[0]:
                number, offset, _ = heaps[0][i]
                graph.part(name, graph.buffer_of(f"heap{number}"), offset, f"1x{max(count, 1)}x{elem}")
                continue
            arrays = [self._contents(r, i, count, dtype) for r in ranks] if self.options.contents else [None]
            if all(a is not None for a in arrays):
                filled += 1
                graph.buffer(name, arrays, elem)
            else:
                graph.buffer(name, f"zeros=1x{max(count, 1)}x{elem}")
            if name in self.options.window:
                graph._buffers[name][0]["window"] = True
        for name in self.options.window:
            if name not in graph._buffers:
                raise _Refused(f"--window {name}: there are buffers b0 to b{len(buffers[0]) - 1}")
        note = "" if filled == len(buffers[0]) else "; the others are zeros" if filled else ", all zeros"
        self.report.append(f"{len(buffers[0])} buffers of {total} bytes on each rank, {filled} with contents from args.bin{note}")

    def _contents(self, rank, buffer, count, dtype):
        """Returns what a buffer holds at first: the inputs that no earlier task writes."""
        if rank.payload is None:
            raise _Refused(f"{rank.path}: --contents needs args_dump/args.bin: repeat the run with --dump-args 2")
        data, written, found = np.zeros(count * dtype.itemsize, np.uint8), np.zeros(count * dtype.itemsize, bool), False
        payload = np.fromfile(rank.payload, np.uint8)
        for t in rank.tasks.values():
            for i, v in enumerate(t.views):
                if v.buffer != buffer:
                    continue
                places, a = v.bytes(), rank.dump.get((t.number, i))
                if t.args[i]["type"] in ("INPUT", "INOUT", "UNKNOWN") and a and a["stage"] == "before_dispatch" and a.get("bin_size"):
                    if a.get("truncated") or a.get("overwritten") or a["bin_size"] != places.size:
                        raise _Refused(f"{a['where']}: the contents are not complete")
                    fresh = ~written[places]
                    data[places[fresh]] = payload[a["bin_offset"] :][: a["bin_size"]][fresh]
                    written[places], found = True, True
                elif t.args[i]["type"] != "INPUT":
                    written[places] = True
        return data.view(dtype) if found else None

    def _tasks(self, graph, number, rank):
        """Adds the tasks of a rank and returns how many there are."""
        ended, count = {}, 0
        for n, t in rank.tasks.items():
            after = set().union(*(ended[p] for p in t.after)) if t.after else set()
            if not t.runs():
                ended[n] = after
                continue
            names = self._kernel_names(t)
            file, kernel = self.kernels.get(t.where, names)
            name = f"{'+'.join(names)}.{t.name()}"
            ended[n] = {name}
            args = self._arguments(graph, rank, t, kernel)
            graph.task(name, file, ",".join(names), args, rank=number, blocks=t.blocks, after=sorted(after))
            count += 1
        return count

    def _kernel_names(self, task):
        """Returns the kernel of a task, or those for the cube core and for the vector cores.
        A vector kernel beside a cube kernel runs on both vector cores; without a cube kernel,
        it has an entry for each vector core."""
        cube, *vector = task.ids
        vector = [k for k in vector if k >= 0]
        if cube >= 0 and len(set(vector)) == 1:
            vector = vector[:1]
        names = []
        for k in ([cube] if cube >= 0 else []) + vector:
            if k not in self.names:
                raise _Refused(f"{task.where}: no name is known for kernel {k}: --names kernel_config.py has them")
            names.append(self.names[k])
        return names

    def _arguments(self, graph, rank, task, kernel):
        """Returns the arguments of a task in the order of the parameters."""
        views = list(task.views)
        scalars = list(rank.scalars.get(task.number, ()))
        if any(a.get("arg_index_ambiguous") for a in scalars):
            raise _Refused(f"{task.where}: the dump does not say which scalar is which: repeat the run with --dump-args 2 or 3")
        pointers = sum(p.elem is not None and (kernel.name, p.name) not in self.given for p in kernel.params)
        numbers = sum(p.elem is None and (kernel.name, p.name) not in self.given for p in kernel.params)
        if (pointers, numbers) != (len(views), len(scalars)):
            missing = "" if rank.dump else "; scalars are in the dump of arguments only (--dump-args 3)"
            raise _Refused(
                f"{task.where}: kernel {kernel.signature} needs {pointers} tensors and {numbers} scalars, but the files have {len(views)} and {len(scalars)}{missing}. "
                "--arg KERNEL.PARAM=SPEC gives one that the files do not have"
            )
        args = []
        for p in kernel.params:
            spec = self.given.get((kernel.name, p.name))
            if spec is not None:
                args.append(self._given(graph, spec, p))
            elif p.elem is None:
                args.append(_scalar(scalars.pop(0)))
            else:
                v = views.pop(0)
                kind = task.args[len(task.views) - len(views) - 1]["type"]
                count = v.size() // v.dtype.itemsize
                args.append(graph.buffer_of(f"b{v.buffer}").at(v.start, f"{count}x{v.elem}" if count else None, access=_ACCESS.get(kind)))
        return args

    def _given(self, graph, spec, param):
        """Returns an argument of --arg: a scalar, or a buffer with this SPEC that all tasks share."""
        if param.elem is None:
            return spec
        return graph.buffer_of(spec) if spec in graph._buffers else graph.buffer(spec, spec, param.elem)


def _scalar(a):
    value = a.get("value")
    if value is None or isinstance(value, str):
        raise _Refused(f"{a['where']}: the value {value!r} is not a number")
    return value


class _Kernels:
    """The kernels in .pto files."""

    def __init__(self, path, arch):
        path = Path(path)
        files = sorted(path.rglob("*.pto")) if path.is_dir() else [path]
        self.files, self.arch, self.used = {}, arch, {}
        for file in files:
            for name in re.findall(r"func\.func\s+@([\w.$-]+)\s*\(", file.read_text(encoding="utf-8")):
                self.files.setdefault(name, []).append(file)

    def get(self, where, names):
        """Returns the file of the kernels of a task, and the loaded kernel."""
        key = ",".join(names)
        if key not in self.used:
            files = [set(self.files.get(n, ())) for n in names]
            for name, found in zip(names, files):
                if not found:
                    raise _Refused(f"{where}: no file of --kernels has a kernel @{name}")
            shared = set.intersection(*files)
            named = {f for f in shared if f.stem in names}
            if len(shared) > 1 and len(named) == 1:
                shared = named
            if len(shared) != 1:
                raise _Refused(f"{where}: {len(shared)} files of --kernels have the kernels {key}, but a task needs one")
            file = shared.pop()
            self.used[key] = file, load(file, kernel=key, arch=self.arch)
        return self.used[key]


def _names(path):
    """Returns the names of kernels by number. A Python file is parsed, not executed."""
    text = Path(path).read_text(encoding="utf-8")
    if str(path).endswith(".json"):
        table = _read(path)
        if "callable_id_to_name" not in table:
            raise _Refused(f"{path}: the key 'callable_id_to_name' is missing")
        return {int(k): v for k, v in table["callable_id_to_name"].items()}
    try:
        module = ast.parse(text)
    except SyntaxError as e:
        raise _Refused(f"{path}:{e.lineno}: {e.msg}") from None
    names = {}
    for node in module.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "KERNELS" for t in node.targets) and isinstance(node.value, ast.List):
            for entry in node.value.elts:
                fields = {k.value: v.value for k, v in zip(entry.keys, entry.values) if isinstance(k, ast.Constant) and isinstance(v, ast.Constant)}
                if not {"func_id", "name"} <= fields.keys():
                    raise _Refused(f"{path}:{entry.lineno}: a kernel has no func_id or no name")
                names[fields["func_id"]] = fields["name"]
    if not names:
        raise _Refused(f"{path}: there is no list KERNELS")
    return names


def _rank_paths(paths):
    """Returns the folder or file of each rank."""
    if len(paths) > 1:
        return paths
    ranks = sorted(Path(paths[0]).glob("rank[0-9]*"), key=lambda p: int(re.sub(r"\D", "", p.name)))
    if not ranks:
        return paths
    found = []
    for rank in ranks:
        runs = sorted(p.parent for p in rank.glob("**/deps.json"))
        if len(runs) != 1:
            raise _Refused(f"{rank}: there are {len(runs)} deps.json, but one launch list has one for each rank: name the folders of the ranks")
        found.append(runs[0])
    return found
