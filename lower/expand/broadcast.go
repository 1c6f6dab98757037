// This file expands broadcasts.

package expand

import (
	"fmt"
	"strconv"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// repetition plans the expansion of a TileExpand instruction, which broadcasts a row or
// column vector over a tile and may combine it with another tile.
type repetition struct {
	x    *expander
	kind sem.TileExpand
	// dst is the result, and ins are the source operands.
	dst *operand
	ins []*operand
	// vector is the index of the operand that is broadcast.
	vector int
	// first, if not nil, combines the broadcast elements with the other operand. then, if
	// not nil, is applied to the result of first.
	first, then *Instruction
	// dist is the distribution mode (the mapping from memory elements to lanes) with
	// which elements of the broadcast vector are loaded, if the vector extends along
	// columns.
	dist string
}

// tileExpand returns a plan for the expansion of op into vector instructions. The
// instruction op broadcasts a row or column vector over a tile (kind TileExpand). If the
// expansion is impossible, tileExpand returns the reason as a string.
func (x *expander) tileExpand(op *ir.Op, kind sem.TileExpand) (*kernel, string) {
	r := &repetition{x: x, kind: kind}
	var why string
	if r.dst, why = x.tile(destination(op)); why != "" {
		return nil, why
	}
	names := []string{"src"}
	if kind.Fn != nil {
		names = []string{"src0", "src1"}
	}
	for _, name := range names {
		o, why := x.tile(name)
		if why == "" && o.info.Elem != r.dst.info.Elem {
			why = fmt.Sprintf("the elements of \"%s\" are %s, but those of the result are %s", name, o.info.Elem, r.dst.info.Elem)
		}
		if why != "" {
			return nil, why
		}
		r.ins = append(r.ins, o)
	}
	if why := r.resolve(); why != "" {
		return nil, why
	}
	over := []*operand{r.dst}
	if kind.Fn != nil {
		over = append(over, r.ins[1-r.vector])
	}
	n, why := x.nest(r.dst, over[1:], over[:1])
	if why != "" {
		return nil, why
	}
	n.flat = n.flat && n.lines.n == 1
	return &kernel{op: op, n: n, over: r.dst, out: r.dst, vector: r.ins[r.vector], perLine: kind.Axis == sem.AlongRow && r.dist != blocks, prepare: func() {}, line: r.line, keeps: 1}, ""
}

// resolve determines which operand the instruction broadcasts, and which vector
// instructions combine it with the other operand. It returns "" on success, and otherwise
// the reason why the instruction cannot be expanded.
func (r *repetition) resolve() string {
	var known bool
	if r.vector, known = r.whichRepeats(); !known {
		return "it is not known which operand is repeated"
	}
	v := r.ins[r.vector]
	switch {
	case r.dst.byCols():
		return "columns come first in the result"
	case r.kind.Axis == sem.AlongCol && v.byCols() && v.info.Rows != 1:
		return fmt.Sprintf("the elements of \"%s\" do not follow each other", v.name)
	case r.kind.Axis == sem.AlongRow:
		r.dist = "BRC_B" + strconv.FormatInt(8*v.size, 10)
		if r.kind.InTurn() && !v.byCols() && v.info.VCols != 1 {
			if v.info.VCols*v.size != pto.TileAlign {
				return fmt.Sprintf("the rows of \"%s\" are repeated, but are not blocks of %d bytes", v.name, pto.TileAlign)
			}
			r.dist = blocks
		}
	}
	elem := r.dst.info.Elem
	if r.kind.Fn == nil {
		return ""
	}
	first, ok := VectorOf(r.kind.Fn, elem, [3]ir.Type{}, r.x.target)
	if !ok {
		return fmt.Sprintf("no vector instruction computes %s on %s", r.kind.Fn, elem)
	}
	r.first = &first
	if r.kind.Then == nil {
		return ""
	}
	then, ok := VectorOf(r.kind.Then, elem, [3]ir.Type{}, r.x.target)
	if !ok {
		return fmt.Sprintf("no vector instruction computes %s on %s", r.kind.Then, elem)
	}
	r.then = &then
	return ""
}

// whichRepeats returns the index of the operand that is broadcast. Usually this is the
// last operand. In a row expansion, it can be the first operand instead: this is the case
// if the valid region of the last operand equals that of the result, and the valid region
// of the first operand does not. The result known is false if dynamic sizes prevent this
// comparison.
func (r *repetition) whichRepeats() (n int, known bool) {
	last := len(r.ins) - 1
	if last == 0 || r.kind.Axis == sem.AlongCol {
		return last, true
	}
	lastSame, lastDiffers := sameRegion(r.ins[last], r.dst)
	firstSame, firstDiffers := sameRegion(r.ins[0], r.dst)
	switch {
	case lastDiffers || firstSame:
		return last, true
	case lastSame && firstDiffers:
		return 0, true
	}
	return last, false
}

// sameRegion reports whether the valid regions of two tiles are known to be equal, and
// whether they are known to differ. Both results are false if the sizes are not constant.
func sameRegion(a, b *operand) (same, differ bool) {
	same = true
	extents := [2][2]int64{{a.info.VRows, b.info.VRows}, {a.info.VCols, b.info.VCols}}
	for i, e := range extents {
		switch {
		case e[0] != ir.Dynamic && e[1] != ir.Dynamic:
			same, differ = same && e[0] == e[1], differ || e[0] != e[1]
		default:
			same = same && e[0] == e[1] && a.valid[i] != nil && a.valid[i] == b.valid[i]
		}
	}
	return same, differ
}

// line prepares the code for the line l of the result (a row, or a column of a
// column-major tile). It emits a load of the elements that the instruction repeats in
// this line. It returns a function that emits the code for one register of the line: the
// computation with the repeated elements, and the store.
func (r *repetition) line(n *nest, l *line) func(p *point) {
	x, v := r.x, r.ins[r.vector]
	if r.kind.Axis == sem.AlongCol {
		row := *v // every line reads the first one
		row.pitch = 0
		return func(p *point) { r.point(n, p, n.load(&row, p)) }
	}
	repeated := x.firsts[v.linePlace()]
	if repeated != nil {
		repeated = x.duplicateAt(x.at, v.info.Elem, repeated)
	} else {
		repeated = n.repeat(v, l, r.dist)
	}
	return func(p *point) { r.point(n, p, repeated) }
}

// point emits the code that computes and stores the elements of the result at the point
// p, the elements of one vector register. repeated is the register with the broadcast
// elements.
func (r *repetition) point(n *nest, p *point, repeated *ir.Value) {
	elem := r.dst.info.Elem
	if r.first != nil {
		args := [3]*ir.Value{repeated, repeated}
		args[1-r.vector] = n.load(r.ins[1-r.vector], p)
		repeated = r.x.compute(*r.first, elem, n.mask(elem, p), args)
	}
	n.loaded()
	if r.then != nil {
		repeated = r.x.compute(*r.then, elem, n.mask(elem, p), [3]*ir.Value{repeated})
	}
	n.store(r.dst, p, repeated)
}
