// This file converts loads that divide the channels of feature maps into blocks.

package cpp

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
)

// featureMaps are feature maps in global memory: their extents, and the distances of neighbours in
// elements.
type featureMaps struct {
	n, c, d, h, w                     int64
	stepN, stepC, stepD, stepH, stepW int64
}

// mapsOf returns the feature maps that a view describes, a call of ptogo_view in one of the
// layouts NHWC, NCHW and NCDHW. The result ok is false for other views, and for extents
// that the program computes.
func (f *function) mapsOf(view *llir.Value) (m featureMaps, ok bool) {
	n, s, known := constantExtents(view)
	if !known {
		return m, false
	}
	switch layoutName(f.literal(view, 1)) {
	case "NHWC":
		return featureMaps{n[1], n[4], 1, n[2], n[3], s[1], s[4], 0, s[2], s[3]}, n[0] == 1
	case "NCHW":
		return featureMaps{n[1], n[2], 1, n[3], n[4], s[1], s[2], 0, s[3], s[4]}, n[0] == 1
	case "NCDHW":
		return featureMaps{n[0], n[1], n[2], n[3], n[4], s[0], s[1], s[2], s[3], s[4]}, true
	}
	return m, false
}

// maxBlocks limits the loads for one TLOAD.
const maxBlocks = 4096

// loadMaps converts a load of feature maps into a tile that divides their channels into
// blocks (NC1HWC0, NDC1HWC0), as A5 does: one load for each block of channels of a map, in
// which a row is a place and a column is a channel. It returns false if the call has no such
// form.
func (f *function) loadMaps(v *llir.Value, dst argument, view *llir.Value) bool {
	m, ok := f.mapsOf(view)
	t := dst.conv
	want := []int64{m.n, 0, m.h, m.w, 32 / elements[t.elem].bytes}
	switch {
	case !ok || f.target != sem.A5 || m.stepC != 1 && m.stepW != 1:
		return false
	case layoutName(t.layout) == "NDC1HWC0" && len(t.extents) == 6:
		want = slices.Insert(want, 1, m.d)
	case t.layout != layoutNC1HWC0 || len(t.extents) != 5 || m.d != 1:
		return false
	}
	at := len(want) - 4
	blocks, block := t.extents[at], want[len(want)-1]
	want[at] = blocks
	if !slices.Equal(t.extents, want) || m.c > blocks*block {
		return false
	}
	rows, lines := m.h*m.w, int64(1) // the places of a load, and the number of loads for a map
	if m.stepH != m.w*m.stepW {
		rows, lines = m.w, m.h
	}
	used := (m.c + block - 1) / block
	if m.n*m.d*used*lines > maxBlocks {
		f.failf(v, "the load divides into more than %d loads of blocks of channels", maxBlocks)
	}
	layout, row, col := int64(0), m.stepW, int64(1)
	if m.stepC != 1 {
		layout, row, col = 1, 1, m.stepC
	}
	for i := range m.n * m.d * used * lines {
		line, b, depth, n := i%lines, i/lines%used, i/lines/used%m.d, i/lines/used/m.d
		channels := min(block, m.c-b*block)
		tile := f.tileAt(dst, shapeOfTile{role: t.role, elem: t.elem, rows: (rows + 15) / 16 * 16, cols: block, blayout: 1, slayout: 1, fractal: 512,
			validRows: rows, validCols: channels}, (((n*m.d+depth)*blocks+b)*m.h*m.w+line*rows)*32)
		from := *view
		from.Args = slices.Clone(view.Args)
		from.Args[1] = &llir.Value{Op: "int", Int: layout, Type: view.Args[1].Type}
		distance := n*m.stepN + depth*m.stepD + b*block*m.stepC + line*m.stepH
		part := f.viewFrom(&from, constants([5]int64{1, 1, 1, rows, channels}), constants([5]int64{1, 1, 1, row, col}), distance)
		f.named(v, "TLOAD", map[string]argument{"dst": tile, "src": part})
	}
	return true
}
