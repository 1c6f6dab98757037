import json
import re

import numpy as np
import ptogo
import pytest

SCALE = """
func.func @scale(%x: !pto.ptr<{elem}>, %y: !pto.ptr<{elem}>, %s: {elem}) attributes {{pto.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %xs = pto.make_tensor_view %x, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32x{elem}>
  %ys = pto.make_tensor_view %y, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32x{elem}>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c1, %c32] : !pto.tensor_view<1x32x{elem}> -> !pto.partition_tensor_view<1x32x{elem}>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %c32] : !pto.tensor_view<1x32x{elem}> -> !pto.partition_tensor_view<1x32x{elem}>
  %t = pto.tload %xp : !pto.partition_tensor_view<1x32x{elem}> -> !pto.tile<1x32x{elem}>
  %d = pto.tmuls %t, %s : (!pto.tile<1x32x{elem}>, {elem}) -> !pto.tile<1x32x{elem}>
  pto.tstore %d, %yp : (!pto.tile<1x32x{elem}>, !pto.partition_tensor_view<1x32x{elem}>) -> ()
  return
}}
"""

ENDLESS = """
func.func @endless(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %true = arith.constant true
  scf.while : () -> () { scf.condition(%true) } do { scf.yield }
  return
}
"""


@pytest.fixture(scope="module")
def scale():
    return ptogo.load(SCALE.format(elem="f32"), name="scale.pto")


@pytest.fixture
def x():
    return np.arange(32, dtype=np.float32)


def test_call(scale, x):
    y = np.zeros_like(x)
    scale(x, y, 3.0)
    assert (y == 3 * x).all()
    scale[4](x, y, 2)  # a whole number for a float
    assert (y == 2 * x).all()
    scale(x, x, 2.0)  # in place
    assert (x == y).all()
    assert repr(scale) == "<kernel scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32) on a3>"


def test_place_in_the_launch():
    kernel = ptogo.load("""
func.func @place(%x: !pto.ptr<i32>, %__pypto_spmd_block_idx: i32, %first: i32) attributes {pto.kernel} {
  %i = arith.index_cast %__pypto_spmd_block_idx : i32 to index
  %v = arith.addi %first, %__pypto_spmd_block_idx : i32
  pto.store_scalar %v, %x[%i] : !pto.ptr<i32>, i32
  return
}
""")
    x = np.zeros(3, np.int32)
    kernel[2](x, 7)  # each block gets its number
    assert x.tolist() == [7, 8, 0]
    kernel(x, 2, 7)  # the call gives it
    assert x.tolist() == [7, 8, 9]
    with pytest.raises(TypeError, match="takes 2 arguments, but got 4"):
        kernel(x, 2, 7, 1)


@pytest.mark.parametrize("elem, dtype", [("f16", np.float16), ("i16", np.int16), ("i32", np.int32), ("i16", np.uint16)])
def test_elements(elem, dtype):
    x = np.arange(32).astype(dtype)
    y = np.zeros_like(x)
    ptogo.load(SCALE.format(elem=elem))(x, y, 3)
    assert (y == 3 * x).all()


def test_bfloat16_as_bits():
    k = ptogo.load(SCALE.format(elem="bf16"), arch="a5")
    x, y = ptogo.encode(np.arange(32) / 4, "bf16"), np.zeros(32, np.uint16)
    k(x, y, 2.0)
    assert (ptogo.decode(y, "bf16") == np.arange(32) / 2).all()
    with pytest.raises(TypeError, match="points to bf16 and takes an array of uint16, not float16"):
        k(x.view(np.float16), y, 2.0)


def test_views(scale, x):
    """Views of one array share their memory for the kernel; strides are seen through."""
    both = np.concatenate([x, np.zeros_like(x)])
    scale(both[:32], both[32:], 2.0)
    assert (both[32:] == 2 * x).all()
    wide = np.zeros((32, 3), np.float32)
    scale(x, wide[:, 1], 2.0)
    assert (wide[:, 1] == 2 * x).all() and not wide[:, ::2].any()
    overlapping = np.arange(40, dtype=np.float32)
    scale(overlapping[:32], overlapping[8:], 1.0)
    assert (overlapping[8:] == x).all() and (overlapping[:8] == x[:8]).all()
    with pytest.raises(ValueError, match="overlaps"):
        scale(wide[:, 0], wide[:, 1], 1.0)


def test_read_only(scale, x):
    y = np.zeros_like(x)
    x.flags.writeable = False
    scale(x, y, 1.0)
    with pytest.raises(ValueError, match="the kernel writes y, which is read-only"):
        y.flags.writeable = False
        scale(x, y, 5.0)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda x: (x, x), "takes 3 arguments, but got 2"),
        (lambda x: (list(x), x, 1.0), "argument 0 .* takes a numpy array, not list"),
        (lambda x: (x, x.astype(np.float64), 1.0), "argument 1 .* points to f32 and takes an array of float32, not float64"),
        (lambda x: (x.astype(">f4"), x, 1.0), "byte order"),
        (lambda x: (x, x, x), "argument 2 .* is a scalar"),
        (lambda x: (x, x.astype(complex), 1.0), "complex128"),
    ],
)
def test_wrong_arguments(scale, x, change, message):
    with pytest.raises(TypeError, match=message):
        scale(*change(x))


@pytest.mark.parametrize("blocks", [0, -1, 1.5, "2"])
def test_wrong_blocks(scale, blocks):
    with pytest.raises(ptogo.UsageError, match="number of blocks"):
        scale[blocks]


def test_wrong_option(scale, x):
    with pytest.raises(ptogo.UsageError, match="did you mean --blocks"):
        scale(x, x, 1.0, block=3)


def test_fault(scale, x):
    y = np.ones_like(x)
    with pytest.raises(ptogo.Fault) as e:
        scale(x[:8], y, 2.0)
    f = e.value
    assert (f.op, f.file, f.line, f.column) == ("pto.tload", "scale.pto", 10, 8)
    assert f.bytes == ptogo.ByteRange("gm", 0, 127, argument=0)
    assert "%t = pto.tload" in str(f) and "       ^" in str(f)
    assert "<pre>" in f._repr_html_() and "&lt;" in f._repr_html_()
    assert (y == 1).all()


def test_compile_error():
    with pytest.raises(ptogo.CompileError) as e:
        ptogo.load("func.func @f() {\n  pto.tadd\n}", name="bad.pto")
    assert (e.value.file, e.value.line) == ("bad.pto", 3)
    with pytest.raises(FileNotFoundError):
        ptogo.load("no_such_file.pto")


def test_max_memory():
    text = "func.func @k() attributes {pto.kernel} {\n return\n}\n"
    with pytest.raises(ptogo.CompileError, match="may need more than the limit of 1KiB of memory"):
        ptogo.load(text, max_memory=1024)
    with pytest.raises(ptogo.CompileError, match="may need more than the limit of 1KiB of memory"):
        ptogo.opt(text, max_memory="1KiB")
    assert "@k" in ptogo.opt(text, max_memory="1MiB")
    kernel = ptogo.load(SCALE.format(elem="f32"), max_memory="1MiB")
    with pytest.raises(ptogo.CompileError, match="more than 64 of memory"):
        kernel("zeros=32xf32", "zeros=32xf32", 2.0, max_memory=64)


def test_timeout():
    with pytest.raises(ptogo.Fault, match="--timeout"):
        ptogo.load(ENDLESS)(np.zeros(1, np.float32), timeout=0.05)


def test_checks(examples, x):
    text = (examples / "softmax.pto").read_text()
    k = ptogo.load(text, name="softmax.pto")
    a, b = np.zeros((32, 64), np.float32), np.zeros((32, 64), np.float32)
    k[2](a, b, check=["init", "mem"])
    with pytest.raises(ptogo.CheckFailed) as e:
        k[2](a, b, check="race")
    assert e.value.diagnostics[0].check == "race"
    ptogo.load(text, name="softmax.pto", passes=["pto-bufferize", "pto-insert-sync"])[2](a, b, check=True)


def test_passes_keep_lines(examples):
    k = ptogo.load(examples / "softmax.pto", passes=["pto-bufferize", "pto-insert-sync"])
    with pytest.raises(ptogo.Fault) as e:
        k(np.zeros(4, np.float32), np.zeros(4, np.float32))
    assert e.value.file.endswith("softmax.pto") and e.value.line == 28
    assert "after passes" not in str(e.value) and "pto.tload" in str(e.value).splitlines()[1]


def test_trace(scale, x, tmp_path):
    scale(x, x, 1.0, trace=tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]


def test_timing(scale, x):
    result = scale(x, x, 1.0, timing=True, chip="910B1")
    assert "predicted" in result.stdout and "910B1" in result._repr_html_()
    assert isinstance(result.timing, dict)


def test_expect(scale, x):
    y = np.zeros_like(x)
    scale(x, y, 2.0, expect={"y": 2 * x})
    with pytest.raises(ptogo.Mismatch, match="pto.tstore") as e:
        scale(x, y, 2.0, expect={1: 2 * x + (x > 30)}, atol=0.5)
    assert "differs from expect['1'] in 1 of 32 elements" in str(e.value)
    assert isinstance(e.value, AssertionError)
    assert e.value.op == "pto.tstore" and e.value.line == e.value.diagnostics[0].line


def test_warning():
    """A tile that nobody wrote is stored: certain enough to be said without being asked."""
    k = ptogo.load("""
func.func @unwritten(%y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %ys = pto.make_tensor_view %y, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32xf32>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %c32] : !pto.tensor_view<1x32xf32> -> !pto.partition_tensor_view<1x32xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x32xf32>) outs(%yp : !pto.partition_tensor_view<1x32xf32>)
  return
}
""")
    with pytest.warns(ptogo.KernelWarning, match="init"):
        k(np.zeros(32, np.float32))


def test_generated_arguments(scale, x):
    y = np.zeros_like(x)
    scale("iota=1x32xf32", y, "2.0")
    assert (y == 2 * x).all()


def test_engine(scale, x):
    y = np.zeros_like(x)
    scale(x, y, 2.0, engine="llvm")  # which gives way to the other where there is no LLVM
    assert (y == 2 * x).all()


def test_scratch_fill_and_flags(scale, x):
    y = np.full_like(x, 1e-40)
    scale(y, x, 1.0, scratch_fill=0xA5, flush_denormals=True)
    assert not x.any()


def test_shared_exponents():
    """Elements that ml_dtypes names and numpy does not are their bits without it."""
    text = """func.func @f(%x: !pto.ptr<!pto.f8E8M0>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.load_scalar %x[%c0] : !pto.ptr<!pto.f8E8M0> -> !pto.f8E8M0
  pto.store_scalar %a, %x[%c1] : !pto.ptr<!pto.f8E8M0>, !pto.f8E8M0
  return
}"""
    x = np.array([127, 0], np.uint8).view(ptogo.dtype_of("!pto.f8E8M0"))
    ptogo.load(text, arch="a5")(x)
    assert x.view(np.uint8).tolist() == [127, 127]


def test_tensors():
    """Tensors say how they become arrays."""

    class Tensor:
        def numpy(self):
            return np.zeros(32, np.float32)

    with pytest.raises(TypeError, match=r"takes a numpy array, not Tensor: write .numpy\(\)"):
        ptogo.load(SCALE.format(elem="f32"))(Tensor(), Tensor(), 2.0)


def test_per_block():
    """Each block gets an equal part of the array."""
    count = ptogo.load(
        """
func.func @k(%x: !pto.ptr<i32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %block = pto.get_block_idx
  %n = arith.trunci %block : i64 to i32
  pto.store_scalar %n, %x[%c0] : !pto.ptr<i32>, i32
  return
}
""",
        arch="a5",
    )
    x = np.full(3 * 16, 9, np.int32)
    count[3](ptogo.PerBlock(x))
    assert x[::16].tolist() == [0, 1, 2] and np.count_nonzero(x == 9) == 45
    with pytest.raises(ptogo.Error, match="divided among 5 blocks"):
        count[5](ptogo.PerBlock(x))


def test_checked_context(scale, x):
    y = np.zeros_like(x)
    with ptogo.checked("race"):
        with pytest.raises(ptogo.CheckFailed) as e:
            scale(x, y, 2.0)
        assert e.value.diagnostics[0].check == "race"
        scale(x, y, 2.0, check="init")  # the launch says otherwise
        with ptogo.checked("mem"):
            scale(x, y, 2.0)
    scale(x, y, 2.0)
    with ptogo.checked("mem", orders=20, seed=3):  # another order shows the race
        with pytest.raises(ptogo.CheckFailed):
            scale(x, y, 2.0)
    with pytest.raises(ptogo.UsageError):
        with ptogo.checked(seed=1):
            pass
