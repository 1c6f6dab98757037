// This file defines logical vectors (VMI) and their masked operands.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Logical vectors (VMI) have any number of lanes. They are stored as byte slices that
// each frame allocates once. A mask has one byte for each lane, which is 0 or 1.

// rowType describes the lanes of a logical vector (VMI), a vector of any length.
type rowType struct {
	// lanes is the number of lanes of the vector.
	lanes int
	// size is the size of a lane in bytes.
	size int
	// f is the format of a number. A mask consists of one-bit numbers.
	f num.Format
	// per is the number of numbers that a lane packs.
	per int
}

// bytes returns the size of the vector in bytes.
func (r rowType) bytes() int { return r.lanes * r.size }

// rowTypeOf returns the description of the logical vector type t. The result ok is false
// for all other types.
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

// numbers returns the number format in which instructions compute with the lanes of the
// vector. Signless integers count as unsigned.
func (r rowType) numbers() num.Format {
	if r.f.IsInt() && r.f != r.f.AsSigned() {
		return r.f.Unsigned()
	}
	return r.f
}

// rowType returns the description of the type of v, which should be a logical vector. If
// it is not, rowType reports an error at op and returns a placeholder, so that
// compilation can continue.
func (p *planner) rowType(op *ir.Op, v *ir.Value) rowType {
	r, ok := rowTypeOf(v.Type())
	if !ok {
		p.errorf(op, "has an operand or result of type %s, which pto-run does not support", v.Type())
		return rowType{lanes: 1, size: 1, f: num.U8, per: 1}
	}
	return r
}

// newRows allocates the logical vectors of a function call, with the given sizes in
// bytes. Each starts at a multiple of 8 bytes.
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

// rowOperand is an operand of an instruction on logical vectors: a vector, or a scalar
// that is first broadcast to a temporary vector.
type rowOperand struct {
	at slot
	// size is the number of bytes of a lane of a broadcast scalar, and 0 for a vector.
	// from is the slot of the scalar.
	size int
	from slot
	// conv converts the bits of a scalar operand to the width of a lane.
	conv func(bits uint64) uint64
}

// rowOperand returns a description of v, an operand of an instruction on logical vectors.
// Steps, the functions that execute instructions, use it to read the operand. The
// description contains the slot (frame index) of v. If v is not a logical vector, it also
// contains the conversion of v to a vector with lanes of type r.
func (p *planner) rowOperand(v *ir.Value, r rowType) rowOperand {
	if p.classOf(v.Type()) == rowClass {
		return rowOperand{at: p.slot(v)}
	}
	s := p.vecOperand(v, r.f)
	return rowOperand{at: p.freshRow(r.bytes()), size: r.size, from: s.at, conv: s.conv}
}

// get returns the lanes of the operand. If the operand is a scalar, get copies the scalar
// to all lanes of a temporary vector and returns these lanes.
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

// selection describes the mask of an instruction on logical vectors: which lanes of the
// result the instruction computes, and whether the remaining lanes become zero or keep
// their old values.
type selection struct {
	mask   slot
	masked bool
	// other is the vector that supplies the lanes that are not selected, if kept is set.
	// Otherwise these lanes become zero.
	other slot
	kept  bool
}

// selection determines which lanes of v, a result of the instruction op, the instruction
// computes. It also determines what the remaining lanes contain.
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

// on reports whether the mask of the instruction selects lane i, so that the instruction
// computes this lane. Without a mask, all lanes are selected.
func (s *selection) on(fr *frame, i int) bool { return !s.masked || fr.r[s.mask][i] != 0 }

// rest completes the result d of an instruction with a mask. It overwrites the lanes that
// the mask does not select by zero, or by their old values, as the instruction requires.
func (s *selection) rest(fr *frame, d []byte, laneBytes int) {
	if !s.masked {
		return
	}
	for i, on := range fr.r[s.mask] {
		if on != 0 {
			continue
		}
		if lane := d[i*laneBytes : (i+1)*laneBytes]; s.kept {
			copy(lane, fr.r[s.other][i*laneBytes:])
		} else {
			clear(lane)
		}
	}
}

// bit converts a bool into a byte: it returns 1 for true and 0 for false.
func bit(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// isVMI reports whether op has an operand or result that is a logical vector.
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
