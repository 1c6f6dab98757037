// This file accesses tiles that have one element for each line of a loop.

package expand

import (
	"strconv"

	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
)

// blocks is the distribution of a load that repeats a block of 32 bytes.
const blocks = "BRC_BLK"

// isSlim reports whether the tile o has one element for each line of a loop: its number of
// elements is constant, and its elements are contiguous or each is in a row of its own.
func (o *operand) isSlim() bool {
	rows, cols := o.info.VRows, o.info.VCols
	return rows != ir.Dynamic && cols != ir.Dynamic && (rows == 1 || cols == 1) && !o.window && o.info.SLayout == pto.NoneBox && (!o.byCols() || cols == 1)
}

// linePitch returns the distance in elements between the elements of consecutive lines of
// the tile o, which has one element per line.
func (o *operand) linePitch() int64 {
	if o.byCols() || o.info.VRows == 1 {
		return 1
	}
	return o.pitch
}

// linePlace identifies the memory of the tile o, which has one element per line.
func (o *operand) linePlace() place {
	at := o.place()
	at.pitch = o.linePitch()
	return at
}

// lineAt returns the distance in elements from the start of the tile o to the element of
// the line l.
func (n *nest) lineAt(o *operand, l *line) *ir.Value {
	if l.number == nil {
		return n.x.index(0)
	}
	return n.x.offset(l, o.linePitch())
}

// repeat emits a load of the elements of the tile o that belong to the line l. The
// distribution d of the load repeats them for all lanes.
func (n *nest) repeat(o *operand, l *line, d string) *ir.Value {
	return n.x.at.Op(isavector.VLds, []*ir.Value{n.x.pointer(o), n.lineAt(o, l)}, []ir.Type{pto.VregType(o.info.Elem)}, dist(d)...).Result(0)
}

// storeFirst writes the first lane of the register v to the element of the tile o that
// belongs to the line l. It keeps v for later instructions of the loop.
func (n *nest) storeFirst(o *operand, l *line, v *ir.Value) {
	x := n.x
	if x.firsts != nil {
		x.firsts[o.linePlace()] = v
	}
	if x.omitted[x.op] {
		return
	}
	bits := int(8 * o.size)
	x.at.Op(isavector.VSts, []*ir.Value{v, x.pointer(o), n.lineAt(o, l), x.maskOf(bits, int64(8*pto.VectorBytes/bits))}, nil, dist("1PT_B"+strconv.Itoa(bits))...)
}

// touch is an access of a kernel to a tile.
type touch struct {
	o     *operand
	write bool
	// perLine reports that the tile has one element per line. repeated reports that all
	// lines access the same elements, so that no other instruction of the loop may write
	// them.
	perLine, repeated bool
}

// touches returns the accesses of the kernel to tiles.
func (k *kernel) touches() []touch {
	var all []touch
	for _, o := range k.n.ins {
		if o != k.vector {
			all = append(all, touch{o: o, perLine: k.slim})
		}
	}
	if k.vector != nil {
		all = append(all, touch{o: k.vector, perLine: k.perLine, repeated: !k.perLine})
	}
	return append(all, k.output())
}

// output returns the access with which the kernel stores its result.
func (k *kernel) output() touch {
	return touch{o: k.out, write: true, perLine: k.slim || k.rows != nil, repeated: k.cols != nil}
}

// place identifies the memory of the tile.
func (t touch) place() place {
	if t.perLine {
		return t.o.linePlace()
	}
	return t.o.place()
}

// meets reports whether two accesses may share bytes, one of which is a write.
func (t touch) meets(u touch) bool { return (t.write || u.write) && !apart(t.o, u.o) }

// same reports whether two accesses have the same elements at the same addresses. A
// register can then hold the elements for both.
func (t touch) same(u touch) bool {
	return t.perLine == u.perLine && !t.repeated && !u.repeated && t.place() == u.place() && (!t.perLine || t.o.info.Elem == u.o.info.Elem)
}

// stagesOf divides the kernels of a loop into stages. A kernel that needs the result of a
// reduction is in a later stage than the reduction. The order of accesses to the same tile
// remains.
func stagesOf(ks []*kernel) [][]*kernel {
	at := make([]int, len(ks))
	var stages [][]*kernel
	for i, k := range ks {
		for j, e := range ks[:i] {
			if after, ok := k.follows(e); ok {
				at[i] = max(at[i], at[j]+after)
			}
		}
		for len(stages) <= at[i] {
			stages = append(stages, nil)
		}
		stages[at[i]] = append(stages[at[i]], k)
	}
	return stages
}

// follows reports whether the kernel k must follow the earlier kernel e, and by how many
// stages.
func (k *kernel) follows(e *kernel) (stages int, ok bool) {
	for _, t := range e.touches() {
		for _, u := range k.touches() {
			if !t.meets(u) {
				continue
			}
			ok = true
			if e.rows != nil && t.write {
				stages = 1
			}
		}
	}
	return stages, ok
}

// mostUnrolled is the maximum number of registers per line for which the loop over them is
// unrolled.
const mostUnrolled = 4

// perLine returns the number of registers per line, or ir.Dynamic.
func (n *nest) perLine() int64 {
	_, length := n.constant()
	if length == ir.Dynamic {
		return ir.Dynamic
	}
	return pto.CeilDiv(length, n.lanes)
}

// unrolls reports whether the loop over the registers of a line can be unrolled.
func (n *nest) unrolls() bool { c := n.perLine(); return c != ir.Dynamic && c <= mostUnrolled }

// fitsSlim reports whether the kernel k can be slim in the loop of the kernel first: it has
// one element for each line of the loop.
func (k *kernel) fitsSlim(first *kernel) bool {
	lines := first.n.lines.n
	return k.each != nil && !first.n.byCols && lines != ir.Dynamic && k.out.info.VRows*k.out.info.VCols == lines
}
