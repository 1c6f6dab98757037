// This file defines allocations and views of tiles.

package tile

import (
	"cmp"
	"fmt"

	"ptogo/dialect/arith"
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Operations that make tiles or look at them in another way. None of them runs on a
// pipe or moves an element: they say where a tile lies, of which type it is and which
// part of it is valid, and what uses the tile takes that from there.

// anyBuf is a constraint that accepts every tile buffer, the tiles of Level 2.
var anyBuf = ir.TypeIf("a !pto.tile_buf", ir.Is[TileBuf])

// tileView returns the definition of an instruction that creates or changes a tile
// without accessing its contents. No pipe executes it.
func tileView(o Op) *ir.Def {
	o.Group, o.Pipe = "view", sem.NoPipe
	o.Family, o.Page = cmp.Or(o.Family, "pointer-and-view"), cmp.Or(o.Page, Manual)
	return PlainOp(o)
}

// placed are the optional operands of tile allocations: the address, and the numbers of
// valid rows and columns.
var placed = Args{Opt("addr", ir.Exactly(ir.I64)), Opt("valid_row", Index), Opt("valid_col", Index)}

const placedText = "(`addr` `=` $addr^)? (`valid_row` `=` $valid_row^)? (`valid_col` `=` $valid_col^)? attr-dict `:` type($result)"

// AllocTile is pto.alloc_tile, which allocates a tile buffer, at a given address or at
// one that the memory planner chooses.
var AllocTile = Define("alloc_tile", func(name string) *ir.Def {
	return tileView(Op{
		Name: name, Family: "view-and-tile-buf",
		Doc:    "Reserves a tile buffer, at addr if it is given; valid_row and valid_col give the extents its type leaves open.",
		Ins:    placed,
		Outs:   Args{In("result", anyBuf)},
		Sem:    sem.AllocTile{},
		Syntax: ir.Asm(placedText),
		Verify: func(op *ir.Op, v *ir.Verifier) { verifyAlloc(op, v, op.Result(0).Type()) },
		Examples: []string{
			"%t = pto.alloc_tile : !pto.tile_buf<vec, 32x64xf32>",
			"%t = pto.alloc_tile valid_row = %r valid_col = %c : !pto.tile_buf<vec, 32x64xf32, valid=?x?>",
		},
	})
})

// AllocMultiTile is pto.alloc_multi_tile, which allocates several adjacent tile buffers
// (slots) of one type.
var AllocMultiTile = Define("alloc_multi_tile", func(name string) *ir.Def {
	return tileView(Op{
		Name:   name,
		Doc:    "Reserves the slots of a multi_tile_buf, from addr on if it is given.",
		Ins:    placed,
		Outs:   Args{In("result", ir.TypeIf("a !pto.multi_tile_buf", ir.Is[MultiTileBuf]))},
		Sem:    sem.AllocTile{},
		Syntax: ir.Asm(placedText),
		Verify: func(op *ir.Op, v *ir.Verifier) {
			t, _ := ir.As[MultiTileBuf](op.Result(0).Type())
			verifyAlloc(op, v, t.Slot)
			if info, _ := TileOf(t.Slot); info.Compact == CompactRowPlusOne {
				v.Errorf(op, "must not have slots of a tile type with compact=row_plus_one")
			}
			if op.HasAttr("pto.multi_buffer_addrs") {
				v.Errorf(op, "must not have the attribute \"pto.multi_buffer_addrs\", which only passes of the compiler set")
			}
		},
		Examples: []string{"%t = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 32x64xf32, count=2>"},
	})
})

// verifyAlloc reports errors of an allocation: the hardware must support the layout, each
// dynamic size needs an operand, and the address must be aligned.
func verifyAlloc(op *ir.Op, v *ir.Verifier, t ir.Type) {
	info, _ := TileOf(t)
	if msg := CheckLayout(info); msg != "" {
		v.Errorf(op, "%s", msg)
	}
	checkDynamic(op, v, "valid_row", info.VRows)
	checkDynamic(op, v, "valid_col", info.VCols)
	checkValidSizes(op, v, info)
	verifyAddr(op, v)
}

// checkDynamic checks that the number of valid rows or columns is specified exactly once:
// by the operand arg, or as a constant in the result type of op. extent is this number in
// the type, or ir.Dynamic. checkDynamic reports an error if both or neither specify the
// number.
func checkDynamic(op *ir.Op, v *ir.Verifier, arg string, extent int64) {
	switch given := op.Arg(arg) != nil; {
	case given && extent != ir.Dynamic:
		v.Errorf(op, "must not have the operand \"%s\", because this extent is already %d in its result type", arg, extent)
	case !given && extent == ir.Dynamic:
		v.Errorf(op, "requires the operand \"%s\", because this extent is dynamic in its result type, %s", arg, op.Result(0).Type())
	}
}

// verifyAddr reports an error if the constant address of op is negative or not aligned,
// or if the tile extends past the end of its memory. No launch could execute such a
// program.
func verifyAddr(op *ir.Op, v *ir.Verifier) {
	t := op.Result(0).Type()
	switch a, known := ConstantInt(op.Arg("addr")); {
	case !known:
	case a < 0:
		v.Errorf(op, "address must not be negative, but is %d", a)
	case a%TileAlign != 0:
		v.Errorf(op, "address must be a multiple of %d, but is %d", TileAlign, a)
	default:
		if msg := PastEnd(SpaceOf(t), a, StorageOf(t), v.Target); msg != "" {
			v.Errorf(op, "%s", msg)
		}
	}
}

// MultiTileGet is pto.multi_tile_get, which returns one slot of a multi-buffered tile.
var MultiTileGet = Define("multi_tile_get", func(name string) *ir.Def {
	return tileView(Op{
		Name: name,
		Doc:  "Returns slot number slot of a multi_tile_buf.",
		Ins:  Args{In("source", ir.TypeIf("a !pto.multi_tile_buf", ir.Is[MultiTileBuf])), In("slot", Index)},
		Outs: Args{In("result", anyBuf)},
		Sem:  sem.TileSlot{}, Traits: ir.Pure,
		Syntax: ir.Asm("$source `[` $slot `]` attr-dict `:` type($source) `->` type($result)"),
		Verify: func(op *ir.Op, v *ir.Verifier) {
			t, _ := ir.As[MultiTileBuf](op.Operand(0).Type())
			if got := op.Result(0).Type(); got != t.Slot {
				v.Errorf(op, "returns type %s, but the slots of its source have type %s", got, t.Slot)
			}
			if i, known := ConstantInt(op.Arg("slot")); known && (i < 0 || i >= t.Count) {
				v.Errorf(op, "selects slot %d, but the number of slots is %d", i, t.Count)
			}
		},
		Examples: []string{"%s = pto.multi_tile_get %t[%i] : !pto.multi_tile_buf<vec, 32x64xf32, count=2> -> !pto.tile_buf<vec, 32x64xf32>"},
	})
})

// Definitions of the instructions that declare tiles or change the addresses of tiles.
var (
	DeclareTile = Define("declare_tile", func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Page: "PTOAS:include/PTO/IR/PTOOps.td",
			Doc:      "Names a tile that a later instruction provides.",
			Outs:     Args{In("tile", anyBuf)},
			Sem:      sem.Declare{},
			Examples: []string{"%t = pto.declare_tile -> !pto.tile_buf<vec, 16x64xf32>"},
			Syntax:   ir.Asm("attr-dict `->` type($tile)"),
		})
	})

	TAssign = Define("tassign", func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Family: configFamily, Page: configPage(name),
			Doc:      "Returns a tile with its storage at addr.",
			Ins:      Args{In("tile", AnyTile), In("addr", ir.Exactly(ir.I64))},
			Outs:     Args{In("result", ir.SameAs("tile"))},
			Sem:      sem.PlaceTile{},
			Traits:   ir.Pure,
			Verify:   verifyAddr,
			Syntax:   ir.Asm("$tile `,` $addr attr-dict `:` type($tile) `->` type($result)"),
			Notes:    []string{"The instruction of the ISA page moves the tile in place and has no result; the IR operation returns the moved tile."},
			Examples: []string{"%d = pto.tassign %t, %a : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 16x64xf32>"},
		})
	})

	TAlias = Define("talias", func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Family: configFamily, Page: configPage(name),
			Doc:      "Returns another tile in the storage of src.",
			Ins:      Args{In("src", AnyTile)},
			Outs:     Args{In("dst", ir.SameAs("src"))},
			Sem:      sem.SameStorage{},
			Traits:   ir.Pure,
			Syntax:   ir.Asm("$src attr-dict `:` type($src) `->` type($dst)"),
			Notes:    []string{"The page leaves the operands open; one source is taken."},
			Examples: []string{"%d = pto.talias %s : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 32x64xf32>"},
		})
	})
)

// reinterpret declares the instruction pto.NAME, which returns the storage of its operand
// as a tile of another type. The function check returns a message if the pair of types is
// illegal. family and page are the chapter and the page of the manual, and notes, doc and
// examples are texts for the reference page.
func reinterpret(name, family, page, doc string, check func(src, dst TileInfo) string, notes []string, examples ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Family: family, Page: page, Doc: doc,
			Ins:    Args{In("src", AnyTile)},
			Outs:   Args{In("result", AnyTile)},
			Sem:    sem.SameStorage{},
			Traits: ir.Pure,
			Syntax: ir.AsmWith("$src attr-dict `:` type($src) `->` type($result) custom<number>", map[string]ir.Hook{"number": ofNumber}),
			Verify: func(op *ir.Op, v *ir.Verifier) {
				src, _ := TileOf(op.Operand(0).Type())
				dst, _ := TileOf(op.Result(0).Type())
				msg := check(src, dst)
				if msg == "" && src.Space != dst.Space {
					msg = fmt.Sprintf("must stay in one space, but goes from %s to %s", src.Space.Loc(), dst.Space.Loc())
				}
				if msg != "" {
					v.Errorf(op, "%s", msg)
				}
			},
			Notes:    notes,
			Examples: examples,
		})
	})
}

// ofNumber reads pto.bitcast of a number, or of a vector of numbers, as arith.bitcast, which
// computes the same; see the operations on values in package base.
var ofNumber = ir.Hook{
	ParseFn: func(_ *ir.Parser, st *ir.OpParse) {
		types := st.OperandTypes("src")
		if st.Def.Name != "pto.bitcast" || len(types) != 1 {
			return
		}
		if e := ir.ElementType(types[0]); ir.Is[ir.IntegerType](e) || ir.Is[ir.FloatType](e) {
			if _, isTile := TileOf(types[0]); !isTile {
				st.Become(arith.Bitcast)
			}
		}
	},
	PrintFn: func(*ir.Printer, *ir.Op) {},
}

// Crosswise reports whether a reshape converts a tile with a single column (src) to a
// tile with a single row (dst), or a single row to a single column. The number of valid
// rows of src is then the number of valid columns of dst, and vice versa.
func Crosswise(src, dst TileInfo) bool {
	column, row := src, dst
	if src.Rows == 1 {
		column, row = dst, src
	}
	return column.Cols == 1 && row.Rows == 1 && column.Rows > 1 && column.Rows == row.Cols
}

// Definitions of instructions that return the storage of a tile with another type.
var (
	TReshape = reinterpret("treshape", layoutFamily, IsaPage("TRESHAPE"), "Returns the storage of src with another shape, layout or element type.",
		func(src, dst TileInfo) string {
			switch {
			case src.Bytes() != dst.Bytes():
				return fmt.Sprintf("must keep the size in bytes, but changes it from %d to %d", src.Bytes(), dst.Bytes())
			case (src.SLayout == NoneBox) != (dst.SLayout == NoneBox):
				return "must not change between a layout with boxes and one without"
			}
			return ""
		}, []string{"Dynamic valid regions: the public text does not define them. In the public compiler, the result has the valid rows and columns of src, exchanged if a column becomes a row or the reverse."},
		"%d = pto.treshape %s : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 16x128xf32>",
		"%row = pto.treshape %column : !pto.tile<16x1xf32, valid=?x1, blayout=col_major> -> !pto.tile<1x16xf32, valid=1x?>")

	BitcastOp = reinterpret("bitcast", "pointer-and-view", "PTOAS:include/PTO/IR/PTOOps.td", "Returns the storage of src with another element type, of the same size or smaller.",
		func(src, dst TileInfo) string {
			from, to := src, dst
			from.Elem, to.Elem = ir.Type{}, ir.Type{}
			switch {
			case src.Elem == dst.Elem:
				return "must change the element type"
			case ByteSize(src.Elem) < ByteSize(dst.Elem):
				return fmt.Sprintf("must not need more storage, but changes %s to %s", src.Elem, dst.Elem)
			case from != to:
				return "must change nothing but the element type"
			}
			return ""
		}, []string{"Smaller elements are stored without gaps from the start of the storage, because the public compiler passes the same address on."},
		"%d = pto.bitcast %s : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 32x64xi32>",
		"%h = pto.bitcast %s : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 32x64xf16>")
)

// Definitions of instructions that change or return the valid region of a tile at run
// time.
var (
	SetValidShape = Define("set_validshape", func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Family: "view-and-tile-buf",
			Doc:    "Changes the valid region of a tile whose type leaves it open.",
			Ins:    Args{In("source", anyBuf), In("valid_row", Index), In("valid_col", Index)},
			Sem:    sem.SetValid{},
			Access: []Access{{Arg: "source"}},
			Verify: verifySetValid,
			Syntax: ir.Asm("$source `,` $valid_row `,` $valid_col attr-dict `:` type($source)"),
			Notes:  []string{"source can be any tile here. The public verifier requires one that pto.alloc_tile or pto.declare_tile defines in the same function, also as pto.treshape or pto.bitcast; it rejects the result of pto.subview and parameters."},
			Examples: []string{
				"pto.set_validshape %t, %r, %c : !pto.tile_buf<vec, 32x64xf32, valid=?x?>",
			},
		})
	})

	GetValidShape = Define("get_validshape", func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Page: "PTOAS:include/PTO/IR/PTOOps.td",
			Doc:      "Returns the valid rows and columns of a tile.",
			Ins:      Args{In("source", anyBuf)},
			Outs:     Args{In("valid_row", Index), In("valid_col", Index)},
			Sem:      sem.GetValid{Rows: true, Cols: true},
			Access:   []Access{{Arg: "source"}},
			Syntax:   ir.Asm("$source attr-dict `:` type($source)"),
			Examples: []string{"%r, %c = pto.get_validshape %t : !pto.tile_buf<vec, 16x64xf32, valid=?x?>"},
		})
	})

	TileValidRows = validQuery("tile_valid_rows", "Returns the valid rows of a tile.", sem.GetValid{Rows: true})
	TileValidCols = validQuery("tile_valid_cols", "Returns the valid columns of a tile.", sem.GetValid{Cols: true})
)

// validQuery declares an instruction that returns the number of valid rows or columns of
// a tile. kind selects rows or columns.
func validQuery(name, doc string, kind sem.GetValid) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return tileView(Op{
			Name: name, Page: "PTOAS:include/PTO/IR/PTOOps.td", Doc: doc,
			Ins:      Args{In("src", AnyTile)},
			Outs:     Args{In("result", ir.Written(ir.Index))},
			Traits:   ir.Pure,
			Sem:      kind,
			Syntax:   ir.Asm("$src attr-dict `:` type($src) `->` type($result)"),
			Examples: []string{"%n = pto." + name + " %t : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index"},
		})
	})
}

// verifySetValid checks an instruction that sets the valid region of a tile at run time.
// It reports an error unless the type of the tile leaves the valid rows and columns to
// run time. Other instructions would otherwise rely on the region in the type.
func verifySetValid(op *ir.Op, v *ir.Verifier) {
	t, _ := TileOf(op.Operand(0).Type())
	if t.VRows != ir.Dynamic || t.VCols != ir.Dynamic {
		v.Errorf(op, "requires a tile with dynamic valid rows and columns, but its valid region is %sx%s",
			AppendExtent(nil, t.VRows), AppendExtent(nil, t.VCols))
	}
	checkValidSizes(op, v, t)
}

// checkValidSizes reports an error if constant numbers of valid rows or columns exceed
// the storage of the tile.
func checkValidSizes(op *ir.Op, v *ir.Verifier, t TileInfo) {
	for _, x := range []struct {
		name string
		max  int64
	}{{"valid_row", t.Rows}, {"valid_col", t.Cols}} {
		if n, known := ConstantInt(op.Arg(x.name)); known && (n < 0 || n > x.max) {
			v.Errorf(op, "%s must be between 0 and %d, but is %d", x.name, x.max, n)
		}
	}
}

// TGetScaleAddr is pto.tget_scale_addr, which makes dst refer to the tile with the scales
// of operand src. The address of the scales is 1/16 of the address of src.
var TGetScaleAddr = Define("tget_scale_addr", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Group: "view", Family: configFamily, Page: configPage("get-scale-addr"), Pipe: sem.PipeS, On: sem.OnA5,
		Aliases:  []string{"get_scale_addr"},
		Doc:      "Makes dst refer to the tile of scales that belongs to src.",
		Ins:      Args{In("src", AnyTile)},
		Outs:     Args{Out("dst", TileIn(AnyElem, sem.FB))},
		Sem:      sem.ScaleAddress{},
		Cpp:      Calls("TASSIGN({dst}, GetScaleAddr({src}.data()))"),
		Access:   []Access{{Arg: "src"}, {Arg: "dst"}},
		Examples: []string{"%d = pto.tget_scale_addr %s : !pto.tile<64x64xf8E4M3FN, loc=left, blayout=col_major, slayout=row_major> -> !pto.tile<64x2x!pto.f8E8M0, loc=scaling, slayout=row_major, fractal=32>"},
	})
})
