// This file emits img2col.

package cpp

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// makePatches and setPatches emit nothing: the settings of the patch engine become
// arguments of the calls that use them (img2col).
func (f *function) makePatches(*ir.Op, sem.MakePatches) {}

func (f *function) setPatches(*ir.Op, sem.SetPatches) {}

// patchesAt returns the parameters of the patch engine at op, a timg2col. The bool result
// is false if they are not constants. They are those of op, or those of the settings that
// precede op in the outermost block of a kernel.
func (f *function) patchesAt(op *ir.Op) (g [sem.NumPatchFields]int64, constant bool) {
	g, own := sem.OwnPatches(op)
	if own {
		return g, true
	}
	outermost := f.op.Region(0).Entry()
	if !f.isEntry(f.op) || setsPatchesElsewhere(f.op, outermost) {
		return g, false
	}
	top := op
	for top.Block() != outermost {
		top = top.Parent()
	}
	for o := outermost.First(); o != top; o = o.Next() {
		kind, sets := o.Def().Sem.(sem.SetPatches)
		if !sets {
			continue
		}
		fields, ok := patchesOf(sem.PatchesOf(o).Configuration.Value)
		if !ok {
			return g, false
		}
		copy(g[kind.From:kind.To+1], fields[kind.From:])
	}
	return g, true
}

// setsPatchesElsewhere reports whether a function that f calls, an instruction inside of
// the outermost block of f or a timg2col of f sets parameters of the patch engine.
func setsPatchesElsewhere(f *ir.Op, outermost *ir.Block) bool {
	for _, g := range analysis.Reached([]*ir.Op{f}) {
		for o := range g.Walk() {
			_, sets := o.Def().Sem.(sem.SetPatches)
			_, own := sem.OwnPatches(o)
			_, reads := o.Def().Sem.(sem.TileImg2Col)
			if sets && o.Block() != outermost || own && reads {
				return true
			}
		}
	}
	return false
}

// patchesOf returns the parameters that a configuration states: a tile, or a value of
// pto.make_fmatrix_config. The bool result is false if they are not constants.
func patchesOf(cfg *ir.Value) (g [sem.NumPatchFields]int64, ok bool) {
	if t, isTile := pto.TileOf(cfg.Type()); isTile {
		return isatile.TilePatches(t), t.Pad == pto.PadNull
	}
	if cfg.Op() == nil {
		return g, false
	}
	if _, makes := cfg.Op().Def().Sem.(sem.MakePatches); !makes {
		return g, false
	}
	for i, v := range sem.PatchValues(cfg.Op()) {
		g[i] = v.Number
		if v.Value != nil {
			n, known := arith.ConstantInt(v.Value)
			if !known {
				return g, false
			}
			g[i] = n
		}
	}
	return g, true
}

// img2col emits pto.timg2col. The library reads a feature map and the geometry of its
// patches from a ConvTile. It gets one in the storage of the source tile.
func (f *function) img2col(op *ir.Op, _ sem.TileImg2Col) {
	g, constant := f.patchesAt(op)
	repeats := g[sem.RepeatTime] != 1 && (g[sem.RepeatStride] != 0 || g[sem.RepeatMode] != 0)
	if area := g[sem.FmapH] * g[sem.FmapW]; !constant || area == 0 || repeats || g[sem.Transpose] != 0 || g[sem.PadBits] != 0 {
		f.errorf(op, "cannot be written as C++: the library expects the geometry of the patches at the call, as constants").
			Note(ir.Loc{}, "give it as attributes: {fmap_h, fmap_w, kernel_h, kernel_w, ...}")
		return
	}
	dst, src := ends(op)
	from, _ := pto.TileOf(src.Type())
	channels := int64(isatile.BlockBytes / pto.ByteSize(from.Elem)) // of a block
	blocks := from.Rows * from.Cols / (g[sem.FmapH] * g[sem.FmapW] * channels)
	if n := g[sem.MapChannels] / channels; n > 0 {
		blocks = min(blocks, n)
	}
	if blocks == 0 {
		f.errorf(op, "reads a feature map of %dx%d elements, but \"src\" has only %d elements", g[sem.FmapH], g[sem.FmapW], from.Rows*from.Cols)
		return
	}
	name := f.number("v")
	f.line(fmt.Sprintf("pto::ConvTile<TileType::Mat, %s, %d, pto::Layout::NC1HWC0, pto::ConvTileShape<1, %d, %d, %d, %d>> %s;",
		elemType(from.Elem), from.Rows*from.Cols, blocks, g[sem.FmapH], g[sem.FmapW], channels, name))
	f.line(fmt.Sprintf("TASSIGN(%s, %s);", name, f.addressOfTile(src)))
	pads := f.number("v")
	f.line(fmt.Sprintf("uint8_t %s[] = {%d, %d, %d, %d};  // left, right, top, bottom", pads, g[sem.PadLeft], g[sem.PadRight], g[sem.PadTop], g[sem.PadBottom]))
	f.line(name, ".SetPadListArray(", pads, ");")
	for _, set := range []struct {
		name string
		n    int64
	}{
		{"FmapH", g[sem.FmapH]}, {"FmapW", g[sem.FmapW]}, {"FilterH", g[sem.FilterH]}, {"FilterW", g[sem.FilterW]},
		{"StrideH", g[sem.StrideH]}, {"StrideW", g[sem.StrideW]}, {"DilationH", g[sem.DilationH]}, {"DilationW", g[sem.DilationW]},
		{"ChannelSize", blocks * channels}, {"RepeatTime", g[sem.RepeatTime]},
	} {
		f.line(fmt.Sprintf("%s.Set%s(%d);", name, set.name, set.n))
	}
	args := []string{f.value(dst), name}
	if start := sem.PatchesOf(op); start.Row.Given() || start.Col.Given() {
		args = append(args, f.patchStart(start.Row), f.patchStart(start.Col))
	}
	f.invoke(op, "TIMG2COL", []string{f.typeOf(dst), "decltype(" + name + ")", "pto::SetFmatrixMode::FMATRIX_A_AUTO"}, args)
}

// patchStart returns the expression for the first row or column of the patches.
func (f *function) patchStart(o sem.Operand) string {
	if !o.Given() {
		return "0"
	}
	return "(uint16_t)" + f.value(o.Value)
}
