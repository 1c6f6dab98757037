// This file follows elementwise tile instructions, expansions, comparisons, selections
// and conversions in equivalence proofs.

package runtime

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// This file computes the expressions of the elements of tiles. Each function visits the
// elements in the same way as the ordinary step and uses the same descriptors and layouts
// to locate them.

// tracedTile is a tile together with the numbers (tokens) that identify the expression of
// each of its bytes.
type tracedTile struct {
	traced
	t *tile
	l *layout
}

// tile returns the tile in operand o together with the numbers (tokens) that identify the
// expression of each of its bytes.
func (x *tracer) tile(fr *frame, o *tileOperand) tracedTile {
	t := fr.t[o.at]
	return tracedTile{x.region(t.data), t, o.l}
}

// at returns the symbolic value of the element in row r and column c of tile t: its bits
// if they do not depend on inputs, and an expression if they do.
func (x *tracer) at(t *tracedTile, r, c int) value {
	return x.get(&t.traced, t.l.offset(t.t, r, c), t.l.size)
}

// give records v as the new value of element (r, c) of tile t. The value is written after
// the current instruction, which can still read the old value.
func (x *tracer) give(t *tracedTile, r, c int, v value) {
	x.put(&t.traced, t.l.offset(t.t, r, c), t.l.size, v)
}

// lacks reports whether symbolic execution cannot access element (r, c) of the tile. It
// returns true if the element is outside the storage, or if elements have 4 bits, because
// there is one expression token for each complete byte.
func (t *tracedTile) lacks(r, c int) bool {
	return t.l.half || r >= t.l.rows || c >= t.l.cols
}

// tracedInput is an operand of a symbolically executed elementwise instruction: a tile or
// a scalar.
type tracedInput struct {
	tileOperand
	scalar bool
	// conv converts the bits of a known scalar to the format of the elements.
	conv func(bits uint64) uint64
	// widen is the conversion for a tile with another element format, or for a scalar
	// that depends on inputs.
	widen *tracedConversion
}

// tracedInput describes how symbolic execution reads the named operand of an elementwise
// instruction. The parameter f is the format of the elements, and the parameter size is
// the size of an element in bytes. Symbolic execution interprets the operand in the same
// way as ordinary execution (see the method mapInput).
func (p *planner) tracedInput(op *ir.Op, v *ir.Value, f num.Format, size int) tracedInput {
	if pto.IsTile(v.Type()) {
		in := tracedInput{tileOperand: p.tileValue(op, "", v)}
		if l := in.l; l != nil && l.f.Signless() != f.Signless() && l.size != size {
			in.widen = p.tracedConversion(l.f, f, num.NearestEven, false)
		}
		return in
	}
	in := tracedInput{tileOperand: tileOperand{at: p.slot(v)}, scalar: true, conv: p.scalarTo(op, v.Type(), f)}
	if from, ok := ir.FormatOf(v.Type()); ok && from.Signless() != f.Signless() {
		r := num.NearestEven
		if f.IsInt() {
			r = num.Zero
		}
		in.widen = p.tracedConversion(from, f, r, false)
	}
	return in
}

// value returns the symbolic value of a scalar operand, converted to the format of the
// elements.
func (in *tracedInput) value(fr *frame, x *tracer) value {
	v := x.scalar(fr, in.at)
	switch {
	case v.shadowed() && in.widen != nil:
		return x.convert(in.widen, v)
	case v.shadowed():
		return v
	case v.known:
		return knownValue(in.conv(v.bits))
	case in.widen != nil:
		return x.convert(in.widen, v)
	}
	return v
}

// unfollowed returns the step of an instruction that symbolic execution does not support.
// In an equivalence proof, the step ends the proof as undecided, with the reason why. In
// a run that measures rounding errors, the step executes the instruction, and its results
// have no shadows (values in float64).
func (p *planner) unfollowed(op *ir.Op, why string) step {
	if p.opts.Lineage.Shadows != nil {
		return p.withoutShadows(op)
	}
	return func(fr *frame) *Fault {
		return fr.core.undecided(op, nil, why+", which equivalence proofs do not follow")
	}
}

// compare returns the result of the comparison rel of two elements of format f: 1 or 0,
// or the expression fn(a, b) if an element depends on inputs.
func (x *tracer) compare(fn *expr.Fn, rel scalar.Relation, f num.Format, a, b value) value {
	if a.known && b.known {
		return x.compared(rel, f, &a, &b)
	}
	return x.named(fn, a, b)
}

// byteOf returns the symbolic value of a byte that consists of the given eight bits, the
// lowest first.
func (x *tracer) byteOf(bits *[8]value) value {
	known := true
	var b uint64
	var hashes [8]expr.Hash
	for i := range bits {
		known = known && bits[i].known
		b |= bits[i].bits & 1 << i
		hashes[i] = x.hash(&bits[i])
	}
	if known {
		return knownValue(b)
	}
	return value{h: x.t.Bits(hashes)}
}

// bitOf returns bit i of the byte v. If v depends on symbolic inputs, the result is an
// expression that selects the bit.
func (x *tracer) bitOf(v value, i int) value {
	if v.known {
		return knownValue(v.bits >> i & 1)
	}
	return value{h: x.t.Bit(v.h, i)}
}

// tracedTileExpand compiles sem.TileExpand. An expansion without a function only moves
// elements.
func (p *planner) tracedTileExpand(op *ir.Op, kind sem.TileExpand) step {
	if kind.Fn == nil {
		return p.moveStep(op, p.plain)
	}
	return p.tracedNest(op)
}

// tracedTileConvert compiles sem.TileConvert. If two numbers share a byte, each result is
// an uninterpreted function of all source elements.
func (p *planner) tracedTileConvert(op *ir.Op, kind sem.TileConvert) step {
	if !lineageDescriptions.Describes(op) {
		return opaqueTiles(p, op, kind)
	}
	return p.tracedNest(op)
}

// nibbles are the operators that extract the low and the high 4 bits of a byte in
// symbolic expressions.
var nibbles = [2]*expr.Fn{expr.Named("low half"), expr.Named("high half")}

// tracedTileLoad compiles sem.TileLoad, which copies bytes from a view into a tile. A
// load with padding also writes padding elements and is rejected if elements have 4
// bits.
func (p *planner) tracedTileLoad(op *ir.Op, kind sem.TileLoad) step {
	if isatile.LoadPads(op) {
		return movesData(p, op, kind)
	}
	return movesBytes(p, op, kind)
}
