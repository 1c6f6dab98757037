"""Launch lists from the files of the public orchestration. The files here are written by
the test, in the documented form."""

import json
import re
from pathlib import Path

import numpy as np
import ptogo
import pytest
from ptogo import _graph_import

KERNELS = Path(__file__).parents[2] / "test/lit/ranks/graph.pto"
A, B, D = "1001", "1002", "1004"  # tensors that exist before the run
C = "1003"  # what two tasks create, at one address
SIZE = 64


def view(tensor, offset=0):
    return {"tensor_id": tensor, "dtype": "FLOAT32", "shape": [SIZE], "start_offset": str(offset), "strides": [1]}


def task(number, kernel, args, blocks=1):
    args = [{"idx": i, "type": kind, **(view(*place) if place else {})} for i, (kind, *place) in enumerate(args)]
    return {"task_id": str(number), "scope": "auto", "early_dispatch": False, "kernel_ids": [-1, kernel, -1], "block_num": blocks, "args": args}


def edge(pred, succ, source, tensor=None, arg=-1, flags=("wait", "retain")):
    e = {"pred": str(pred), "succ": str(succ), "arg": arg, "source": source, "flags": list(flags)}
    if tensor:
        e.update(tensor_id=tensor, consumer_dtype="FLOAT32", consumer_shape=[SIZE], consumer_start_offset="0", consumer_strides=[1])
    return e


def deps():
    """d[0] = 2 * (a + b), then d[1] = 3 * (b + b); the sums are created at one address."""
    ring = 1 << 32
    return {
        "tasks": [
            {"task_id": "0", "scope": "auto", "kernel_ids": [-1, -1, -1], "block_num": 1, "args": []},
            task(ring, 0, [("INPUT", A), ("INPUT", B), ("OUTPUT",)]),
            task(ring + 1, 1, [("INPUT", C), ("OUTPUT_EXISTING", D)]),
            task(ring + 2, 0, [("INPUT", B), ("INPUT", B), ("OUTPUT",)]),
            task(ring + 3, 1, [("INPUT", C), ("OUTPUT_EXISTING", D, SIZE)]),
        ],
        "tensors": [
            {"tensor_id": n, "buffer_addr": str(address), "version": 0, "dtype": "FLOAT32", "buffer_numel": str(size)}
            for n, address, size in [(A, 4096, SIZE), (B, 8192, SIZE), (C, 16384, SIZE), (D, 12288, 2 * SIZE)]
        ],
        "edges": [
            edge(0, ring, "explicit"),
            edge(ring, ring + 1, "creator", C, 0),
            edge(ring + 2, ring + 3, "creator", C, 0),
            edge(ring + 1, ring + 3, "tensormap", D, 1, ["retain"]),
        ],
    }


def dump():
    ring = 1 << 32

    def record(n, i, **rest):
        base = {"task_id": f"0x{ring + n:016x}", "func_id": [n % 2], "role": "input", "stage": "before_dispatch", "arg_index": i}
        return {**base, "kind": "tensor", "dtype": "float32", "shape": [SIZE], "strides": [1], "start_offset": 0, **rest}

    args = [record(n, 2, role="output", stage="after_completion") for n in (0, 2)]
    args += [record(n, 2, kind="scalar", dtype="float32", shape=[], strides=[], value=v) for n, v in ((1, 2.0), (3, 3.0))]
    args += [record(0, i, bin_offset=4 * SIZE * i, bin_size=4 * SIZE) for i in (0, 1)]
    return {"run_dir": "args_dump", "dump_args_level": 2, "dropped_records": 0, "bin_file": "args.bin", "args": args}


CONFIG = """
from pathlib import Path
raise SystemExit("this file must not be executed")
KERNELS = [
	{"func_id": 0, "name": "add", "source": str(Path("x") / "add.cpp"), "core_type": "aiv"},
	{"func_id": 1, "name": "scale", "source": str(Path("x") / "scale.cpp"), "core_type": "aiv"},
]
"""


def write(folder, graph, manifest):
    (folder / "args_dump").mkdir(parents=True, exist_ok=True)
    (folder / "deps.json").write_text(json.dumps(graph))
    (folder / "args_dump/args_dump.json").write_text(json.dumps(manifest))
    np.concatenate([np.full(SIZE, 1, np.float32), np.full(SIZE, 2, np.float32)]).tofile(folder / "args_dump/args.bin")


@pytest.fixture
def run(tmp_path, capsys):
    (tmp_path / "kernel_config.py").write_text(CONFIG)

    def run(graph=None, manifest=None, *options):
        write(tmp_path, graph or deps(), manifest or dump())
        out = tmp_path / "list.jsonl"
        code = _graph_import.main([str(tmp_path), "-o", str(out), "--kernels", str(KERNELS), "--names", str(tmp_path / "kernel_config.py"), *options])
        said = capsys.readouterr()
        return code, said.out + said.err, out

    return run


def test_import_and_run(run):
    code, said, out = run(None, None, "--contents")
    assert code == 0, said
    assert "5 tasks, 4 tensors, 4 edges (1 explicit, 2 creator, 1 tensormap; 1 that only keep memory, which are left out)" in said
    assert "5 buffers of 1536 bytes on each rank, 2 with contents from args.bin; the others are zeros" in said
    assert "4 tasks of 2 kernels on 1 rank\n" in said
    result = ptogo.graph(out).run(check="all")
    assert (result["b3"][0].reshape(2, SIZE) == [[6], [12]]).all()
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["after"] for line in lines if "task" in line] == [[], ["add.1.0"], ["add.1.0", "scale.1.1"], ["add.1.2"]]
    assert "1 outputs have memory of earlier outputs: their tasks wait for the users of these" in said
    assert [(line["in"], line["offset"]) for line in lines if "in" in line] == [("heap0", 0)] * 2


def test_memory_that_is_used_again(run):
    """A task that reads an output without an edge to its creator may read the output that follows in memory."""
    graph, manifest = deps(), dump()
    number = (1 << 32) + 4
    graph["tasks"].insert(3, task(number, 1, [("UNKNOWN", C), ("OUTPUT_EXISTING", D, 2 * SIZE)]))  # before the task that gets the memory
    graph["tensors"][3]["buffer_numel"] = str(3 * SIZE)
    graph["edges"].append(edge(1 << 32, number, "explicit", flags=["wait"]))
    manifest["args"].append({**manifest["args"][2], "task_id": f"0x{number:016x}"})
    kept = json.dumps(graph)
    graph["edges"].pop()
    code, said, out = run(graph, manifest)
    assert code == 0, said
    with pytest.raises(ptogo.CheckFailed, match="may overwrite what task scale.1.4 still reads") as e:
        ptogo.graph(out).run(check="race")
    assert 'add "scale.1.4" to "after" of task add.1.2' in str(e.value)
    code, said, out = run(json.loads(kept), manifest)
    assert code == 0, said
    ptogo.graph(out).run(check="race")


def test_edges_without_flags_are_an_order(run):
    graph = deps()
    for e in graph["edges"]:
        del e["flags"]
    code, said, out = run(graph)
    assert code == 0 and "4 without flags, which are read as an order" in said and "all zeros" in said
    assert '"after": ["add.1.2", "scale.1.1"]' in out.read_text()


def test_vector_kernels(run):
    """One kernel, or two, on the two vector cores of a block."""
    for ids, kernel in [([-1, 1, 1], "scale,scale"), ([-1, 1, -1], "scale")]:
        code, said, out = run(*changed(("deps", "tasks", 2, "kernel_ids"), ids))
        assert code == 0, said
        assert f'"kernel": "{kernel}", "blocks": 1' in out.read_text()
    code, said, out = run(*changed(("deps", "tasks", 3, "kernel_ids"), [-1, 0, 0]))
    assert code == 0 and '"kernel": "add,add"' in out.read_text(), said


def test_declarations(run):
    """What a task declares is compared with what it accesses; NO_DEP, which the runtime writes as UNKNOWN, declares nothing."""
    for kind, message in [("INPUT", 'task scale.1.1 declares it as "read"'), ("UNKNOWN", ""), ("INOUT", "")]:
        code, said, out = run(*changed(("deps", "tasks", 2, "args", 1, "type"), kind))
        assert code == 0, said
        if message:
            with pytest.raises(ptogo.CheckFailed, match=message):
                ptogo.graph(out).run(check="race")
        else:
            ptogo.graph(out).run(check="race")


def test_ranks(run, tmp_path):
    for rank in range(2):
        write(tmp_path / f"rank{rank}/d0", deps(), dump())
    code, said, out = run(None, None, "--window", "b3")
    assert code == 0, said
    code = _graph_import.main([str(tmp_path), "-o", str(out), "--kernels", str(KERNELS), "--names", str(tmp_path / "kernel_config.py"), "--contents", "--window", "b3"])
    assert code == 0
    result = ptogo.graph(out).run(check="all")
    assert all((x.reshape(2, SIZE) == [[6], [12]]).all() for x in result["b3"]) and len(result["b3"]) == 2


def changed(place, value):
    """deps() or dump() with a value at a place."""
    graph, manifest = deps(), dump()
    at = {"deps": graph, "dump": manifest}[place[0]]
    for key in place[1:-1]:
        at = at[key]
    at[place[-1]] = value
    return graph, manifest


@pytest.mark.parametrize("place, value, message", [
    (("deps", "version"), 2, "deps.json: unknown key 'version': this importer does not know what it means"),
    (("deps", "tasks", 1, "priority"), 2, r"tasks\[1\]: unknown key 'priority'"),
    (("deps", "tensors", 0, "dtype"), "FLOAT8", r"tensors\[0\]: unknown value 'FLOAT8': expected FLOAT32"),
    (("deps", "edges", 1, "source"), "barrier", r"edges\[1\]: unknown value 'barrier': expected explicit, creator, tensormap"),
    (("deps", "edges", 1, "flags"), ["wait", "early"], r"edges\[1\]: unknown value 'early'"),
    (("deps", "edges", 1, "pred"), "7", r"edges\[1\]: there is no task 7"),
    (("deps", "edges", 0, "succ"), "0", r"edges\[0\]: task 0 was submitted after task 0"),
    (("deps", "tasks", 1, "kernel_ids"), [-1, 5, -1], r"tasks\[1\]: no name is known for kernel 5"),
    (("deps", "tasks", 1, "kernel_ids"), [-1, 1, -1], r"kernel scale\(.*\) needs 2 tensors and 1 scalars, but the files have 3 and 0"),
    (("deps", "tensors", 2, "buffer_numel"), "128", r"tasks\[1\]: tasks read 1 outputs of 512 bytes, but the task has 0"),
    (("dump", "args"), [], r"tasks\[1\]: args\[2\]: the shape of this output is in the dump of arguments only"),
    (("dump", "dropped_records"), 3, "3 records are lost"),
    (("dump", "args", 2, "value"), "$Inf", "the value '\\$Inf' is not a number"),
    (("dump", "args", 0, "stage"), "later", r"args\[0\]: unknown value 'later'"),
])
def test_what_is_not_understood_is_refused(run, place, value, message):
    code, said, _ = run(*changed(place, value))
    assert code == 1
    assert re.search(message, said), said


def test_arguments_that_the_files_do_not_have(run):
    graph, manifest = deps(), dump()
    manifest["args"] = [a for a in manifest["args"] if a["kind"] == "tensor"]
    code, said, _ = run(graph, manifest)
    assert code == 1 and "--arg KERNEL.PARAM=SPEC gives one" in said
    code, said, out = run(graph, manifest, "--arg", "scale.by=2.0")
    assert code == 0 and '{"scalar": "2.0"}' in out.read_text(), said
