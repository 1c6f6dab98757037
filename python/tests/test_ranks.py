"""Launches on several ranks."""

from pathlib import Path

import numpy as np
import ptogo
import pytest


@pytest.fixture(scope="module")
def ring():
    return ptogo.load(Path(__file__).parents[2] / "examples/ranks/all_reduce.pto")


def arrays(ranks, *values):
    """An array for each rank, full of one value each."""
    return [np.full((8, 64), values[r % len(values)], np.float32) for r in range(ranks)]


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_all_reduce(ring, ranks):
    inp, out, data = arrays(ranks, 1, 2), arrays(ranks, 0), arrays(ranks, 0)
    signal = [np.zeros((1, 16), np.int32) for _ in range(ranks)]
    ring[1, ranks](inp, out, data=ptogo.Window(data), signal=ptogo.Window(signal), ctx="comm", check="all")
    for r in range(ranks):
        assert (out[r][:ranks] == 1.5 * ranks).all() and (out[r][ranks:] == 0).all(), r
        assert signal[r][0, 0] == 2 * ranks - 2
        assert (data[r][:ranks] == 1.5 * ranks).all()


def test_one_array_for_all_ranks(ring):
    x, out = np.arange(512, dtype=np.float32).reshape(8, 64), arrays(2, 0)
    rest = ("window=8x64xf32", "window=1x16xi32", "comm")
    want = np.vstack([2 * x[:2], np.zeros((6, 64), np.float32)])
    ring[1, 2](x, out, *rest, expect={"out": want})
    ring[1, 2](x, out, *rest, expect={"out": [want, want], "inp": x})
    with pytest.raises(ptogo.Mismatch, match="argument 1 of rank 1 differs"):
        ring[1, 2](x, out, *rest, expect={"out": [want, want + 1]})
    with pytest.raises(ValueError, match="the kernel writes out of rank 0, of which every rank got a copy: pass a list"):
        ring[1, 2](x, np.zeros_like(x), *rest)


def test_rank_of_scalars_and_texts():
    kernel = ptogo.load("""
func.func @put(%x: !pto.ptr<i32>, %v: i32, %rank: i32, %ranks: i32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  pto.store_scalar %v, %x[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %rank, %x[%c1] : !pto.ptr<i32>, i32
  pto.store_scalar %ranks, %x[%c2] : !pto.ptr<i32>, i32
  return
}
""")
    x = [np.zeros(3, np.int32) for _ in range(3)]
    kernel[1, 3](x, [7, 8, 9], "rank", "ranks")
    assert np.array(x).tolist() == [[7, 0, 3], [8, 1, 3], [9, 2, 3]]


def test_wrong_arguments(ring):
    x, out = arrays(2, 1), arrays(2, 0)
    rest = ("window=8x64xf32", "window=1x16xi32", "comm")
    wrong = [
        (TypeError, r"argument 0 \(%inp: .*\) has a list of 3 for 2 ranks", (arrays(3, 1), out, *rest)),
        (TypeError, r"argument 1 \(%out: .*\) of rank 1 points to f32 and takes an array of float32, not float64", (x, [out[0], out[1].astype(float)], *rest)),
        (TypeError, r"argument 2 \(%data: .*\) is a Window of ndarray", (x, out, ptogo.Window(x[0]), *rest[1:])),
        (ValueError, "inp of rank 1 overlaps inp of rank 0, but ranks have memory of their own", ([x[0], x[0]], out, *rest)),
        (ValueError, "out of rank 1 overlaps inp of rank 0", (x, [out[0], x[0]], *rest)),
        (ptogo.Fault, "argument 2 must be a window of the same size on all ranks", (x, out, ptogo.Window([x[0].copy(), np.zeros(64, np.float32)]), *rest[1:])),
        (ptogo.UsageError, r"--arg 0 \(%inp\) of rank 1: the parameter is a pointer", ([x[0], "what"], out, *rest)),
    ]
    for error, message, args in wrong:
        with pytest.raises(error, match=message):
            ring[1, 2](*args)
    with pytest.raises(TypeError, match=r"needs a launch with ranks, kernel\[blocks, ranks\]"):
        ring[1](x, out, *rest)
    with pytest.raises(TypeError, match="is a Window, which a launch on several ranks takes"):
        ring(x[0], out[0], ptogo.Window(x), *rest[1:])
    with pytest.raises(ptogo.UsageError, match="the number of ranks must be a whole number above 0, not 0"):
        ring[1, 0]


def test_fault_names_the_rank(ring):
    rest = ("window=8x64xf32", "window=1x16xi32", "comm")
    small = [np.ones((8, 64), np.float32), np.ones((1, 64), np.float32)]
    with pytest.raises(ptogo.Fault, match="in rank 1") as fault:
        ring[1, 2](small, arrays(2, 0), *rest)
    assert fault.value.rank == 1 and fault.value.op == "pto.tload"
    with pytest.raises(ptogo.Fault, match="a window"):
        ring[1, 2](arrays(2, 1), arrays(2, 0), ptogo.Window(arrays(2, 0)), [np.zeros((1, 16), np.int32) for _ in range(2)], "comm")
