// This file defines the instructions of the patch engine (img2col).

package tile

import (
	"fmt"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The patch engine: on the way from mat to left, it unrolls the patches of a
// feature map into rows, so that a product of matrices is a convolution.

// fmatrixConfig accepts values of type !pto.fmatrix_config, which describe a feature map
// and its patches.
var fmatrixConfig = ir.TypeIf("a !pto.fmatrix_config", func(t ir.Type) bool { return IsPatches(t) })

// IsPatches reports whether t is !pto.fmatrix_config, the type of values that describe a
// feature map and its patches.
func IsPatches(t ir.Type) bool {
	h, ok := ir.As[Handle](t)
	return ok && h.Name == "fmatrix_config"
}

// MakeFMatrixConfig is pto.make_fmatrix_config, which returns a description of a feature
// map and its patches.
var MakeFMatrixConfig = Define("make_fmatrix_config", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "tile", Family: configFamily, Page: IsaPage("TIMG2COL"), Pipe: sem.PipeS,
		Doc: "Describes a feature map and the patches that pto.timg2col makes of it.",
		Ins: Args{
			Many("fmap", Index), Many("pads", Index), Many("filter", Index), Many("strides", Index),
			Many("dilations", Index), Opt("channels", Index), Opt("pad_value", AnyScalar), Many("repeat", Index),
		},
		Outs:   Args{Out("result", fmatrixConfig)},
		Attrs:  []ir.AttrDef{{Name: "transpose", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "whether patches become columns"}},
		Traits: ir.Pure,
		Sem:    sem.MakePatches{},
		Rules:  []Rule{patchLists, patchLimits{}},
		Syntax: ir.Asm("`fmap` `(` $fmap `)` (`pads` `(` $pads^ `)`)? (`filter` `(` $filter^ `)`)? (`strides` `(` $strides^ `)`)?" +
			" (`dilations` `(` $dilations^ `)`)? (`channels` `(` $channels^ `)`)? (`pad_value` `(` $pad_value^ `:` type($pad_value) `)`)?" +
			" (`repeat` `(` $repeat^ `)`)? attr-dict `:` type($result)"),
		Examples: []string{
			"%cfg = pto.make_fmatrix_config fmap(%h, %w) : !pto.fmatrix_config",
			"%cfg = pto.make_fmatrix_config fmap(%h, %w) pads(%l, %r, %t, %b) filter(%fh, %fw) strides(%sh, %sw) dilations(%dh, %dw) channels(%c) pad_value(%v : f16) repeat(%s, %n, %m) {transpose = true} : !pto.fmatrix_config",
		},
		Notes: []string{
			"This instruction is ours: the public text has the type, but nothing that makes a value of it. Its fields are those of the configuration tile of the C++ form, in its ranges and with its defaults; height comes before width, and pads are left, right, top, bottom.",
			"channels is a multiple of those in 32 bytes; without it, or with 0, src of pto.timg2col holds one map.",
			"repeat is stride, number and mode: 0 along the patches, in units of 16, 1 along their elements, in units of 32 bytes.",
			"The C++ form also has dst_stride and dst_m_position; the type of dst names its memory.",
		},
	})
})

// patchLists is the rule on the operand lists that set parameters of the patch engine.
// The number of operands in each list must be the number of parameters that the list
// sets.
var patchLists = Fact(sem.PatchListFault)

// patchLimits is a rule that requires constant parameters of the patch engine to be in
// range, and a padding element of a supported width.
type patchLimits struct{}

// Verify implements Rule. It reports constant parameters that are out of range.
func (patchLimits) Verify(op *ir.Op, v *ir.Verifier) {
	for _, f := range sem.PatchValues(op) {
		if n, known := ConstantInt(f.Value); known {
			if msg := f.Fault(n); msg != "" {
				v.Errorf(op, "%s", msg)
			}
		}
	}
	if pad := op.Arg("pad_value"); pad != nil && !patchElems.A5.Has(pad.Type()) {
		v.Errorf(op, "\"pad_value\" must be %s, but is %s", patchElems.A5, pad.Type())
	}
}

// patchElems are the legal element types of the feature maps of a convolution. A2/A3
// support fewer types than A5.
var patchElems = On{A2A3: I8 | F16 | BF16 | F32, A5: Ints | Floats}

// setting declares an instruction that sets parameters of the patch engine. set lists the
// parameters that the instruction sets, and c is the constraint on its operand, the
// configuration. page is the name of the manual page, and doc is the description for the
// reference page.
func setting(name, page, doc string, set sem.SetPatches, c ir.Constraint, notes ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: configPage(page), Family: configFamily, Pipe: sem.PipeS, Doc: doc,
			Aliases:  []string{"t" + name, strings.ToUpper(name)},
			Ins:      Args{In("cfg", c)},
			Sem:      set,
			Examples: []string{"pto." + name + " %cfg : !pto.fmatrix_config -> ()"},
			Notes:    append(notes, "The public text of earlier versions calls it t"+name+"."),
		})
	})
}

// Definitions of the instructions that set parameters of the patch engine, which copies
// patches of a feature map into rows of a matrix.
var (
	SetFMatrix = setting("setfmatrix", "setfmatrix", "Sets the feature map and its patches.", sem.SetPatches{From: sem.FmapH, To: sem.Transpose},
		ir.OneOf(TileIn(AnyElem, sem.L1, sem.L0A, sem.L0B, sem.L0C), fmatrixConfig),
		"In one public page the operand is a configuration, in another page a tile. A tile defines a feature map of height 1, as for pto.textract, with a position for each row and a channel for each column.",
		"C++ gives the filter and what belongs to it to TIMG2COL itself; here all geometry comes from this setting. There is one set of registers: the IR does not choose between A and B.")
	SetImg2ColRpt = setting("set_img2col_rpt", "set-img2col-rpt", "Sets how often the patch engine repeats.", sem.SetPatches{From: sem.RepeatStride, To: sem.RepeatMode},
		ir.OneOf(TileIn(AnyElem, sem.L1), fmatrixConfig),
		"A tile as operand sets one repetition. One repetition is also the default before the first setting.")
	SetImg2ColPadding = setting("set_img2col_padding", "set-img2col-padding", "Sets the element that the patch engine pads with.", sem.SetPatches{From: sem.PadBits, To: sem.PadBits},
		ir.OneOf(TileIn(AnyElem, sem.L1), fmatrixConfig),
		"A tile as operand sets the padding of its type. Before the first setting, the padding is zero.")
)

// TImg2Col is pto.timg2col, which copies patches of a feature map into rows of a matrix.
var TImg2Col = Define("timg2col", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TIMG2COL"), Family: layoutFamily, Pipe: sem.PipeMTE1,
		Doc: "Unrolls the patches of a feature map into the rows of a matrix, from element posK of patch posM on.",
		Ins: Args{
			In("src", TileIn(patchElems, sem.L1)),
			Opt("posM", windowIndex), Opt("posK", windowIndex),
		},
		Outs:  Args{Out("dst", LikeTile("src").InSpaces(sem.L0A).Boxed(RowMajor, sem.OnAll))},
		Attrs: patchAttrs(),
		Sem:   sem.TileImg2Col{},
		Rules: []Rule{mapLayout, patchStart, Fact(sem.OwnPatchFault)},
		Notes: []string{
			"The geometry comes from pto.setfmatrix, pto.set_img2col_rpt and pto.set_img2col_padding, or from the attributes, which a public thread proposes (PTOAS 1514). Attributes set all registers: one repetition, padding with zero, and the defaults 1 for strides and dilations and 0 for padding. C++ has the geometry in a ConvTile, which contains the feature map, at each call; so the settings must be constant and outside of loops and branches.",
			"posM and posK are those of the C++ form, 0 if left out; the pages of the IR leave them out.",
			"src is NC1HWC0: rows of 32 bytes, one for each block of channels, line and place, as pto.tload makes them of a view of five dimensions; or, which is the same storage for one map, boxes col_major/row_major with a row for each place and a column for each channel.",
			"Patches past the last patch, and elements past the last channel, are padding, as in the public simulator. The simulator ignores repetitions. Here each repetition fills the storage of dst that follows the previous repetition, as in the interface of the hardware.",
			"The order of boxes in left follows from the profile; either form is accepted.",
		},
		Examples: []string{
			"%d = pto.timg2col %s : !pto.tile<64x16xf16, loc=mat> -> !pto.tile<64x32xf16, loc=left, slayout=row_major>",
			"pto.timg2col ins(%s, %m, %k : !pto.tile_buf<mat, 64x32xf16, blayout=col_major, slayout=row_major>, index, index) outs(%d : !pto.tile_buf<left, 16x32xf16, slayout=row_major>) {fmap_h = 8 : i64, fmap_w = 8 : i64, kernel_h = 3 : i64, kernel_w = 3 : i64}",
			"%d = pto.timg2col %s, %m, %k : (!pto.tile<64x32xf16, loc=mat, blayout=col_major, slayout=row_major>, index, index) -> !pto.tile<16x16xf16, loc=left, slayout=row_major>",
		},
	})
})

// patchAttrs declares the attributes of timg2col that set the parameters of the patches.
func patchAttrs() []ir.AttrDef {
	var all []ir.AttrDef
	for _, a := range sem.PatchAttrs() {
		all = append(all, ir.AttrDef{Name: a.Name, Type: IntIn(ir.I64, a.Min, a.Max), Optional: true})
	}
	return all
}

// BlockBytes is the size in bytes of a block of channels in a feature map.
const BlockBytes = 32

// mapLayout is the rule that the feature map and the result of timg2col have the layouts
// that the patch engine supports.
var mapLayout = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	src := t[0]
	switch n := int64(BlockBytes / ByteSize(src.Elem)); {
	case formOf(src)&(formND|formNZ) == 0:
		return "\"src\" must be " + (formND | formNZ).String() + ", but is " + formOf(src).String()
	case formOf(src) == formND && src.Cols != n:
		return fmt.Sprintf("\"src\" must have rows of %d elements, %d bytes, or be %s, but its rows have %d", n, BlockBytes, formNZ, src.Cols)
	case formOf(src) == formNZ && src.Cols%n != 0:
		return fmt.Sprintf("\"src\" must have a multiple of %d columns, %d bytes, but has %d", n, BlockBytes, src.Cols)
	}
	for i, info := range t {
		if info.SLayout != NoneBox && info.Fractal != 512 {
			return fmt.Sprintf("\"%s\" must have fractal=512, but has %d", []string{"src", "dst"}[i], info.Fractal)
		}
	}
	return ""
}}

// MaxPatchStart is the largest first row or column of patches that the fields of the
// timg2col instruction can hold.
const MaxPatchStart = 1<<16 - 1

// PatchStartFault returns a message if n, the value of operand arg (the first row or
// column of patches), is out of range, and "" otherwise.
func PatchStartFault(arg string, n int64) string {
	if 0 <= n && n <= MaxPatchStart {
		return ""
	}
	return fmt.Sprintf("\"%s\" must be from 0 to %d, but is %d", arg, MaxPatchStart, n)
}

// patchStart is the rule on the operands posM and posK, the first row and the first
// column of a patch matrix. If they are constant, they must be in range.
var patchStart = Fact(func(op *ir.Op) string {
	for _, arg := range []string{"posM", "posK"} {
		if n, known := ConstantInt(op.Arg(arg)); known {
			if msg := PatchStartFault(arg, n); msg != "" {
				return msg
			}
		}
	}
	return ""
})

// TilePatches returns the parameters of img2col for a tile that is interpreted as a
// feature map. The map has height 1, one position for each row of the tile, and one
// channel for each column of the tile. Each patch consists of one position.
func TilePatches(t TileInfo) [sem.NumPatchFields]int64 {
	fields := sem.UnsetPatches()
	fields[sem.FmapH], fields[sem.FmapW], fields[sem.MapChannels] = 1, t.Rows, t.Cols
	return fields
}
