package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Vectors of vmi have any number of lanes. They live in rows of bytes that a
// frame makes once; a mask has one byte for each lane, which is 0 or 1.

// rowType is what the lanes of a vmi value are.
type rowType struct {
	lanes int
	size  int        // bytes of a lane
	f     num.Format // of a number; a mask has numbers of one bit
	per   int        // numbers in a lane
}

func (r rowType) bytes() int { return r.lanes * r.size }

// rowTypeOf returns the shape of values of a vmi type.
func rowTypeOf(t ir.Type) (r rowType, ok bool) {
	switch d := t.Data().(type) {
	case pto.VMIMask:
		return rowType{lanes: int(d.Lanes), size: 1, f: num.I1, per: 1}, true
	case pto.VMIVReg:
		f, ok := ir.FormatOf(d.Elem)
		r = rowType{lanes: int(d.Lanes), size: pto.ByteSize(d.Elem), f: f, per: 1}
		if ok {
			r.per = max(1, 8*r.size/f.Bits())
		}
		return r, ok
	}
	return r, false
}

// numbers is the format in which lanes are computed: signless integers have no
// sign here.
func (r rowType) numbers() num.Format {
	if r.f.IsInt() && r.f != r.f.AsSigned() {
		return r.f.Unsigned()
	}
	return r.f
}

// rowType returns the shape of a value, and reports what has none.
func (p *planner) rowType(op *ir.Op, v *ir.Value) rowType {
	r, ok := rowTypeOf(v.Type())
	if !ok {
		p.errorf(op, "works on %s, which pto-run cannot execute", v.Type())
		return rowType{lanes: 1, size: 1, f: num.U8, per: 1}
	}
	return r
}

// newRows makes the rows of a frame, each of which starts at a word.
func newRows(sizes []int) [][]byte {
	words := 0
	for _, n := range sizes {
		words += (n + 7) / 8
	}
	rows, mem := make([][]byte, len(sizes)), bytesOf(make([]uint64, words))
	for i, n := range sizes {
		rows[i] = mem[:n:n]
		mem = mem[(n+7)/8*8:]
	}
	return rows
}

// rowOperand is an input of an instruction on lanes: a vector, or a scalar
// that is broadcast over a row of its own first.
type rowOperand struct {
	at   slot
	size int // bytes of a lane of a scalar's row, 0 for a vector
	from slot
	conv func(bits uint64) uint64 // a scalar to the width of lanes
}

// rowOperand prepares an input of an instruction on lanes like those of r.
func (p *planner) rowOperand(v *ir.Value, r rowType) rowOperand {
	if p.classOf(v.Type()) == rowClass {
		return rowOperand{at: p.slot(v)}
	}
	s := p.vecOperand(v, r.f)
	return rowOperand{at: p.freshRow(r.bytes()), size: r.size, from: s.at, conv: s.conv}
}

// get returns the lanes.
func (o *rowOperand) get(fr *frame) []byte {
	row := fr.r[o.at]
	if o.size > 0 {
		x := fr.x[o.from]
		if o.conv != nil {
			x = o.conv(x)
		}
		fill(row, o.size, x)
	}
	return row
}

// selection is which lanes of a result an instruction computes, and what the
// others hold.
type selection struct {
	mask   slot
	masked bool
	other  slot // where the others come from, if kept
	kept   bool
}

// selection prepares the mask of an instruction with the result v.
func (p *planner) selection(op *ir.Op, v *ir.Value) selection {
	var s selection
	d := sem.LaneSelectionOf(op, v)
	if d.Mask.Given() {
		s.mask, s.masked = p.slot(d.Mask.Value), true
	}
	if d.Other.Given() {
		s.other, s.kept = p.slot(d.Other.Value), true
		return s
	}
	if d.Merges {
		for _, from := range op.Operands() {
			if from.Type() == v.Type() && ir.Is[pto.VMIVReg](v.Type()) {
				s.other, s.kept = p.slot(from), true
				break
			}
		}
	}
	return s
}

// on reports whether lane i is selected.
func (s *selection) on(fr *frame, i int) bool { return !s.masked || fr.r[s.mask][i] != 0 }

// rest gives the lanes of d that are not selected what they hold.
func (s *selection) rest(fr *frame, d []byte, size int) {
	if !s.masked {
		return
	}
	for i, on := range fr.r[s.mask] {
		if on != 0 {
			continue
		}
		if lane := d[i*size : (i+1)*size]; s.kept {
			copy(lane, fr.r[s.other][i*size:])
		} else {
			clear(lane)
		}
	}
}

// bit is a lane of a mask.
func bit(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// isVMI reports whether op works on vmi values.
func (p *planner) isVMI(op *ir.Op) bool {
	for _, vs := range [][]*ir.Value{op.Operands(), op.Results()} {
		for _, v := range vs {
			if p.classOf(v.Type()) == rowClass {
				return true
			}
		}
	}
	return false
}
