// This file executes img2col: it copies the patches of feature maps into rows of a
// matrix.

package runtime

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// patches holds the registers of the patch engine (img2col): the parameters of a feature
// map and of the convolution window. A patch is the set of elements that the window
// covers at one position.
type patches [sem.NumPatchFields]int64

// makePatches compiles op into a step, a function that creates a set of parameters for
// the patch engine (img2col).
func (p *planner) makePatches(op *ir.Op, _ sem.MakePatches) step {
	fields := sem.PatchValues(op)
	var from [sem.NumPatchFields]func(fr *frame) int64
	for i, f := range fields {
		from[i] = func(*frame) int64 { return f.Number }
		if f.Value != nil {
			at := p.slot(f.Value)
			from[i] = func(fr *frame) int64 { return int64(fr.x[at]) }
		}
	}
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		for i := range fields {
			n := from[i](fr)
			if msg := fields[i].Fault(n); msg != "" {
				return faultAt(op, "%s", msg)
			}
			fr.p[d][i] = n
		}
		return nil
	}
}

// setPatches compiles op into a step, a function that writes the registers of the patch
// engine (img2col).
func (p *planner) setPatches(op *ir.Op, kind sem.SetPatches) step {
	cfg := sem.PatchesOf(op).Configuration
	if !pto.IsTile(cfg.Type()) {
		at := p.slot(cfg.Value)
		return func(fr *frame) *Fault {
			copy(fr.core.patches[kind.From:kind.To+1], fr.p[at][kind.From:])
			return nil
		}
	}
	l := p.layoutOf(op, cfg.Type())
	if l == nil {
		return nil
	}
	fields := isatile.TilePatches(l.info)
	if pad := padElement(l); pad != nil {
		fields[sem.PadBits] = int64(num.Load(l.f, pad))
	}
	return func(fr *frame) *Fault {
		copy(fr.core.patches[kind.From:kind.To+1], fields[kind.From:])
		return nil
	}
}

// img2col executes timg2col. This instruction copies the patches of a feature map (the
// elements under each position of a convolution window) into the rows of a matrix.
type img2col struct {
	op       *ir.Op
	src, dst tileOperand
	// posM and posK return the row and column at which the copied rectangle starts in the
	// matrix of all patches.
	posM, posK func(fr *frame) int
	// c0 is the number of elements in a channel block.
	c0 int
	// set are the registers that the instruction writes first, or nil.
	set *patches
}

// img2col compiles timg2col into a step, the function that executes it.
func (p *planner) img2col(op *ir.Op, _ sem.TileImg2Col) step {
	d := sem.PatchesOf(op)
	src, dst := p.tileOperand(op, d.Src), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	u := &img2col{op: op, src: src, dst: dst, posM: p.index(d.Row), posK: p.index(d.Col), c0: isatile.BlockBytes / src.l.size}
	if fields, own := sem.OwnPatches(op); own {
		set := patches(fields)
		u.set = &set
	}
	return p.checked(op, u.exec)
}

// exec copies the patches to the destination tile. It returns a fault if the parameters
// and the tiles do not match.
func (u *img2col) exec(fr *frame) *Fault {
	s, d, g := fr.t[u.src.at], fr.t[u.dst.at], &fr.core.patches
	if u.set != nil {
		*g = *u.set
	}
	m, k := u.posM(fr), u.posK(fr)
	if msg := isatile.PatchStartFault("posM", int64(m)); msg != "" {
		return faultAt(u.op, "%s", msg)
	}
	if msg := isatile.PatchStartFault("posK", int64(k)); msg != "" {
		return faultAt(u.op, "%s", msg)
	}
	maps, f := u.featureMaps(s, g)
	if f != nil {
		return f
	}
	pad := fr.core.bytes(isatile.BlockBytes)
	for c := range u.c0 {
		num.Store(u.src.l.f, pad[c*u.src.l.size:], uint64(g[sem.PadBits]))
	}
	w := patchWindow{img2col: u, maps: maps, pad: pad, m: m, k: k, transposed: g[sem.Transpose] != 0}
	times, size := int(g[sem.RepeatTime]), int(u.dst.l.info.PackedBytes())
	room := u.dst.l.bytes() / size
	if d.pitch != u.dst.l.pitch() {
		room = 1 // it is a part of another tile
	}
	if times > room {
		return faultAt(u.op, "repeats %d times, but \"dst\" has room for only %d repetitions", times, room)
	}
	for n := range times {
		to := *d
		to.data = d.data[n*size:]
		w.fill(&to)
		if g[sem.RepeatMode] == 0 {
			w.m += 16 * int(g[sem.RepeatStride])
		} else {
			w.k += u.c0 * int(g[sem.RepeatStride])
		}
	}
	return nil
}

// featureMaps describes the feature maps (images with channels) in a tile. The layout is
// NC1HWC0: channels are stored in blocks of c0.
type featureMaps struct {
	g    *patches
	data []byte
	// count is the number of feature maps, and blocks the number of channel blocks of
	// each map.
	count int
	// blocks is the number of channel blocks of a map.
	blocks int
	// outH and outW are the numbers of window positions (patches) along the height and
	// width of a map.
	outH, outW int
	// filter is the number of elements in the convolution window, and area the number of
	// elements in a map, both per channel.
	filter, area int
}

// featureMaps returns a description of the feature maps in tile s. It returns a fault if
// the tile does not match the registers g of the patch engine.
func (u *img2col) featureMaps(s *tile, g *patches) (*featureMaps, *Fault) {
	h, w := int(g[sem.FmapH]), int(g[sem.FmapW])
	if h == 0 {
		return nil, faultAt(u.op, "requires the size of a feature map, but the program has not set it")
	}
	maps := &featureMaps{g: g, data: s.data, area: h * w, filter: int(g[sem.FilterH] * g[sem.FilterW])}
	maps.outH = patchesAlong(g[sem.FmapH], g[sem.PadTop]+g[sem.PadBottom], g[sem.FilterH], g[sem.DilationH], g[sem.StrideH])
	maps.outW = patchesAlong(g[sem.FmapW], g[sem.PadLeft]+g[sem.PadRight], g[sem.FilterW], g[sem.DilationW], g[sem.StrideW])
	if maps.outH == 0 || maps.outW == 0 {
		return nil, faultAt(u.op, "has a filter of %dx%d elements with dilations %d and %d, which is larger than the feature map of %dx%d elements with its padding",
			g[sem.FilterH], g[sem.FilterW], g[sem.DilationH], g[sem.DilationW], h, w)
	}
	rows, f := u.mapRows(s, maps)
	if f != nil {
		return nil, f
	}
	if int(g[sem.MapChannels])%u.c0 != 0 {
		return nil, faultAt(u.op, "reads a feature map of %d channels, but the number of channels must be a multiple of %d", g[sem.MapChannels], u.c0)
	}
	maps.blocks, maps.count = rows/maps.area, 1
	if n := int(g[sem.MapChannels]) / u.c0; n > 0 {
		maps.blocks, maps.count = n, rows/(n*maps.area)
	}
	if maps.blocks == 0 || maps.count == 0 {
		return nil, faultAt(u.op, "reads a feature map of %d channel blocks of %dx%d elements, but \"src\" has only %d elements", max(maps.blocks, 1), h, w, rows)
	}
	return maps, nil
}

// patchesAlong returns the number of positions of a convolution window along one
// dimension of a feature map. The parameters size, pads and filter are the extents of the
// map, of the padding and of the window, in elements. dilation is the distance between
// elements of the window, and stride is the distance between positions.
func patchesAlong(size, pads, filter, dilation, stride int64) int {
	free := size + pads - dilation*(filter-1) - 1
	if free < 0 {
		return 0
	}
	return int(free/stride) + 1
}

// mapRows returns the number of channel blocks that tile s contains: the number of
// positions of the feature map, multiplied by the number of blocks for each position. A
// channel block is a row of c0 channels. maps describes the feature maps that s must
// contain. mapRows returns a fault if the blocks are not contiguous in memory or do not
// fit the feature maps.
func (u *img2col) mapRows(s *tile, maps *featureMaps) (int, *Fault) {
	switch {
	case !u.src.l.boxed && s.pitch != u.c0:
		return 0, faultAt(u.op, "reads a feature map whose rows are not contiguous in memory, but must be contiguous")
	case !u.src.l.boxed:
		return s.rows, nil
	case s.rows < maps.area || s.cols > u.c0 && s.pitch != maps.area:
		return 0, faultAt(u.op, "reads a feature map of %dx%d elements, but \"src\" has only %d elements for each channel block", maps.g[sem.FmapH], maps.g[sem.FmapW], s.rows)
	}
	return s.cols / u.c0 * maps.area, nil
}

// patchWindow is the rectangle of the patch matrix that one execution copies. It starts
// at row m and column k.
type patchWindow struct {
	*img2col
	maps *featureMaps
	pad  []byte
	// m and k are the row and column at which the rectangle starts.
	m, k       int
	transposed bool
}

// fill copies elements to the valid region of tile d. The elements are a rectangle of
// the patch matrix, which starts at row w.m and column w.k and has the size of the valid
// region.
func (w *patchWindow) fill(d *tile) {
	l, size := w.dst.l, w.dst.l.size
	patches, elems := d.rows, d.cols
	if w.transposed {
		patches, elems = elems, patches
	}
	// a row of a box holds a block of channels, so whole blocks can be copied
	whole := !w.transposed && l.boxCols == w.c0 && w.k%w.c0 == 0
	for i := range patches {
		for j := 0; j < elems; {
			at := (w.k + j) % w.c0
			block := w.maps.block(w.m+i, (w.k+j)/w.c0, w.pad)[at*size:]
			n := min(w.c0-at, elems-j)
			switch {
			case whole:
				copy(d.data[l.offset(d, i, j):], block[:n*size])
			case w.transposed:
				for e := range n {
					copy(l.elem(d, j+e, i), block[e*size:])
				}
			default:
				for e := range n {
					copy(l.elem(d, i, j+e), block[e*size:])
				}
			}
			j += n
		}
	}
}

// block returns 32 bytes of the feature maps: one channel block of one element. A
// convolution window moves over the maps; the elements under the window at one location
// form a patch. m is the number of the patch, counted over all maps. k selects an element
// of the patch and a channel block: it is the number of the channel block times the
// number of elements in the window, plus the number of the element. If the element is
// outside the map, block returns the parameter pad.
func (f *featureMaps) block(m, k int, pad []byte) []byte {
	g := f.g
	n, m := m/(f.outH*f.outW), m%(f.outH*f.outW)
	b, k := k/f.filter, k%f.filter
	fw := int(g[sem.FilterW])
	h := m/f.outW*int(g[sem.StrideH]) + k/fw*int(g[sem.DilationH]) - int(g[sem.PadTop])
	w := m%f.outW*int(g[sem.StrideW]) + k%fw*int(g[sem.DilationW]) - int(g[sem.PadLeft])
	if n >= f.count || b >= f.blocks || h < 0 || w < 0 || h >= int(g[sem.FmapH]) || w >= int(g[sem.FmapW]) {
		return pad
	}
	at := ((n*f.blocks+b)*f.area + h*int(g[sem.FmapW]) + w) * isatile.BlockBytes
	return f.data[at : at+isatile.BlockBytes]
}
