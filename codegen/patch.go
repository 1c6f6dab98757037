package codegen

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// patches are the fields that describe a feature map and its patches.
type patches [sem.NumPatchFields]value.Value

// patchParts are the parts of a description.
var patchParts = func() (ts []types.Type) {
	for range sem.NumPatchFields {
		ts = append(ts, i64)
	}
	return ts
}()

// makePatches writes describing patches.
func (f *function) makePatches(op *ir.Op) {
	fields := sem.PatchValues(op)
	p := make(parts, len(fields))
	for i, field := range fields {
		p[i] = index(field.Number)
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

// trapUnless ends the kernel if a number is not in a range.
func (f *function) trapUnless(x value.Value, least, most int64) {
	if n, known := constantInt(x); !known || n < least || n > most {
		f.trapIf(f.icmp(enum.IPredUGT, f.sub(x, index(least)), index(most-least)))
	}
}

// The registers of the patch engine are states of the core. They start as zero,
// so they hold how far a field is from what it is before it is set.
func patchState(i sem.PatchField) string { return fmt.Sprintf("patches.%d", i) }

// setPatches writes setting registers of the patch engine.
func (f *function) setPatches(op *ir.Op, kind sem.SetPatches) {
	fields, ok := f.patchesOf(op, op.Arg("cfg"))
	if !ok {
		return
	}
	unset := sem.UnsetPatches()
	for i := kind.From; i <= kind.To; i++ {
		f.setState(patchState(i), f.sub(fields[i], index(unset[i])))
	}
}

// patchesOf is what a value stands for as a description of patches.
func (f *function) patchesOf(op *ir.Op, v *ir.Value) (g patches, ok bool) {
	if !pto.IsTile(v.Type()) {
		copy(g[:], f.parts(v))
		return g, true
	}
	t, ok := f.tileOf(op, v)
	if !ok {
		return g, false
	}
	for i, n := range pto.TilePatches(t.info) {
		g[i] = index(n)
	}
	g[sem.PadBits] = f.resize(f.bits(f.padOf(&t)), i64, false)
	return g, true
}

// registeredPatches reads the registers of the patch engine.
func (f *function) registeredPatches() (g patches) {
	for i, n := range sem.UnsetPatches() {
		g[i] = f.add(f.state(patchState(sem.PatchField(i))), index(n))
	}
	return g
}

// featureMaps are the maps that a tile holds.
type featureMaps struct {
	patches
	tile         *tile
	c0           int64       // elements of a block of channels
	count        value.Value // of maps
	blocks       value.Value // of channels of a map
	outH, outW   value.Value // patches of a map
	filter, area value.Value // places of the filter and of a block
}

// img2col writes unrolling patches.
func (f *function) img2col(op *ir.Op) {
	src, dst, ok := f.sourceAndDestination(op)
	if !ok {
		return
	}
	posM, posK := f.patchStart(op, "posM"), f.patchStart(op, "posK")
	maps := f.featureMaps(&src)
	turned := f.icmp(enum.IPredNE, maps.patches[sem.Transpose], index(0))
	along := f.icmp(enum.IPredEQ, maps.patches[sem.RepeatMode], index(0)) // along the patches
	times, size := maps.patches[sem.RepeatTime], dst.info.PackedBytes()
	whole := f.icmp(enum.IPredEQ, dst.pitch, index(dst.info.Pitch())) // no part of another tile
	f.trapIf(f.icmp(enum.IPredSGT, times, f.sel(whole, index(dst.info.Footprint()/size), index(1))))
	f.loop("repetition", times, func(n value.Value) {
		step := f.mul(n, maps.patches[sem.RepeatStride])
		m := f.add(posM, f.sel(along, f.mul(step, index(16)), index(0)))
		k := f.add(posK, f.sel(along, index(0), f.mul(step, index(maps.c0))))
		to := dst
		to.base = f.offset(dst.base, f.mul(n, index(size)))
		f.unroll(&maps, m, k, f.sel(turned, dst.cols, dst.rows), f.sel(turned, dst.rows, dst.cols), func(i, j, x value.Value) {
			f.put(&to, f.sel(turned, j, i), f.sel(turned, i, j), x)
		})
	})
}

// patchStart is the number of the first patch or element.
func (f *function) patchStart(op *ir.Op, arg string) value.Value {
	n := f.resize(f.indexArg(op, arg), i64, true)
	f.trapUnless(n, 0, pto.MaxPatchStart)
	return n
}

// featureMaps finds the maps in a tile: rows of a block, one for each block of
// channels, line and place.
func (f *function) featureMaps(src *tile) featureMaps {
	g := f.registeredPatches()
	f.trapIf(f.icmp(enum.IPredEQ, g[sem.FmapH], index(0)))
	maps := featureMaps{
		patches: g, tile: src, c0: pto.BlockBytes / int64(src.e.size),
		filter: f.mul(g[sem.FilterH], g[sem.FilterW]), area: f.mul(g[sem.FmapH], g[sem.FmapW]),
	}
	places := func(size, before, behind, filter, dilation, stride sem.PatchField) value.Value {
		covered := f.add(f.mul(g[dilation], f.sub(g[filter], index(1))), index(1))
		free := f.sub(f.add(g[size], f.add(g[before], g[behind])), covered)
		f.trapIf(f.icmp(enum.IPredSLT, free, index(0)))
		return f.add(f.udiv(free, g[stride]), index(1))
	}
	maps.outH = places(sem.FmapH, sem.PadTop, sem.PadBottom, sem.FilterH, sem.DilationH, sem.StrideH)
	maps.outW = places(sem.FmapW, sem.PadLeft, sem.PadRight, sem.FilterW, sem.DilationW, sem.StrideW)
	rows := f.mapRows(src, &maps)
	channels := g[sem.MapChannels]
	f.trapIf(f.icmp(enum.IPredNE, f.rest(channels, maps.c0), index(0)))
	one := f.icmp(enum.IPredEQ, channels, index(0)) // map
	maps.blocks = f.sel(one, f.udiv(rows, maps.area), f.quo(channels, maps.c0))
	f.trapIf(f.icmp(enum.IPredEQ, maps.blocks, index(0)))
	maps.count = f.sel(one, index(1), f.udiv(rows, f.mul(maps.blocks, maps.area)))
	f.trapIf(f.icmp(enum.IPredEQ, maps.count, index(0)))
	return maps
}

// mapRows is how many rows of a block a tile has, one after the other.
func (f *function) mapRows(src *tile, maps *featureMaps) value.Value {
	if src.box.rows == 0 {
		f.trapIf(f.icmp(enum.IPredNE, src.pitch, index(maps.c0)))
		return src.rows
	}
	apart := f.and(f.icmp(enum.IPredSGT, src.cols, index(maps.c0)), f.icmp(enum.IPredNE, src.pitch, maps.area))
	f.trapIf(f.or(f.icmp(enum.IPredSLT, src.rows, maps.area), apart))
	return f.mul(f.quo(src.cols, maps.c0), maps.area)
}

// unroll gives the elements of as many patches, from element k of patch m on,
// to put, with the numbers of patch and element from there.
func (f *function) unroll(maps *featureMaps, m, k, patches, elems value.Value, put func(i, j, x value.Value)) {
	e := maps.tile.e
	pad := f.bitcast(f.trunc(maps.patches[sem.PadBits], intType(8*e.size)), e.t)
	first := f.quo(k, maps.c0)
	skipped := f.sub(f.mul(first, index(maps.c0)), k) // elements of that block, as a number below 0
	f.loop("patch", patches, func(i value.Value) {
		f.loop("block", f.sub(f.ceilQuo(f.add(k, elems), maps.c0), first), func(b value.Value) {
			at, inside := f.patchBlock(maps, f.add(m, i), f.add(first, b))
			start := f.add(skipped, f.mul(b, index(maps.c0)))
			from := f.maxInt(f.sub(index(0), start), index(0))
			to := f.minInt(f.sub(elems, start), index(maps.c0))
			f.loop("channel", f.sub(to, from), func(c value.Value) {
				c = f.add(from, c)
				x := f.loadElement(e, f.at(e.mem, maps.tile.base, f.add(at, c)))
				put(i, f.add(start, c), f.sel(inside, x, pad))
			})
		})
	})
}

// patchBlock returns where block number k of patch m starts, in elements: channels
// of one place. Outside of the maps there is padding, and the start is any.
func (f *function) patchBlock(maps *featureMaps, m, k value.Value) (at, inside value.Value) {
	g := &maps.patches
	perMap := f.mul(maps.outH, maps.outW)
	n, m := f.udiv(m, perMap), f.urem(m, perMap)
	b, k := f.udiv(k, maps.filter), f.urem(k, maps.filter)
	place := func(patch, element value.Value, stride, dilation, pad sem.PatchField) value.Value {
		return f.sub(f.add(f.mul(patch, g[stride]), f.mul(element, g[dilation])), g[pad])
	}
	h := place(f.udiv(m, maps.outW), f.udiv(k, g[sem.FilterW]), sem.StrideH, sem.DilationH, sem.PadTop)
	w := place(f.urem(m, maps.outW), f.urem(k, g[sem.FilterW]), sem.StrideW, sem.DilationW, sem.PadLeft)
	inside = f.and(f.icmp(enum.IPredULT, h, g[sem.FmapH]), f.icmp(enum.IPredULT, w, g[sem.FmapW]))
	inside = f.and(inside, f.and(f.icmp(enum.IPredULT, n, maps.count), f.icmp(enum.IPredULT, b, maps.blocks)))
	row := f.add(f.mul(f.add(f.mul(n, maps.blocks), b), maps.area), f.add(f.mul(h, g[sem.FmapW]), w))
	return f.sel(inside, f.mul(row, index(maps.c0)), index(0)), inside
}
