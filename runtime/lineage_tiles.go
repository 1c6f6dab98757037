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
func (p *planner) tracedInput(op *ir.Op, name string, f num.Format, size int) tracedInput {
	v := op.Arg(name)
	if v == nil {
		return tracedInput{}
	}
	if pto.IsTile(v.Type()) {
		in := tracedInput{tileOperand: p.tileValue(op, name, v)}
		if l := in.l; l != nil && l.f.Signless() != f.Signless() && l.size != size {
			in.widen = p.tracedConversion(l.f, f, num.NearestEven, false)
		}
		return in
	}
	in := tracedInput{tileOperand: tileOperand{name: name, at: p.slot(v)}, scalar: true, conv: p.scalarTo(op, v.Type(), f)}
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

// tracedInputs are the operands of one symbolically executed instruction: tiles, and
// values of scalars.
type tracedInputs struct {
	ins    []tracedInput
	tiles  [maxInputs]tracedTile
	values [maxInputs]value
}

// inputs reads the operands of an instruction before it executes. The slice ins describes
// the operands, and the result contains the tiles and the values of the scalars.
func (x *tracer) inputs(fr *frame, ins []tracedInput) (all tracedInputs) {
	all.ins = ins
	for i := range ins {
		if ins[i].scalar {
			all.values[i] = ins[i].value(fr, x)
		} else {
			all.tiles[i] = x.tile(fr, &ins[i].tileOperand)
		}
	}
	return all
}

// cover reports whether all tile operands contain element (r, c), so that the element of
// the result can be computed.
func (a *tracedInputs) cover(r, c int) bool {
	for i := range a.ins {
		if !a.ins[i].scalar && a.tiles[i].lacks(r, c) {
			return false
		}
	}
	return true
}

// at returns the symbolic value of element (r, c) of operand i. A scalar operand has the
// same value for each element.
func (a *tracedInputs) at(x *tracer, i, r, c int) value {
	if a.ins[i].scalar {
		return a.values[i]
	}
	v := x.at(&a.tiles[i], r, c)
	if w := a.ins[i].widen; w != nil {
		v = x.convert(w, v)
	}
	return v
}

// tracedTileMap compiles sem.TileMap, an elementwise function of tiles, into a step, a Go
// function that computes the results and, for equivalence proofs, their symbolic
// expressions.
func (p *planner) tracedTileMap(op *ir.Op, kind sem.TileMap) step {
	dst := p.tileOut(op)
	f := dst.l.f
	all := kind.AllOfMat && dst.l.info.Space == sem.L1
	names := kind.Args
	if names == nil {
		names = inputNames(op)
	}
	var ins []tracedInput
	for _, name := range names {
		ins = append(ins, p.tracedInput(op, name, f, dst.l.size))
	}
	first := len(ins)
	calls := []*tracedFn{p.loopFn(kind.For(op, p.target), f)}
	if info := pto.InfoOf(op.Def()); info.Error != nil && info.Error(op, p.target, f) > 0 {
		calls[0].ulp = uint32(info.Error(op, p.target, f))
	}
	second := []int{-1}
	for _, then := range kind.Then {
		calls = append(calls, p.loopFn(then.Fn, f))
		if then.Arg == "" {
			second = append(second, -1)
			continue
		}
		second = append(second, len(ins))
		ins = append(ins, p.tracedInput(op, then.Arg, f, dst.l.size))
	}
	if dst.l.half {
		return p.unfollowed(op, "computes pairs of numbers")
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d := x.tile(fr, &dst)
		in := x.inputs(fr, ins)
		rows, cols := d.t.rows, d.t.cols
		if all {
			rows, cols = d.l.rows, d.l.cols
		}
		if rows == 0 || cols == 0 {
			return nil
		}
		if !in.cover(rows-1, cols-1) {
			return skipped
		}
		for r := range rows {
			for c := range cols {
				var args [3]value
				for i := range first {
					args[i] = in.at(x, i, r, c)
				}
				v := x.apply(calls[0], &args)
				for i := 1; i < len(calls); i++ {
					args = [3]value{v}
					if second[i] >= 0 {
						args[1] = in.at(x, second[i], r, c)
					}
					v = x.apply(calls[i], &args)
				}
				x.give(&d, r, c, v)
			}
		}
		return nil
	})
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

// tracedTileExpand compiles sem.TileExpand, which combines each element of a tile with
// the value of its row or column, into a step, a Go function that computes the results
// and, for equivalence proofs, their symbolic expressions.
func (p *planner) tracedTileExpand(op *ir.Op, kind sem.TileExpand) step {
	if kind.Fn == nil {
		return p.moveStep(op, p.plain)
	}
	dst := p.tileOut(op)
	pair := sem.TilePairOf(op).Src
	ins := [2]tileOperand{p.tileOperand(op, pair[0]), p.tileOperand(op, pair[1])}
	if dst.l == nil || ins[0].l == nil || ins[1].l == nil {
		return p.plain
	}
	e := &tileExpand{op: op, dst: dst, ins: ins, n: 2, alongCol: kind.Axis == sem.AlongCol}
	call := p.loopFn(kind.Fn, dst.l.f)
	var then *tracedFn
	if kind.Then != nil {
		then = p.loopFn(kind.Then, dst.l.f)
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d := x.tile(fr, &dst)
		vector := e.vectorOf(fr, d.t)
		v, m := x.tile(fr, &ins[vector]), x.tile(fr, &ins[1-vector])
		rows, cols := d.t.rows, d.t.cols
		if rows == 0 || cols == 0 {
			return nil
		}
		if e.check(fr, d.t, vector) != nil {
			return skipped
		}
		inTurn := kind.InTurn() && !v.l.byCols
		length := max(v.t.cols, 1)
		for r := range rows {
			for c := range cols {
				var args [3]value
				switch {
				case e.alongCol:
					args[vector] = x.at(&v, 0, c)
				case inTurn:
					args[vector] = x.at(&v, r, c%length)
				default:
					args[vector] = x.at(&v, r, 0)
				}
				args[1-vector] = x.at(&m, r, c)
				y := x.apply(call, &args)
				if then != nil {
					y = x.apply(then, &[3]value{y})
				}
				x.give(&d, r, c, y)
			}
		}
		return nil
	})
}

// tracedTilePart compiles sem.TilePart into a step, a Go function that computes the
// results and, for equivalence proofs, their symbolic expressions. The instruction is an
// elementwise function of two tiles whose valid regions can differ; where only one tile
// is valid, the result is the element of this tile.
func (p *planner) tracedTilePart(op *ir.Op, kind sem.TilePart) step {
	o := sem.TilePairOf(op)
	a, b, dst := p.tileOperand(op, o.Src[0]), p.tileOperand(op, o.Src[1]), p.tileOperand(op, o.Dst)
	if a.l == nil || b.l == nil || dst.l == nil {
		return p.plain
	}
	if kind.Arg {
		return p.tracedPartArg(op, kind.Fn, a, b, dst)
	}
	call, f := p.loopFn(kind.Fn, dst.l.f), dst.l.f
	var empty uint64
	fills := true
	switch kind.Fn {
	case scalar.Max:
		empty = num.Lowest(f)
	case scalar.Min:
		empty = num.Max(f)
	default:
		fills = false
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d, s, u := x.tile(fr, &dst), x.tile(fr, &a), x.tile(fr, &b)
		for r := range d.t.rows {
			n, m := s.t.inRow(r), u.t.inRow(r)
			for c := range d.t.cols {
				switch {
				case c < n && c < m:
					x.give(&d, r, c, x.apply(call, &[3]value{x.at(&s, r, c), x.at(&u, r, c)}))
				case c < n:
					x.give(&d, r, c, x.at(&s, r, c))
				case c < m:
					x.give(&d, r, c, x.at(&u, r, c))
				case fills:
					x.give(&d, r, c, knownValue(empty))
				}
			}
		}
		return nil
	})
}

// tracedTileCompare compiles sem.TileCompare, a comparison of tiles, into a step, a Go
// function that computes the results and, for equivalence proofs, their symbolic
// expressions. The result is a mask tile: eight comparison results form one byte.
func (p *planner) tracedTileCompare(op *ir.Op, _ sem.TileCompare) step {
	names := inputNames(op)
	src, dst := p.tileArg(op, names[0]), p.tileOut(op)
	pred, ok := sem.TilePredicate(op)
	if src.l == nil || dst.l == nil || !ok {
		return p.plain
	}
	f := src.l.f
	other := p.tracedInput(op, names[1], f, src.l.size)
	other.widen = widenScalars(&other)
	rel := pred.Relation()
	fn := comparisonFn(rel, f)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d, s := x.tile(fr, &dst), x.tile(fr, &src)
		in := x.inputs(fr, []tracedInput{other})
		if dst.maskCovers(op, s.t.rows, s.t.cols) != nil || s.t.rows > 0 && s.t.cols > 0 && !in.cover(s.t.rows-1, s.t.cols-1) {
			return skipped
		}
		for r := range s.t.rows {
			from := d.l.offset(d.t, r, 0)
			for c := 0; c < s.t.cols; c += 8 {
				var bits [8]value
				for i := range bits {
					bits[i] = knownValue(0)
					if c+i < s.t.cols {
						bits[i] = x.compare(fn, rel, f, x.at(&s, r, c+i), in.at(x, 0, r, c+i))
					}
				}
				x.put(&d.traced, from+c/8, 1, x.byteOf(&bits))
			}
		}
		return nil
	})
}

// widenScalars considers one operand of a comparison, the parameter in. If the operand is
// a scalar, widenScalars returns the conversion to a wider format that the comparison
// applies to it. It returns nil if the operand is a tile, because the comparison uses the
// elements of a tile in their own format.
func widenScalars(in *tracedInput) *tracedConversion {
	if in.scalar {
		return in.widen
	}
	return nil
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

// tracedTileSelect compiles sem.TileSelect, which selects between the elements of two
// tiles by a mask tile, into a step, a Go function that computes the results and, for
// equivalence proofs, their symbolic expressions.
func (p *planner) tracedTileSelect(op *ir.Op, _ sem.TileSelect) step {
	mask, dst := p.tileOperand(op, sem.TileEndsOf(op).Mask), p.tileOut(op)
	if mask.l == nil || dst.l == nil {
		return p.plain
	}
	var ins []tracedInput
	for _, name := range inputNames(op) {
		if name != "mask" {
			in := p.tracedInput(op, name, dst.l.f, dst.l.size)
			in.widen = widenScalars(&in)
			ins = append(ins, in)
		}
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d, m := x.tile(fr, &dst), x.tile(fr, &mask)
		in := x.inputs(fr, ins)
		if mask.maskCovers(op, d.t.rows, d.t.cols) != nil || d.t.rows > 0 && d.t.cols > 0 && !in.cover(d.t.rows-1, d.t.cols-1) {
			return skipped
		}
		for r := range d.t.rows {
			from := m.l.offset(m.t, r, 0)
			for c := range d.t.cols {
				b := x.bitOf(x.get(&m.traced, from+c/8, 1), c%8)
				x.give(&d, r, c, x.choose(b, in.at(x, 0, r, c), in.at(x, 1, r, c)))
			}
		}
		return nil
	})
}

// tracedTileConvert compiles sem.TileConvert, a conversion between number formats, into a
// step. The step is a Go function that computes the result. In equivalence proofs, the
// step computes the symbolic expressions of its elements too. For formats with less than
// 8 bits, each result is an uninterpreted function of all source elements.
func (p *planner) tracedTileConvert(op *ir.Op, kind sem.TileConvert) step {
	o := sem.TileEndsOf(op)
	src, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst)
	if src.l == nil || dst.l == nil || src.l.f.Bits() < 8 || dst.l.f.Bits() < 8 {
		return opaqueTiles(p, op, kind)
	}
	r, sat := isatile.ConvertRounding(op), isatile.ConvertSaturates(op)
	conv := p.tracedConversion(src.l.f, dst.l.f, r, sat)
	var zero *expr.Fn
	if isatile.ConvertZeroesNaN(op) {
		zero = expr.Named("NaN to zero %s", dst.l.f)
	}
	var round *tracedFn
	if src.l.f == dst.l.f && src.l.f.IsFloat() {
		round = p.tracedFn(scalar.Integral[r], src.l.f)
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		s, d := x.tile(fr, &src), x.tile(fr, &dst)
		if d.t.rows == 0 || d.t.cols == 0 {
			return nil
		}
		if s.lacks(d.t.rows-1, d.t.cols-1) {
			return skipped
		}
		for r := range d.t.rows {
			for c := range d.t.cols {
				v := x.at(&s, r, c)
				if round != nil {
					v = x.apply(round, &[3]value{v})
				} else {
					v = x.convert(conv, v)
				}
				x.give(&d, r, c, x.withoutNaN(zero, d.l.f, v))
			}
		}
		return nil
	})
}

// nibbles are the operators that extract the low and the high 4 bits of a byte in
// symbolic expressions.
var nibbles = [2]*expr.Fn{expr.Named("low half"), expr.Named("high half")}

// tracedPartArg compiles a variant of sem.TilePart with indices into a step, a Go
// function that computes the results and, for equivalence proofs, their symbolic
// expressions. For each position, the instruction stores the larger or smaller of two
// elements, as fn selects, and the index that belongs to it. The parameters a and b are
// the source tiles, and dst is the result tile.
func (p *planner) tracedPartArg(op *ir.Op, fn *scalar.Fn, a, b, dst tileOperand) step {
	o := sem.TilePairOf(op)
	ai, bi, di := p.tileOperand(op, o.Numbers[0]), p.tileOperand(op, o.Numbers[1]), p.tileOperand(op, o.DstIndex)
	if ai.l == nil || bi.l == nil || di.l == nil {
		return p.plain
	}
	beats, f := sem.Beats(fn), dst.l.f
	first := expr.Named("first wins %d %s", beats.On, f)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d, s, u := x.tile(fr, &dst), x.tile(fr, &a), x.tile(fr, &b)
		e, si, ui := x.tile(fr, &di), x.tile(fr, &ai), x.tile(fr, &bi)
		if d.t.rows > 0 && d.t.cols > 0 && (e.lacks(d.t.rows-1, d.t.cols-1) || si.lacks(d.t.rows-1, d.t.cols-1) || ui.lacks(d.t.rows-1, d.t.cols-1)) {
			return skipped
		}
		for r := range d.t.rows {
			for c := range d.t.cols {
				left, right := c < s.t.inRow(r), c < u.t.inRow(r)
				if !left && !right {
					continue
				}
				wins := knownValue(uint64(bit(left)))
				if left && right {
					v, w := x.at(&s, r, c), x.at(&u, r, c)
					if v.known && w.known {
						wins = knownValue(uint64(bit(firstOfPair(beats, f, v.bits, w.bits, sem.UnorderedFirst(p.target)))))
					} else {
						wins = x.named(first, v, w)
					}
				}
				pick := func(t, o *tracedTile) value {
					switch {
					case wins.known && wins.bits != 0:
						return x.at(t, r, c)
					case wins.known:
						return x.at(o, r, c)
					}
					return x.choose(wins, x.at(t, r, c), x.at(o, r, c))
				}
				x.give(&d, r, c, pick(&s, &u))
				x.give(&e, r, c, pick(&si, &ui))
			}
		}
		return nil
	})
}

// tracedTileLoad compiles sem.TileLoad, which copies bytes from a view into a tile, into
// a step, a Go function that computes the results and, for equivalence proofs, their
// symbolic expressions. A load with padding also writes padding elements and is rejected
// if elements have 4 bits.
func (p *planner) tracedTileLoad(op *ir.Op, kind sem.TileLoad) step {
	if isatile.LoadPads(op) {
		return movesData(p, op, kind)
	}
	return movesBytes(p, op, kind)
}
