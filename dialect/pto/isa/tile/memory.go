// This file defines loads, stores and table accesses.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// tileMemory is the chapter of the ISA manual on data movement between memories.
const tileMemory = "memory-and-data-movement"

// The element types of instructions that access global memory, for each target.
var (
	loadElems  = On{A2A3: standard, A5: standard | lowPrecision}
	tableElems = On{A2A3: Ints | Floats, A5: Ints | Floats | FP8 | HiF8}
)

// TLoad is pto.tload, which copies a region of a tensor in global memory to a tile.
var TLoad = Define("tload", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TLOAD"), Family: tileMemory, Pipe: sem.PipeMTE2,
		Doc: "Copies a part of a tensor in global memory into a tile.",
		Ins: Args{
			In("src", globalPart), Opt("pad_value", AnyScalar), Opt("left_padding_num", ir.Written(ir.Index)),
			Opt("right_padding_num", IntOrIndex), Opt("init_condition", AnyScalar),
		},
		Outs:   Args{Out("dst", TileIn(loadElems, sem.UB, sem.L1).Also(sem.OnA5, sem.FB, sem.L0A, sem.L0B, sem.BT))},
		Tensor: true,
		Order:  []string{"src", "dst", "pad_value", "left_padding_num", "right_padding_num", "init_condition"},
		DPS: ir.Asm("`ins` `(` $src `:` type($src) `)` `outs` `(` $dst `:` type($dst) `)` attr-dict (`pad_mode` `=` $pad_mode^)?" +
			" (`pad_value` `=` $pad_value^ `:` type($pad_value))? (`left_padding_num` `=` $left_padding_num^ `:` type($left_padding_num))?" +
			" (`init_out_buffer` `=` $init_out_buffer^)? (`right_padding_num` `=` $right_padding_num^ `:` type($right_padding_num))?" +
			" (`init_condition` `=` $init_condition^ `:` type($init_condition))? (`->` type($result)^)?"),
		Attrs: []ir.AttrDef{
			{Name: "pad_mode", Type: PadModeEnum, Optional: true, Doc: "what fills a tile beyond src"},
			{Name: "init_out_buffer", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "fill the tile first"},
			{Name: "cache_policy", Type: LoadCachePolicyEnum, Default: LoadCachePolicyEnum.Attr("default"), Doc: "l2_bypass: the load allocates no lines of the L2 cache"},
		},
		Sem:   sem.TileLoad{},
		Cpp:   Calls("TLOAD({dst}, {src})"), // padding comes from the type of the tile
		Rules: []Rule{SameElemSize(sem.OnAll, "src", "dst"), loadPad, copyLayouts{"src", "dst"}, loadPairs{}, loadRow{}, copyExtents{"src", "dst"}, copyStride("src", "dst"), copyPlanes("src", "dst"), columnPlanes, loadedSpaces, loadedElems, narrowBoxes, loadedShape, pairRows("dst")},
		Notes: []string{
			"dst: the tile page has vec only, the IR manual also mat, and on A5 names no space; public kernels load scales there, and samples also left, right and bias, which no hardware path does in one step: the headers of the ISA write nothing there.",
			"Extents: a part may be larger than the valid region of dst, as in public kernels; a smaller one is a warning and a fault when it runs, where the headers assert equality in debug builds alone.",
			"Layouts: those of the view and of dst must go together, as ISA page and headers have it; the IR manual has no rule. A layout that no attribute states follows from constant strides.",
			"Element types of one size may differ, as both manuals have it. The headers build that for rows into rows alone, not from rows into boxes of mat.",
			"The IR manual lists operands for padding, but does not define their meaning: the library pads according to the type of the tile. Here the padding is beside the columns of src, and a row must have room for both. A load without padding copies as many columns as the row has.",
			"Operands of 4-bit floats are not loaded directly: their columns count numbers, those of memory pairs, and no source says which pairs fill them.",
		},
		Examples: []string{"%t = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>"},
	})
})

// globalPart is the constraint on the global memory operand of tload and tstore. It
// accepts regions of tensors, and memrefs in global memory.
var globalPart = partRule{ir.OneOf(AnyPart, ir.TypeIf("a memref in gm", func(t ir.Type) bool {
	return ir.Is[ir.MemRefType](t) && SpaceOf(t) == sem.GM
}))}

// partRule is a constraint that accepts regions of tensors in global memory. For other
// types, it suggests how to create a region.
type partRule struct{ ir.Constraint }

// Hint implements ir.Hinter. It returns a note on how to create a region of a tensor from
// a value of type t, or "".
func (partRule) Hint(t ir.Type, _ *ir.Env) string {
	switch {
	case ir.Is[PtrType](t):
		return "'pto.make_tensor_view' makes a tensor from a pointer, and 'pto.partition_view' selects a part of it"
	case ir.Is[TensorView](t):
		return "'pto.partition_view' selects a part of a tensor"
	}
	return ""
}

// loadPad is a rule for tload of 64-bit elements on A5. The tile must have no padding, or
// padding with zeros, because the hardware cannot pad such elements with other values.
var loadPad = TileCheck{On: sem.OnA5, Args: []string{"dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	if Ints64.Has(t[0].Elem) && t[0].Pad > PadZero {
		return "pad of \"dst\" must be null or zero for " + t[0].Elem.String() + ", but is " + padAttr(t[0].Pad).Keyword()
	}
	return ""
}}

// loadPairs is a rule for tload with 4-bit numbers. In global memory, one byte holds a
// pair of numbers, and a load cannot separate the two. loadPairs therefore rejects
// destination tiles whose columns count single 4-bit numbers instead of pairs. The
// instruction pto.tmov can separate pairs.
type loadPairs struct{}

// Verify implements Rule. A load from global memory requires a destination whose elements
// are pairs of 4-bit numbers. Verify reports an error if the elements of the destination
// are single 4-bit numbers instead, as in an operand of a matrix product.
func (loadPairs) Verify(op *ir.Op, v *ir.Verifier) {
	dst, ok := TileArg(op, "dst")
	if !ok || !dst.Halves() {
		return
	}
	v.Errorf(op, "on target %s: \"dst\" in %s has elements of type %s, but a load from memory requires elements that are pairs of 4-bit numbers", sem.ProfileName(v.Target), dst.Space.Loc(), dst.Elem).
		Note(op.Loc(), fmt.Sprintf("load a tile of %dx%d pairs into mat, and unpack it with 'pto.tmov'", dst.Rows, (dst.Cols+1)/2))
}

// TPrefetch is pto.tprefetch, which requests that a region of a tensor is read into the
// cache.
var TPrefetch = Define("tprefetch", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TPREFETCH"), Family: tileMemory, Pipe: sem.PipeMTE2,
		Doc:      "Copies a part of a tensor in global memory into a tile ahead of its use.",
		Ins:      Args{In("src", AnyPart)},
		Outs:     Args{Out("dst", TileIn(loadElems, sem.UB, sem.L1))},
		Sem:      sem.TileLoad{},
		Rules:    []Rule{SameElemSize(sem.OnAll, "src", "dst"), prefetchElems, copyStride("src", "dst"), copyPlanes("src", "dst"), prefetchedRows},
		Examples: []string{"%t = pto.tprefetch %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>"},
	})
})

// prefetchElems is the rule that tprefetch reads a tensor with an element type that tload
// supports on the target.
var prefetchElems = Check(func(op *ir.Op, t ir.Target) string {
	if elem := ir.ElementType(ir.EnvOf(op, t).Type("src")); !loadElems.For(t).Has(elem) {
		return "\"src\" must have elements of type " + loadElems.For(t).String() + ", but has " + elem.String()
	}
	return ""
})

// TStore is pto.tstore, which copies the valid region of a tile to global memory.
var TStore = Define("tstore", func(name string) *ir.Def {
	return store(Op{
		Name: name, Page: IsaPage("TSTORE"), Family: tileMemory,
		Aliases: []string{"tstore.fp", "tstore_fp"},
		PipeOf: func(op *ir.Op, _ ir.Target) sem.Pipe {
			if src, _ := TileArg(op, "src"); src.Space == sem.L0C {
				return sem.PipeFix
			}
			return sem.PipeMTE3
		},
		Doc:    "Copies the valid region of a tile to a part of a tensor in global memory; out of acc it can scale, cut and convert.",
		Ins:    Args{In("src", TileIn(loadElems, sem.UB, sem.L1, sem.L0C)), Opt("fp", TileIn(FactorElem, sem.FB)), Opt("preQuantScalar", ir.Exactly(ir.I64))},
		Outs:   Args{Out("dst", globalPart)},
		Tensor: true,
		Order:  []string{"src", "dst", "fp", "preQuantScalar"},
		DPS: ir.AsmWith("`ins` `(` $src custom<factors>($fp) (`,` $preQuantScalar^ `:` type($preQuantScalar))? `)`"+
			" `outs` `(` $dst `:` type($dst) `)` attr-dict (`->` type($result)^)?",
			map[string]ir.Hook{"factors": {ParseFn: parseStoreFactors, PrintFn: printStoreFactors}}),
		Attrs: []ir.AttrDef{
			storePhase,
			{Name: "atomicType", Type: AtomicTypeEnum, Default: AtomicTypeEnum.Attr("atomic_none"), Doc: "how elements are combined with those in memory"},
			fixpipeRelu,
		},
		Sem:   sem.TileStore{},
		Rules: []Rule{fixpipe, storeTypes, doubtedStore{}, positiveDims("dst"), storeCount, copyLayouts{"dst", "src"}, copyExtents{"dst", "src"}, copyStride("dst", "src"), packedColumn, copyPlanes("dst", "src"), storedTypes, storedPairs, storedShape, storedBoxes, pairRows("src")},
		Notes: []string{
			"A2/A3, f32 in acc scaled into f16: the headers refuse it, a public compiler test has it; accepted with a warning.",
			"Layouts go together as for pto.tload; a tile of one row or one column is stored to any view, and acc to views in rows or boxes.",
			"A column (a col_major tile with one column) is stored as adjacent elements, whatever the stride between the rows of dst: the headers do so, and a production frontend relies on it. A warning states it where the stride is not 1.",
			"Stores that add: the ISA page has them for acc alone, the headers for vec, too (pto-isa:include/pto/npu/a2a3/TStore.hpp), of signed integers and floats up to 32 bits; public kernels add out of both.",
			"Products of f32 and a factor are rounded to f32, those of i32 are not; the public simulator rounds both. The manuals leave it open, and rounding twice is off by one near ties.",
			"The manuals leave open what precedes the offset: the data of the ISA's tests cuts products to 9 bits first, the public simulator only the sum, as here.",
		},
		Examples: []string{
			"pto.tstore %t, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()",
			"pto.tstore %sums, %factors, %p : (!pto.tile<32x32xi32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>, !pto.tile<1x32xui64, loc=scaling>, !pto.partition_tensor_view<32x32xf16>) -> ()",
		},
	})
})

// parseStoreFactors parses the text of a store after "%src": the type of src and the
// optional factors, as in "%src : T fp %factors : T".
func parseStoreFactors(p *ir.Parser, st *ir.OpParse) {
	if parseListedFactors(p, st) || !p.Accept("fp") {
		return
	}
	st.Operand("fp", p.Operand())
	p.Expect(":")
	st.OperandType("fp", p.Type())
}

// parseListedFactors parses the text after "%src": the type of src, or the factors and
// both types as in "%src, %factors : T, T". Versions before 0.57 and some frontends list
// them so. It reports whether there are factors.
func parseListedFactors(p *ir.Parser, st *ir.OpParse) bool {
	listed := p.Accept(",")
	if listed {
		st.Operand("fp", p.Operand())
	}
	p.Expect(":")
	st.OperandType("src", p.Type())
	if listed {
		p.Expect(",")
		st.OperandType("fp", p.Type())
	}
	return listed
}

// printStoreFactors prints the type of src and, if present, the factors as "fp %factors :
// T".
func printStoreFactors(w *ir.Printer, op *ir.Op) {
	w.Token(":")
	w.Type(op.Arg("src").Type())
	if fp := op.Arg("fp"); fp != nil {
		w.Token("fp")
		w.Value(fp)
		w.Token(":")
		w.Type(fp.Type())
	}
}

// store returns the definition of an instruction that writes to global memory. At Level
// 1, most instructions return their destination as a new SSA value. The destination of a
// store is an operand also at Level 1, because the instruction changes existing memory.
func store(o Op) *ir.Def {
	d := TileOp(o)
	ssa := d.Forms[0]
	ssa.Operands, ssa.Results = append(ssa.Operands, ssa.Results...), nil
	return d
}

// storeScaled lists the type conversions of stores from acc (L0C) that multiply by a
// scale. The key of the map is true for A5, and false for A2/A3. Each entry contains the
// element type of the tile and the legal element types in memory.
var storeScaled = map[bool][]cast{
	false: {{F32, Ints8}, {I32, Ints8 | F16}},
	true:  {{F32, Ints8 | F16 | BF16 | F32 | HiF8 | F8E4M3}, {I32, Ints8 | F16 | BF16}},
}

// storeDoubted lists pairs of element types, of tile and tensor, for stores that scale
// elements on A2/A3. Public sources disagree about these pairs: the headers reject them,
// but a test of the public compiler contains them.
var storeDoubted = []cast{{F32, F16}}

// doubtedStore is a rule that warns about certain stores with scaling on A2/A3. The list
// storeDoubted contains their pairs of element types. The NPU headers do not support
// these stores, although public programs use them.
type doubtedStore struct{}

// Verify implements Rule. It warns about a store with quantization factors if the NPU
// headers do not support its element types. Such a store is not an error, because public
// programs contain it.
func (doubtedStore) Verify(op *ir.Op, v *ir.Verifier) {
	src, ok := TileArg(op, "src")
	dst := TileInfo{Elem: ir.ElementType(op.Arg("dst").Type())}
	if ok && v.Target != sem.A5 && op.Arg("fp") != nil && castError(storeDoubted, 0, src, dst) == "" {
		WarnRejected(op, v, "on target %s: the NPU headers do not support a store that scales elements of type %s to type %s, although public programs use it", sem.ProfileName(v.Target), src.Elem, dst.Elem)
	}
}

// storeAdded are the element types for which a store can add to the contents of global
// memory.
const storeAdded = I8 | I16 | I32 | F16 | BF16 | F32

// storeCount is the rule that the tensor region of a tstore has as many elements as the
// valid region of the tile. It applies if both numbers are known and the tile is not
// empty.
var storeCount = Fact(func(op *ir.Op) string {
	env := ir.EnvOf(op, 0)
	src, _ := TileOf(env.Type("src"))
	dims, ok := ViewDims(env.Type("dst"))
	valid := src.VRows * src.VCols
	if !ok || op.Arg("fp") != nil || !src.StaticValid() || valid == 0 || !dims.Static() || dims.Elements() == valid {
		return ""
	}
	return fmt.Sprintf("the elements of \"dst\" must be as many as the valid elements of \"src\", but they are %d and %d", dims.Elements(), valid)
})

// storeTypes is the rule that a tstore has a legal combination of the memory space of its
// tile and the element types of tile and tensor.
var storeTypes = Check(func(op *ir.Op, t ir.Target) string {
	env := ir.EnvOf(op, t)
	src, ok := TileOf(env.Type("src"))
	dst := ir.ElementType(env.Type("dst"))
	scaled := op.Arg("fp") != nil || op.Arg("preQuantScalar") != nil
	added := op.Attr("atomicType").Keyword() == "atomic_add"
	switch {
	case !ok:
		return ""
	case added && !storeAdded.Has(dst):
		return fmt.Sprintf("an atomic add requires \"dst\" with elements of %s, but it has %s", storeAdded, dst)
	case src.Space == sem.L1 && t == sem.A5:
		return "\"src\" must be in vec or acc, but is in mat"
	case src.Space != sem.L0C:
		if ByteSize(src.Elem) != ByteSize(dst) {
			return fmt.Sprintf("elements of \"src\" and \"dst\" must have the same size, but are %s and %s", src.Elem, dst)
		}
		// No source defines how elements are added to those of another type.
		if added && !SameElement(src.Elem, dst) && !SameElement(dst, src.Elem) {
			return fmt.Sprintf("an atomic add requires \"src\" with elements of %s, like \"dst\", but it has %s", dst, src.Elem)
		}
		return ""
	case op.Arg("fp") != nil && !attrIs(op, "stPhase", "unspecified"):
		return "a store with \"fp\" must not have stPhase"
	case src.Cols > 4095 || src.VCols > 4095 || src.VCols == 0:
		return fmt.Sprintf("\"src\" in acc must have 1 to 4095 columns, but has %d, %d of them valid", src.Cols, src.VCols)
	case scaled:
		to := TileInfo{Elem: dst}
		if t != sem.A5 && op.Arg("fp") != nil && castError(storeDoubted, 0, src, to) == "" {
			return ""
		}
		return castError(storeScaled[t == sem.A5], 0, src, to)
	}
	return castError([]cast{{F32, F16 | BF16 | F32 | I32}, {I32, I32 | F16 | BF16 | F32}}, 0, src, TileInfo{Elem: dst})
})

// storePhase is the place of a copy out of acc in a sequence of accumulations.
var storePhase = ir.AttrDef{Name: "stPhase", Type: StPhaseEnum, Default: StPhaseEnum.Attr("unspecified"), Doc: "place in a sequence of accumulations"}

// positiveDims returns a rule that requires the known dimensions of the named tensor to
// be positive.
func positiveDims(name string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		dims, ok := ViewDims(ir.EnvOf(op, t).Type(name))
		if !ok {
			return ""
		}
		for i := range dims.Len() {
			if dims.At(i) <= 0 && dims.At(i) != ir.Dynamic {
				return fmt.Sprintf("extents of \"%s\" must be positive, but extent %d is %d", name, i, dims.At(i))
			}
		}
		return ""
	})
}

// MGather is pto.mgather, which copies rows or elements of a tensor to a tile by their
// indices. The pipe that executes it depends on the target and on the memory of the
// result.
var MGather = Define("mgather", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("MGATHER"), Family: tileMemory,
		PipeOf: func(op *ir.Op, t ir.Target) sem.Pipe {
			if dst, _ := TileArg(op, "dst"); dst.Space == sem.L1 || t != sem.A5 {
				return sem.PipeMTE2
			}
			return sem.PipeV
		},
		Doc: "Gathers rows or elements of a table in global memory, by the indices in idx.",
		Ins: Args{
			In("mem", globalPart),
			In("idx", ir.OneOf(VecTile(Both(Ints32)).Unboxed(sem.OnAll), AnyPart)),
			Opt("scratch", AnyPart),
		},
		Outs:  Args{Out("dst", TileIn(tableElems, sem.UB, sem.L1))},
		Order: []string{"mem", "idx", "dst", "scratch"},
		Attrs: []ir.AttrDef{
			{Name: "coalesce", Type: CoalesceEnum, Doc: "row: idx names rows of mem; elem: elements"},
			{Name: "gatherOob", Type: GatherOobEnum, Default: GatherOobEnum.Attr("undefined"), Doc: "the result for an index outside of mem"},
		},
		Sem:      sem.MemGather{},
		Cpp:      Calls("MGATHER<pto::Coalesce::{coalesce~}[, pto::GatherOOB::{gatherOob~}]>({dst}, {mem}, {idx}[, {scratch}])"),
		Access:   []Access{{Arg: "scratch", Read: true, Write: true}},
		Rules:    []Rule{EqualElements("mem", "dst"), gatherPlace, gatherShape("dst"), tableBoxes("dst"), tableRows("mem", "dst")},
		Examples: []string{"%d = pto.mgather %m, %i {coalesce = #pto<coalesce row>} : (!pto.partition_tensor_view<128x64xf32>, !pto.tile<1x16xi32>) -> !pto.tile<16x64xf32>"},
		Notes: []string{
			"A2/A3: the ISA manual's table calls it unimplemented, its page and the IR manual have it; accepted.",
			"Indices: the ISA page has ui32 besides i32, the IR manual has not; accepted.",
			"With coalesce elem, an index is the number of an element of mem, counted from the start of mem and without the gaps between its rows, as in the NPU headers and the simulator. Legal indices are less than the number of elements of mem.",
			tableBoxesNote,
			"dst on A5: the ISA page has col_major besides row_major, the IR manual has not; accepted.",
		},
	})
})

// gatherPlace is the rule that dst and the indices of an mgather are in compatible
// memories. A gather into mat reads its indices from global memory. If it gathers single
// elements, it also needs scratch memory.
var gatherPlace = Check(func(op *ir.Op, t ir.Target) string {
	dst, _ := TileArg(op, "dst")
	env := ir.EnvOf(op, t)
	_, inTile := TileOf(env.Type("idx"))
	scratch := op.Arg("scratch") != nil
	elem := attrIs(op, "coalesce", "elem")
	switch {
	case dst.Space == sem.UB && (!inTile || scratch):
		return "a gather into vec needs its indices in a tile, and must not have scratch memory"
	case dst.Space == sem.UB && t == sem.A5 && !(formND | formDN).Has(dst):
		return "\"dst\" must be " + (formND | formDN).String() + ", but is " + formOf(dst).String()
	case dst.Space == sem.UB: // tableBoxes checks the layouts on A2/A3
		return ""
	case inTile:
		return "a gather into mat needs its indices in global memory"
	case !Ints32.Has(ir.ElementType(env.Type("idx"))):
		return "\"idx\" must have elements of type " + Ints32.String() + ", but has " + ir.ElementType(env.Type("idx")).String()
	case formOf(dst) != formNZ || dst.Fractal != DefaultFractal:
		return "\"dst\" must be " + formNZ.String() + " with fractal=512"
	case dst.Rows%16 != 0 || dst.Cols*int64(ByteSize(dst.Elem))%32 != 0:
		return "\"dst\" must have a multiple of 16 rows, and each row must have a multiple of 32 bytes"
	case elem != scratch:
		return "scratch memory requires coalesce elem and a destination in mat"
	case scratch && ir.ElementType(env.Type("scratch")) != dst.Elem:
		return "\"scratch\" must have the element type of \"dst\""
	}
	return ""
})

// tableBoxesNote is the note on boxes of gathers from and scatters to global memory.
const tableBoxesNote = "Boxes in vec on A2/A3: the pages have none, the headers have them together with a table in layout nz of five dimensions; accepted. With coalesce elem, an index is then row * columns + column of the table, as the headers compute it."

// tableBoxes returns a rule on the layouts of a table in global memory and of the tile with
// the given name. On A2/A3, both can have boxes: those of the tile have 512 bytes, and the
// last two dimensions of the table are the rows and columns of a box.
func tableBoxes(name string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		tile, ok := TileArg(op, name)
		if !ok || t == sem.A5 || tile.Space != sem.UB {
			return ""
		}
		dims, _ := ViewDims(ir.EnvOf(op, t).Type("mem"))
		layout := LayoutOfView(SourceView(op.Arg("mem")))
		line := int64(32 / ByteSize(tile.Elem))
		switch form := formOf(tile); {
		case form == formND && layout == "nz":
			return fmt.Sprintf("if \"mem\" has layout nz, \"%s\" must be %s, but is %s", name, formNZ, formND)
		case form == formND:
			return ""
		case form != formNZ || tile.Fractal != DefaultFractal:
			return fmt.Sprintf("\"%s\" must be %s, or %s with fractal=512, but is %s", name, formND, formNZ, form)
		case layout != "" && layout != "nz":
			return fmt.Sprintf("if \"%s\" is %s, \"mem\" must have layout nz, but has %s", name, formNZ, layout)
		case dims.Len() != ViewRank:
			return fmt.Sprintf("if \"%s\" is %s, \"mem\" must have %d dimensions, but has %d", name, formNZ, ViewRank, dims.Len())
		case !MaybeEqual(dims.At(3), 16) || !MaybeEqual(dims.At(4), line):
			return fmt.Sprintf("the last dimensions of \"mem\" must be those of a box, 16x%d, but are %sx%s", line, extent(dims.At(3)), extent(dims.At(4)))
		case attrIs(op, "coalesce", "row") && dims.At(0) != ir.Dynamic && dims.At(1) != ir.Dynamic && !MaybeEqual(dims.At(0)*dims.At(1)*line, tile.VCols):
			return fmt.Sprintf("with coalesce row, \"%s\" must have as many valid columns as the rows of \"mem\", %d, but has %d", name, dims.At(0)*dims.At(1)*line, tile.VCols)
		}
		return ""
	})
}

// gatherShape returns a rule on the shape of the index tile idx of a gather or scatter.
// data is the name of the tile operand with the data. The attribute coalesce selects one
// of two shapes. Either idx has one index for each element of data, or idx is a row or
// column with one index for each row of data.
func gatherShape(data string) Rule {
	return TileCheck{On: sem.OnAll, Args: []string{"idx", data}, Check: func(op *ir.Op, t []TileInfo) string {
		idx, d := t[0], t[1]
		mode := op.Attr("coalesce").Keyword()
		across := MaybeEqual(idx.VRows, 1) && MaybeEqual(idx.VCols, d.VRows)
		down := MaybeEqual(idx.VCols, 1) && MaybeEqual(idx.VRows, d.VRows)
		row := across && (mode == "" || idx.BLayout == RowMajor) || down && (mode == "" || idx.BLayout == ColMajor)
		elem := sameExtent(idx, d)
		switch {
		case mode == "row" && !row:
			return "with coalesce row \"idx\" must be a row or column with an index for each valid row of \"" + data + "\""
		case mode == "elem" && !elem:
			return "with coalesce elem \"idx\" must have the valid region of \"" + data + "\""
		case !row && !elem:
			return "\"idx\" must have the valid region of \"" + data + "\", or an index for each valid row"
		}
		return ""
	}}
}

// MScatter is pto.mscatter, which copies rows or elements of a tile to a tensor. A tile
// of indices determines their positions in the tensor.
var MScatter = Define("mscatter", func(name string) *ir.Def {
	return store(Op{
		Name: name, Page: IsaPage("MSCATTER"), Family: tileMemory,
		PipeOf: func(_ *ir.Op, t ir.Target) sem.Pipe {
			if t == sem.A5 {
				return sem.PipeV
			}
			return sem.PipeMTE3
		},
		Doc:  "Scatters the rows or elements of src to a table in global memory, by the indices in idx.",
		Ins:  Args{In("src", RowMajorTile(tableElems, sem.OnA5).Unboxed(sem.OnA5)), In("idx", VecTile(Both(Ints32)).Unboxed(sem.OnAll))},
		Outs: Args{Out("mem", globalPart)},
		Attrs: []ir.AttrDef{
			{Name: "coalesce", Type: CoalesceEnum, Optional: true, Doc: "row: idx names rows of mem; elem: elements; the shape of idx decides if left out"},
			{Name: "scatterAtomicOp", Type: ScatterAtomicOpEnum, Default: ScatterAtomicOpEnum.Attr("none"), Doc: "how elements are combined with those in memory"},
			{Name: "scatterOob", Type: ScatterOobEnum, Default: ScatterOobEnum.Attr("undefined"), Doc: "what becomes of elements whose index is outside of mem"},
			{Name: "scatterConflict", Type: ScatterConflictEnum, Optional: true, Doc: "which of several elements for one place wins"},
		},
		Sem:   sem.MemScatter{},
		Cpp:   Calls("MSCATTER<[pto::Coalesce::{coalesce~}][, pto::ScatterAtomicOp::{scatterAtomicOp~}][, pto::ScatterOOB::{scatterOob~}][, pto::ScatterConflict::{scatterConflict~}]>({mem}, {src}, {idx})"),
		Rules: []Rule{EqualElements("src", "mem"), gatherShape("src"), tableBoxes("src"), scatterModes, scatteredExtremes, tableRows("mem", "src")},
		Notes: []string{
			"A2/A3: the ISA manual's table calls it unimplemented, its page and the IR manual have it; accepted.",
			"Atomics: the IR manual has add for i32, f16 and f32, max and min for i32 and f32, the ISA page more; all documented types are accepted.",
			"Indices: the ISA page has ui32 besides i32, the IR manual has not; accepted.",
			"With coalesce elem an index counts elements from the start of mem, as for pto.mgather.",
			tableBoxesNote,
		},
		Examples: []string{"pto.mscatter %s, %i, %m : (!pto.tile<16x64xf32>, !pto.tile<1x16xi32>, !pto.partition_tensor_view<128x64xf32>) -> ()"},
	})
})

// scatterModes is the rule that requires legal combinations of the attributes of mscatter
// for atomic operations and for conflicting indices.
var scatterModes = Check(func(op *ir.Op, t ir.Target) string {
	src, _ := TileArg(op, "src")
	atomic := op.Attr("scatterAtomicOp").Keyword()
	allowed := ^Elems(0)
	switch {
	case atomic == "add" && t == sem.A5:
		allowed = Ints32 | F16 | BF16 | F32
	case atomic == "add":
		allowed = I8 | I16 | I32 | F16 | BF16 | F32
	case (atomic == "max" || atomic == "min") && t == sem.A5:
		allowed = Ints32 | F32
	case atomic == "max" || atomic == "min":
		allowed = I32 | F32
	}
	switch {
	case !allowed.Has(src.Elem):
		return fmt.Sprintf("atomic %s is for %s, but \"src\" has %s", atomic, allowed, src.Elem)
	case op.HasAttr("scatterConflict") && t != sem.A5:
		return "scatterConflict is not available"
	case !op.HasAttr("coalesce") && (op.HasAttr("scatterAtomicOp") || op.HasAttr("scatterOob") || op.HasAttr("scatterConflict")):
		return "needs coalesce besides scatterAtomicOp, scatterOob or scatterConflict"
	}
	return ""
})
