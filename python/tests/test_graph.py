"""Launch lists that Python builds, reads and runs."""

from pathlib import Path

import numpy as np
import ptogo
import pytest

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "test/lit/ranks/graph.pto"


def build(a, b, after=("add",)):
    """The graph of test/lit/ranks without its last tasks."""
    g = ptogo.Graph(ranks=2)
    a, b, c = g.buffer("a", a), g.buffer("b", b), g.buffer("c", "zeros=2x64xf32")
    for rank in range(2):
        g.task("add", KERNELS, "add", [a, b.at(0, "1x64xf32"), c], rank=rank)
        g.task("double", KERNELS, "scale", [c, c, 2.0], rank=rank, after=after)
        g.task("second", KERNELS.read_text(), "scale", [c, c.at(256), np.float32(2)], rank=rank, after=["double"])
    return g


def inputs():
    return [np.full((2, 64), 1 + r, np.float32) for r in range(2)], np.full((2, 64), 2, np.float32)


def check(result):
    for rank, first in enumerate((6, 8)):
        assert (result["c"][rank] == [[first], [2 * first]]).all() and result["c"][rank].shape == (2, 64)


def test_build_and_run():
    a, b = inputs()
    result = build(a, b).run(check="all")
    check(result)
    assert (result["a"][1] == 2).all() and (result["b"][1] == 2).all() and (a[1] == 2).all()
    result = build(a, b).run(read=["c"], timing=True)
    assert list(result.arrays) == ["c"] and "us for 6 tasks on 2 chips" in result.stdout
    assert repr(build(a, b)) == "<graph of 6 tasks on 2 ranks>"


def test_save_and_read(tmp_path):
    build(*inputs()).save(tmp_path / "g.jsonl")
    g = ptogo.graph(tmp_path / "g.jsonl")
    check(g.run())
    (tmp_path / "bad.jsonl").write_text('{"version": 1, "ranks": 2}\n{"buffer": "x"\n')
    with pytest.raises(ValueError, match="bad.jsonl:2: "):
        ptogo.graph(tmp_path / "bad.jsonl")
    (tmp_path / "bad.jsonl").write_text('{"version": 2, "ranks": 2}\n')
    with pytest.raises(ValueError, match=r'bad.jsonl:1: the first line must be {"version": 1'):
        ptogo.graph(tmp_path / "bad.jsonl")


def test_missing_edge_is_a_race():
    with pytest.raises(ptogo.CheckFailed, match="no edge orders task add and task double of rank 0"):
        build(*inputs(), after=()).run(check="race")


def test_windows_and_contexts():
    """The ring all-reduce as a graph with one task for each rank."""
    g = ptogo.Graph(ranks=2)
    inp, out = g.buffer("inp", [np.ones((8, 64), np.float32), np.full((8, 64), 2, np.float32)]), g.buffer("out", "zeros=8x64xf32")
    data = g.buffer("data", ptogo.Window([np.zeros((8, 64), np.float32) for _ in range(2)]))
    signal, ctx = g.buffer("signal", "window=1x16xi32"), g.buffer("ctx", "comm")
    for rank in range(2):
        g.task("sum", ROOT / "examples/ranks/all_reduce.pto", "all_reduce", [inp, out, data, signal, ctx], rank=rank)
    result = g.run(check="all")
    assert all((x[:2] == 3).all() for x in result["out"]) and result["signal"][1][0, 0] == 2 and "ctx" not in result.arrays


def test_wrong_graphs_name_rank_and_argument():
    a, b = inputs()
    g = ptogo.Graph(ranks=2)
    with pytest.raises(TypeError, match="buffer 'a' has a list of 3 for 2 ranks"):
        g.buffer("a", [b, b, b])
    with pytest.raises(TypeError, match="buffer 'a' has elements float32 on rank 0, but float64 on rank 1"):
        g.buffer("a", [b, b.astype(float)])
    x = g.buffer("a", a)
    with pytest.raises(ValueError, match="buffer 'a' is already defined"):
        g.buffer("a", a)
    with pytest.raises(ValueError, match="task 'add' of rank 2: there are 2 ranks"):
        g.task("add", KERNELS, "add", [x, x, x], rank=2)
    with pytest.raises(TypeError, match="task 'add' of rank 1, argument 2 is an array"):
        g.task("add", KERNELS, "add", [x, x, b], rank=1)
    with pytest.raises(ValueError, match="argument 0 is buffer 'c' of another graph"):
        g.task("add", KERNELS, "add", [ptogo.Buffer("c"), x, x])
    with pytest.raises(ValueError, match="no buffer 'z'"):
        g.run(read=["z"])
    g.task("scale", KERNELS, "scale", [x, x, x], rank=1)
    with pytest.raises(ptogo.CompileError, match=r"task scale of rank 1: argument 2 \(%by\): the parameter is a scalar"):
        g.run()
    small = ptogo.Graph(ranks=2)
    x = small.buffer("x", [np.ones(64, np.float32), np.ones(4, np.float32)])
    for rank in range(2):
        small.task("scale", KERNELS, "scale", [x, x, 2.0], rank=rank)
    with pytest.raises(ptogo.Fault, match="task scale, rank 1") as fault:
        small.run()
    assert fault.value.rank == 1
