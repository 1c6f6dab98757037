// This file emits img2col.

package llvm

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// patches are the parameters of a feature map and of the convolution window. The
// instruction img2col rewrites each window position (patch) of the map as a row of a
// matrix.
type patches [sem.NumPatchFields]value.Value

// patchParts lists the LLVM types of the parts of a value that describes a feature map
// and a convolution window. The value has sem.NumPatchFields parts of type i64.
var patchParts = func() (ts []types.Type) {
	for range sem.NumPatchFields {
		ts = append(ts, ll.I64)
	}
	return ts
}()

// makePatches emits a value that holds the parameters of a feature map and a convolution
// window.
func (f *function) makePatches(op *ir.Op, _ sem.MakePatches) {
	fields := sem.PatchValues(op)
	p := make(parts, len(fields))
	for i, field := range fields {
		p[i] = ll.Index(field.Number)
		if field.Value == nil {
			continue
		}
		p[i] = f.word(field.Value)
		if least, most, limited := field.Limits(); limited {
			f.trapUnless(p[i], least, most)
		}
	}
	f.set(op.Result(0), p...)
}

// trapUnless emits a trap that is executed unless x is in the range from least to most,
// both included.
func (f *function) trapUnless(x value.Value, least, most int64) {
	if n, known := ll.ConstantInt(x); !known || n < least || n > most {
		f.TrapIf(f.ICmp(enum.IPredUGT, f.Sub(x, ll.Index(least)), ll.Index(most-least)))
	}
}

// patchState returns the name of the core register for parameter i of the patch engine.
// All registers are initially zero, but some parameters have another default value. The
// register therefore holds the difference between the parameter and its default value.
func patchState(i sem.PatchField) string { return fmt.Sprintf("patches.%d", i) }

// setPatches emits writes of the parameters of img2col to the registers of the patch
// engine.
func (f *function) setPatches(op *ir.Op, kind sem.SetPatches) {
	fields, ok := f.patchesOf(op, sem.PatchesOf(op).Configuration.Value)
	if !ok {
		return
	}
	unset := sem.UnsetPatches()
	for i := kind.From; i <= kind.To; i++ {
		f.setState(patchState(i), f.Sub(fields[i], ll.Index(unset[i])))
	}
}

// patchesOf returns the img2col parameters that v describes. If v is a tile, its type
// contains the parameters; otherwise v is a value that consists of them. The result ok is
// false after an error.
func (f *function) patchesOf(op *ir.Op, v *ir.Value) (g patches, ok bool) {
	if !pto.IsTile(v.Type()) {
		copy(g[:], f.parts(v))
		return g, true
	}
	t, ok := f.tileOf(op, v)
	if !ok {
		return g, false
	}
	for i, n := range isatile.TilePatches(t.info) {
		g[i] = ll.Index(n)
	}
	g[sem.PadBits] = f.Resize(f.Bits(f.padOf(&t)), ll.I64, false)
	return g, true
}

// registeredPatches emits loads of the img2col parameters that an earlier instruction has
// written to the registers of the patch engine. It returns the loaded parameters.
func (f *function) registeredPatches() (g patches) {
	for i, n := range sem.UnsetPatches() {
		g[i] = f.Add(f.state(patchState(sem.PatchField(i))), ll.Index(n))
	}
	return g
}

// featureMaps describes the feature maps that a tile contains, for img2col.
type featureMaps struct {
	patches
	tile *tile
	// c0 is the number of elements in a block of channels.
	c0 int64
	// count is the number of feature maps in the tile.
	count value.Value
	// blocks is the number of channel blocks of each map.
	blocks value.Value
	// outH and outW are the numbers of window positions (patches) along the height and
	// the width of a map.
	outH, outW value.Value
	// filter is the number of positions in the convolution window, and area the number of
	// positions in a map.
	filter, area value.Value
}

// img2col emits pto.timg2col, which copies the patches of a feature map into the rows of
// a matrix.
func (f *function) img2col(op *ir.Op, _ sem.TileImg2Col) {
	src, dst, ok := f.sourceAndDestination(op)
	if !ok {
		return
	}
	if fields, own := sem.OwnPatches(op); own {
		for i, n := range sem.UnsetPatches() {
			f.setState(patchState(sem.PatchField(i)), ll.Index(fields[i]-n))
		}
	}
	o := sem.PatchesOf(op)
	posM, posK := f.patchStart(o.Row), f.patchStart(o.Col)
	maps := f.featureMaps(&src)
	transposed := f.ICmp(enum.IPredNE, maps.patches[sem.Transpose], ll.Index(0))
	along := f.ICmp(enum.IPredEQ, maps.patches[sem.RepeatMode], ll.Index(0)) // along the patches
	times, size := maps.patches[sem.RepeatTime], dst.info.PackedBytes()
	whole := f.ICmp(enum.IPredEQ, dst.pitch, ll.Index(dst.info.Pitch())) // no part of another tile
	f.TrapIf(f.ICmp(enum.IPredSGT, times, f.Select(whole, ll.Index(dst.info.Footprint()/size), ll.Index(1))))
	f.Loop("repetition", times, func(n value.Value) {
		step := f.Mul(n, maps.patches[sem.RepeatStride])
		m := f.Add(posM, f.Select(along, f.Mul(step, ll.Index(16)), ll.Index(0)))
		k := f.Add(posK, f.Select(along, ll.Index(0), f.Mul(step, ll.Index(maps.c0))))
		to := dst
		to.base = f.offset(dst.base, f.Mul(n, ll.Index(size)))
		f.unroll(&maps, m, k, f.Select(transposed, dst.cols, dst.rows), f.Select(transposed, dst.rows, dst.cols), func(i, j, x value.Value) {
			f.put(&to, f.Select(transposed, j, i), f.Select(transposed, i, j), x)
		})
	})
}

// patchStart emits the value of operand o as an i64. The operand is the index of the
// first patch, or of the first element, that an instruction reads. The emitted code traps
// if the index is outside the range 0 to MaxPatchStart.
func (f *function) patchStart(o sem.Operand) value.Value {
	n := f.Resize(f.index(o), ll.I64, true)
	f.trapUnless(n, 0, isatile.MaxPatchStart)
	return n
}

// featureMaps returns a description of the feature maps in the tile src. Invalid
// parameters are a fault.
func (f *function) featureMaps(src *tile) featureMaps {
	g := f.registeredPatches()
	f.TrapIf(f.ICmp(enum.IPredEQ, g[sem.FmapH], ll.Index(0)))
	maps := featureMaps{
		patches: g, tile: src, c0: isatile.BlockBytes / int64(src.e.size),
		filter: f.Mul(g[sem.FilterH], g[sem.FilterW]), area: f.Mul(g[sem.FmapH], g[sem.FmapW]),
	}
	places := func(size, before, behind, filter, dilation, stride sem.PatchField) value.Value {
		covered := f.Add(f.Mul(g[dilation], f.Sub(g[filter], ll.Index(1))), ll.Index(1))
		free := f.Sub(f.Add(g[size], f.Add(g[before], g[behind])), covered)
		f.TrapIf(f.ICmp(enum.IPredSLT, free, ll.Index(0)))
		return f.Add(f.UDiv(free, g[stride]), ll.Index(1))
	}
	maps.outH = places(sem.FmapH, sem.PadTop, sem.PadBottom, sem.FilterH, sem.DilationH, sem.StrideH)
	maps.outW = places(sem.FmapW, sem.PadLeft, sem.PadRight, sem.FilterW, sem.DilationW, sem.StrideW)
	rows := f.mapRows(src, &maps)
	channels := g[sem.MapChannels]
	f.TrapIf(f.ICmp(enum.IPredNE, f.Rem(channels, maps.c0), ll.Index(0)))
	one := f.ICmp(enum.IPredEQ, channels, ll.Index(0)) // map
	maps.blocks = f.Select(one, f.UDiv(rows, maps.area), f.Quo(channels, maps.c0))
	f.TrapIf(f.ICmp(enum.IPredEQ, maps.blocks, ll.Index(0)))
	maps.count = f.Select(one, ll.Index(1), f.UDiv(rows, f.Mul(maps.blocks, maps.area)))
	f.TrapIf(f.ICmp(enum.IPredEQ, maps.count, ll.Index(0)))
	return maps
}

// mapRows emits the number of channel blocks that the tile src contains. A channel block
// consists of adjacent channels at one position of the feature map; in a tile without
// boxes, it is a row. The emitted code traps if the layout of src does not fit the
// feature map.
func (f *function) mapRows(src *tile, maps *featureMaps) value.Value {
	if src.box.rows == 0 {
		f.TrapIf(f.ICmp(enum.IPredNE, src.pitch, ll.Index(maps.c0)))
		return src.rows
	}
	apart := f.And(f.ICmp(enum.IPredSGT, src.cols, ll.Index(maps.c0)), f.ICmp(enum.IPredNE, src.pitch, maps.area))
	f.TrapIf(f.Or(f.ICmp(enum.IPredSLT, src.rows, maps.area), apart))
	return f.Mul(f.Quo(src.cols, maps.c0), maps.area)
}

// unroll emits loops over the given numbers of patches and of elements of each patch,
// starting at element k of patch m. It calls the function put for each element, with the
// position (i, j) of the element relative to the start and with its value x.
func (f *function) unroll(maps *featureMaps, m, k, patches, elems value.Value, put func(i, j, x value.Value)) {
	e := maps.tile.e
	pad := f.Bitcast(f.Trunc(maps.patches[sem.PadBits], ll.IntType(8*e.size)), e.t)
	first := f.Quo(k, maps.c0)
	skipped := f.Sub(f.Mul(first, ll.Index(maps.c0)), k) // elements of that block, as a number below 0
	f.Loop("patch", patches, func(i value.Value) {
		f.Loop("block", f.Sub(f.CeilQuo(f.Add(k, elems), maps.c0), first), func(b value.Value) {
			at, inside := f.patchBlock(maps, f.Add(m, i), f.Add(first, b))
			start := f.Add(skipped, f.Mul(b, ll.Index(maps.c0)))
			from := f.MaxInt(f.Sub(ll.Index(0), start), ll.Index(0))
			to := f.MinInt(f.Sub(elems, start), ll.Index(maps.c0))
			f.Loop("channel", f.Sub(to, from), func(c value.Value) {
				c = f.Add(from, c)
				x := f.loadElement(e, f.At(e.mem, maps.tile.base, f.Add(at, c)))
				put(i, f.Add(start, c), f.Select(inside, x, pad))
			})
		})
	})
}

// patchBlock emits the position of an element block of img2col, which copies patches (the
// elements under a convolution window) of feature maps into the rows of a matrix. The
// parameter m is the number of the patch, counted over all maps. The parameter k is the
// number of the block in the patch; a block holds the channels of one position. The
// result at is the offset of the block from the start of the feature maps, in elements.
// The result inside is false if the block is outside the map and therefore padding; the
// result at is then 0.
func (f *function) patchBlock(maps *featureMaps, m, k value.Value) (at, inside value.Value) {
	g := &maps.patches
	perMap := f.Mul(maps.outH, maps.outW)
	n, m := f.UDiv(m, perMap), f.URem(m, perMap)
	b, k := f.UDiv(k, maps.filter), f.URem(k, maps.filter)
	place := func(patch, element value.Value, stride, dilation, pad sem.PatchField) value.Value {
		return f.Sub(f.Add(f.Mul(patch, g[stride]), f.Mul(element, g[dilation])), g[pad])
	}
	h := place(f.UDiv(m, maps.outW), f.UDiv(k, g[sem.FilterW]), sem.StrideH, sem.DilationH, sem.PadTop)
	w := place(f.URem(m, maps.outW), f.URem(k, g[sem.FilterW]), sem.StrideW, sem.DilationW, sem.PadLeft)
	inside = f.And(f.ICmp(enum.IPredULT, h, g[sem.FmapH]), f.ICmp(enum.IPredULT, w, g[sem.FmapW]))
	inside = f.And(inside, f.And(f.ICmp(enum.IPredULT, n, maps.count), f.ICmp(enum.IPredULT, b, maps.blocks)))
	row := f.Add(f.Mul(f.Add(f.Mul(n, maps.blocks), b), maps.area), f.Add(f.Mul(h, g[sem.FmapW]), w))
	return f.Select(inside, f.Mul(row, ll.Index(maps.c0)), ll.Index(0)), inside
}
