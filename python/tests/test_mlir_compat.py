"""MLIR's bindings in Python: building, printing, reading, verifying."""

import pytest
from ptogo.mlir_compat import ir
from ptogo.mlir_compat.dialects import arith, func, pto, scf


def kernel(build, *inputs):
    """A module with a kernel whose body build(*arguments) makes."""
    module = ir.Module.create()
    module.operation.attributes["pto.target_arch"] = ir.StringAttr.get("a5")
    with ir.InsertionPoint(module.body):
        f = func.FuncOp("k", (list(inputs), []))
    with ir.InsertionPoint(f.add_entry_block()):
        build(*f.arguments)
        func.ReturnOp([])
    return module


@pytest.fixture(autouse=True)
def context():
    with ir.Context(), ir.Location.unknown():
        yield


def tile(rows=16, cols=16, **options):
    f32, vec = ir.F32Type.get(), pto.AddressSpaceAttr.get(pto.AddressSpace.VEC)
    return pto.TileBufType.get([rows, cols], f32, vec, **options)


@pytest.mark.parametrize(
    "text",
    [
        "i32", "ui8", "index", "bf16", "f8E4M3FN", "vector<4xf32>", "memref<?x4xf32>", "(i32, f32) -> index", "tuple<i32, f32>",
        "memref<4xf32, strided<[?], offset: ?>, #pto.address_space<vec>>", "!pto.ptr<f32>", "!pto.ptr<f16, ub>", "!pto.align",
        "!pto.vreg<64xf32>", "!pto.mask<b32>", "!pto.vmi.vreg<8xf32>", "!pto.vmi.mask<8xpred>", "!pto.struct<i32, f32>",
        "!pto.tensor_view<?x16xf32>", "!pto.partition_tensor_view<4x4xf32>", "!pto.hif8", "!llvm.ptr",
        "!pto.tile_buf<vec, 32x32xf32>", "!pto.tile_buf<left, 32x32xf16, valid=?x8, blayout=col_major, slayout=row_major>",
    ],
)  # fmt: skip
def test_types(text):
    t = ir.Type.parse(text)
    assert str(t) == text
    assert ir.Type.parse(text) is t


def test_type_classes():
    t = ir.Type.parse("!pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=8, v_row=4, v_col=?>")
    assert isinstance(t, pto.TileBufType) and t.shape == [4, 8] and t.element_type == ir.F32Type.get()
    assert t.valid_shape == [4, ir.ShapedType.get_dynamic_size()]
    assert ir.IntegerType.isinstance(ir.IntegerType.get_unsigned(8)) and not ir.IndexType.isinstance(t)
    with pytest.raises(ValueError, match="Cannot cast type to VectorType"):
        ir.VectorType(t)
    with pytest.raises(ir.MLIRError, match=r"1:5: expected '\)'"):
        ir.Type.parse("(i32")


@pytest.mark.parametrize(
    "text",
    [
        "1 : i32", "-2 : index", "true", "1.5 : f32", "0x7F800000 : f32", '"a\\"b"', "@f", "@m::@f", "[1 : i32, unit]",
        "{a = 1 : i32, b}", "array<i32: 1, 2>", "#pto.pipe<PIPE_V>", "#pto<cmp lt>", "i32", "dense<0> : vector<4xi32>",
    ],
)  # fmt: skip
def test_attributes(text):
    assert str(ir.Attribute.parse(text)) == text


def test_enums():
    assert pto.PIPE.PIPE_V == 1 and pto.PipeAttr.get(1) == ir.Attribute.parse("#pto.pipe<PIPE_V>")
    assert str(pto.BLayoutAttr.get(pto.BLayout.ColMajor)) == "#pto.blayout<col_major>"
    assert isinstance(pto.EVENT.EVENT_ID3, pto.EVENT) and not isinstance(pto.EVENT.EVENT_ID3, pto.PIPE)
    with pytest.raises(ValueError, match="RoundMode has no case 'UP'; it has NONE, RINT"):
        pto.RoundModeAttr.get("UP")
    with pytest.raises(AttributeError, match="dialect pto has no VaddingOp"):
        pto.VaddingOp


def test_results_and_segments():
    def build(p):
        c = arith.ConstantOp(ir.IndexType.get(), 16).result
        view = pto.MakeTensorViewOp(pto.TensorViewType.get(2, ir.F32Type.get()), p, [c, c], [c, c])
        assert view.operation.attributes["operandSegmentSizes"] == ir.Attribute.parse("array<i32: 1, 2, 2>")
        assert list(view.shape) == [c, c] and view.layout is None
        part = pto.PartitionViewOp(view, [c, c], [c, c])
        assert str(part.result.type) == "!pto.partition_tensor_view<?x?xf32>"
        assert pto.addptr(p, c).type == p.type
        assert pto.get_block_idx().type == ir.IntegerType.get_signless(64)
        t = pto.AllocTileOp(tile(valid_shape=[None, 16]), valid_row=c).result
        sub = pto.SubViewOp(t, [c, c], sizes=[8, 8])
        assert str(sub.result.type) == "!pto.tile_buf<vec, 8x8xf32>"
        pto.TAddOp(t, t, dst=t)
        pto.set_flag(pto.PIPE.PIPE_V, "PIPE_MTE3", 0)
        pto.wait_flag("PIPE_V", "PIPE_MTE3", c)

    text = kernel(build, pto.PtrType.get(ir.F32Type.get())).operation.get_asm(print_generic_op_form=True)
    assert '"pto.wait_flag_dyn"(%0) {src_pipe = #pto.pipe<PIPE_V>, dst_pipe = #pto.pipe<PIPE_MTE3>}' in text


def test_wrong_calls():
    def build(p):
        c = arith.constant(ir.IndexType.get(), 1)
        with pytest.raises(TypeError, match="pto.addptr: operand offset is missing"):
            pto.AddPtrOp(p)
        with pytest.raises(TypeError, match="pto.addptr has no argument 'by'; it has result, ptr, offset"):
            pto.AddPtrOp(p, by=c)
        with pytest.raises(TypeError, match="pto.addptr takes no further operand"):
            pto.AddPtrOp(p, c, c)
        with pytest.raises(TypeError, match="pto.vlds: the type of result result must be given"):
            pto.VldsOp(source=p, offset=c)

    kernel(build, pto.PtrType.get(ir.F32Type.get()))


def test_control_flow():
    def build(n):
        zero, one = arith.constant(ir.IndexType.get(), 0), arith.constant(ir.IndexType.get(), 1)
        for i, carried, result in scf.for_(zero, n, one, [zero]):
            cond = arith.CmpIOp(arith.CmpIPredicate.slt, i, carried).result
            branch = scf.IfOp(cond, [ir.IndexType.get()], has_else=True)
            with ir.InsertionPoint(branch.then_block):
                scf.YieldOp([i])
            with ir.InsertionPoint(branch.else_block):
                scf.YieldOp([carried])
            scf.yield_([branch.result])
        arith.AddIOp(result, one)

    module = kernel(build, ir.IndexType.get())
    assert module.operation.verify()
    again = ir.Module.parse(module.operation.get_asm(print_generic_op_form=True))
    assert again.operation.get_asm(print_generic_op_form=True) == module.operation.get_asm(print_generic_op_form=True)


def test_reads_and_prints_custom_form():
    module = ir.Module.parse("func.func @f(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}\n")
    (f,) = module.body.operations
    assert f.name.value == "f" and f.type.inputs == [ir.IntegerType.get_signless(32)]
    assert "arith.addi %arg0, %arg0 : i32" in str(module)


def test_locations_name_the_author():
    def build():
        t = pto.AllocTileOp(tile()).result
        u = pto.AllocTileOp(tile(8)).result
        pto.TAddOp(t, u, t)  # does not fit

    module = kernel(build)
    line = build.__code__.co_firstlineno + 3
    assert module.body.operations[0].body.blocks[0].operations[2].location.start_line == line
    with pytest.raises(ir.MLIRError, match=f"test_mlir_compat.py:{line}:1: note: comes from here"):
        module.operation.verify()


def test_rewriting():
    def build(x):
        one = arith.constant(ir.IndexType.get(), 1)
        first = arith.AddIOp(x, one)
        second = arith.AddIOp(first, one)
        first.result.replace_all_uses_with(x)
        assert second.lhs is x
        first.operation.erase()
        second.operation.move_before(one.owner)
        second.operation.move_after(one.owner)

    module = kernel(build, ir.IndexType.get())
    names = []
    module.operation.walk(lambda op: names.append(op.name) or ir.WalkResult.ADVANCE)
    assert names == ["arith.constant", "arith.addi", "func.return", "func.func", "builtin.module"]
    other = ir.Module.create()
    with ir.InsertionPoint(other.body):
        module.body.operations[0].operation.clone()
    assert str(other.body.operations[0]) == str(module.body.operations[0])


def test_prints_the_names_it_was_built_with():
    """Older names of operations stay as they are written, beside those of today."""
    p = ir.Type.parse("!pto.ptr<f32, ub>")
    reg, mask = ir.Type.parse("!pto.vreg<64xf32>"), ir.Type.parse("!pto.mask<b32>")

    def build(p_, m):
        zero, step = (arith.ConstantOp(ir.IndexType.get(), i).result for i in (0, 64))
        a = pto.VldsPostOp(reg, p, p_, step)
        b = pto.VldsOp(reg, a.results[1], zero)
        pto.VstsOp(a.results[0], p_, zero, m, dist="ONEPT_B32")
        pto.VstsOp(b.results[0], p_, zero, m, dist="1PT_B32")

    built = str(kernel(build, p, mask))
    lines = [line.strip() for line in built.splitlines()]
    words = [w for line in lines for w in ("vlds_post ", "vlds ", "ONEPT_", '"1PT_') if w in line]
    assert words == ["vlds_post ", "vlds ", "ONEPT_", '"1PT_'], built
    today = built.replace("vlds_post", "vlds").replace("ONEPT_", "1PT_")
    assert today != built and str(ir.Module.parse(built)) == str(ir.Module.parse(today))
