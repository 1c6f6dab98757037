import ptogo
import pytest

ARGS = ["rand=${Q}x32xf16,seed=1", "rand=${KEYS}x32xf16,seed=2", "rand=${KEYS}x32xf16,seed=3", "zeros=${Q}x32xf32"]


def scale(*, COLS, FACTOR):
    if COLS > 64:
        raise ValueError("no more")
    return f"""func.func @scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {{pto.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = arith.constant 32 : index
  %n = arith.constant 128 : index
  %c = arith.constant {COLS} : index
  %f = arith.constant {FACTOR}.0 : f32
  %vx = pto.make_tensor_view %x, shape = [%r, %n], strides = [%n, %c1] : !pto.tensor_view<32x128xf32>
  %vy = pto.make_tensor_view %y, shape = [%r, %n], strides = [%n, %c1] : !pto.tensor_view<32x128xf32>
  scf.for %i = %c0 to %n step %c {{
    %px = pto.partition_view %vx, offsets = [%c0, %i], sizes = [%r, %c] : !pto.tensor_view<32x128xf32> -> !pto.partition_tensor_view<32x{COLS}xf32>
    %py = pto.partition_view %vy, offsets = [%c0, %i], sizes = [%r, %c] : !pto.tensor_view<32x128xf32> -> !pto.partition_tensor_view<32x{COLS}xf32>
    %t = pto.tload %px : !pto.partition_tensor_view<32x{COLS}xf32> -> !pto.tile<32x{COLS}xf32>
    %u = pto.tmuls %t, %f : (!pto.tile<32x{COLS}xf32>, f32) -> !pto.tile<32x{COLS}xf32>
    pto.tstore %u, %py : (!pto.tile<32x{COLS}xf32>, !pto.partition_tensor_view<32x{COLS}xf32>) -> ()
  }}
  return
}}
"""


def test_template(examples, tmp_path):
    results = tmp_path / "results.jsonl"
    space = {
        "sizes": [{"Q": 32, "KEYS": 128}], "where": ["KEYS % KT == 0"], "blocks": "Q / QT", "best": 1,
        "baseline": {"QT": 32, "KT": 32}, "results": results,
    }  # fmt: skip
    t = ptogo.tune(examples / "tune" / "flash_attention.pto.in", {"QT": [16, 32], "KT": [32, 48, 128]}, ARGS, **space)
    assert t and t.best == {"QT": 16, "KT": 128} and "right: errors up to" in t.text
    assert len(results.read_text().splitlines()) == t.report["candidates"] == 4
    assert ptogo.tune(examples / "tune" / "flash_attention.pto.in", {"QT": [16, 32], "KT": [32, 48, 128]}, ARGS, **space).best == t.best


def test_function():
    t = ptogo.tune(
        scale, {"COLS": [8, 16, 32, 64, 128], "FACTOR": [2]}, ["rand=32x128xf32", "zeros=32x128xf32"],
        where=lambda COLS: COLS >= 16, baseline={"COLS": 16, "FACTOR": 2}, best=2,
    )  # fmt: skip
    assert t and t.best["COLS"] == 64 and "scf.for %i" in t.source
    assert t.report["candidates"] == 3 and [c["equivalent"] for c in t.report["confirmed"]] == ["equivalent"] * 2


def test_wrong_candidates_are_false():
    t = ptogo.tune(scale, {"COLS": [16, 64], "FACTOR": [2, 3]}, ["rand=32x128xf32", "zeros=32x128xf32"], baseline={"COLS": 16, "FACTOR": 2})
    assert not t and "WRONG" in t.text


def test_errors():
    with pytest.raises(ptogo.UsageError, match="is not a parameter"):
        ptogo.tune("text\n", {"X": [1]}, [], where=["Y > 1"])
