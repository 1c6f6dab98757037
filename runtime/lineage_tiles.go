package runtime

import (
	"bytes"
	"fmt"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// Expressions of the elements of tiles. Each routine walks over the elements as the step
// does, and asks the same descriptors and layouts where they are.

// tracedTile is a tile with its planes.
type tracedTile struct {
	traced
	t *tile
	l *layout
}

// tile returns a tile operand with its planes.
func (x *tracer) tile(fr *frame, o *tileOperand) tracedTile {
	t := fr.t[o.at]
	return tracedTile{x.region(t.data), t, o.l}
}

// at is element (r, c).
func (x *tracer) at(t *tracedTile, r, c int) value {
	return x.get(&t.traced, t.l.offset(t.t, r, c), t.l.size)
}

// give notes element (r, c) of the result.
func (x *tracer) give(t *tracedTile, r, c int, v value) {
	x.put(&t.p, t.l.offset(t.t, r, c), t.l.size, v)
}

// lacks reports whether the storage has no element (r, c), or one that shares its byte.
func (t *tracedTile) lacks(r, c int) bool {
	return t.l.half || r >= t.l.rows || c >= t.l.cols
}

// tracedInput is an operand of elements: a tile or a scalar.
type tracedInput struct {
	tileOperand
	scalar bool
	conv   func(bits uint64) uint64
	widen  *tracedConversion // of a tile of another format, or of a scalar
}

// tracedInput prepares an operand of elements of f, as mapInput does.
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

// value of a scalar operand, in the format of elements.
func (in *tracedInput) value(fr *frame, x *tracer) value {
	v := x.scalar(fr, in.at)
	switch {
	case v.known:
		return knownValue(in.conv(v.bits))
	case in.widen != nil:
		return x.convert(in.widen, v)
	}
	return v
}

// tracedInputs are operands while an instruction executes.
type tracedInputs struct {
	ins    []tracedInput
	tiles  [maxInputs]tracedTile
	values [maxInputs]value
}

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

// cover reports whether all operands have element (r, c).
func (a *tracedInputs) cover(r, c int) bool {
	for i := range a.ins {
		if !a.ins[i].scalar && a.tiles[i].lacks(r, c) {
			return false
		}
	}
	return true
}

// at is element (r, c) of operand i.
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

// tracedTileMap is the routine of sem.TileMap.
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
	calls := []*tracedFn{p.tracedFn(kind.For(op, p.target), f)}
	second := []int{-1}
	for _, then := range kind.Then {
		calls = append(calls, p.tracedFn(then.Fn, f))
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

// unfollowed is the step of an instruction that is not followed.
func (p *planner) unfollowed(op *ir.Op, why string) step {
	return func(fr *frame) *Fault { return fr.core.undecided(op, nil, why+", which the expressions do not follow") }
}

// tracedTileReduce is the routine of sem.TileReduce.
func (p *planner) tracedTileReduce(op *ir.Op, kind sem.TileReduce) step {
	o := sem.TileEndsOf(op)
	src, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst)
	if src.l == nil || dst.l == nil {
		return p.plain
	}
	alongCol := kind.Axis == sem.AlongCol
	reduce := p.tracedReduction(op, kind, src.l.f)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		s, d := x.tile(fr, &src), x.tile(fr, &dst)
		lines, n := s.t.lines(alongCol)
		if n == 0 || lines == 0 {
			return nil
		}
		if alongCol && (lines > d.l.cols || d.lacks(0, 0)) || !alongCol && (lines > d.l.rows || d.lacks(0, 0)) {
			return skipped
		}
		xs := make([]value, n)
		for i := range lines {
			for k := range n {
				if alongCol {
					xs[k] = x.at(&s, k, i)
				} else {
					xs[k] = x.at(&s, i, k)
				}
			}
			v := reduce(x, xs)
			if alongCol {
				x.give(&d, 0, i, v)
			} else {
				x.give(&d, i, 0, v)
			}
		}
		return nil
	})
}

// tracedReduction returns the reduction of a line in the order of the target; it
// overwrites the line. See newOrderedReduce for which steps round.
func (p *planner) tracedReduction(op *ir.Op, kind sem.TileReduce, f num.Format) func(x *tracer, xs []value) value {
	t := p.opts.Lineage.Exprs
	q := kind.Sequence(op, p.target)
	if kind.Arg {
		find := expr.Named("place of %s %s", kind.Fn, f)
		return func(x *tracer, xs []value) value { return x.fold(find, xs) }
	}
	call := p.tracedFn(kind.Fn, f)
	two := func(call *tracedFn) func(x *tracer) func(a, b value) value {
		return func(x *tracer) func(a, b value) value {
			return func(a, b value) value { return x.apply(call, &[3]value{a, b}) }
		}
	}
	canonical := &tracedFn{fn: &scalar.Fn{Arity: 1}, f: f, e: t.Canonical(f)}
	if q.Of == scalar.InTurn {
		combine := two(call)
		float := f.IsFloat()
		return func(x *tracer, xs []value) value {
			if len(xs) == 1 && float && f == num.F32 && !alongColCopies(kind) {
				return x.canonical(canonical, xs[0])
			}
			f := combine(x)
			return scalar.Reduce(q, xs, f, f)
		}
	}
	if f == num.F32 {
		combine, adds := two(call), p.tracedFn(scalar.Add, f)
		return func(x *tracer, xs []value) value {
			if kind.Axis == sem.AlongCol && len(xs) == 1 {
				return xs[0]
			}
			one := len(xs) == 1
			f := combine(x)
			v := scalar.Reduce(q, xs, f, f)
			if q.Of == scalar.ByChunks {
				return x.apply(adds, &[3]value{v, knownValue(0)})
			}
			if one {
				return x.canonical(canonical, v)
			}
			return v
		}
	}
	// Narrow elements are widened to f32; steps that round do so to the format.
	widen, narrow := p.tracedConversion(f, num.F32, num.NearestEven, false), p.tracedConversion(num.F32, f, num.NearestEven, false)
	wide, adds := p.tracedFn(kind.Fn, num.F32), p.tracedFn(scalar.Add, num.F32)
	return func(x *tracer, xs []value) value {
		if kind.Axis == sem.AlongCol && len(xs) == 1 {
			return xs[0]
		}
		for i := range xs {
			xs[i] = x.convert(widen, xs[i])
		}
		exactly := two(wide)(x)
		rounded := func(a, b value) value { return x.convert(widen, x.convert(narrow, exactly(a, b))) }
		lanewise, across := rounded, rounded
		switch q.Of {
		case scalar.ByRepeats, scalar.ByChunks, scalar.ByEighths:
			lanewise, across = exactly, exactly
		case scalar.ByBlocks:
			across = exactly
		}
		v := scalar.Reduce(q, xs, lanewise, across)
		if q.Of == scalar.ByChunks {
			v = x.apply(adds, &[3]value{v, knownValue(0)})
		}
		return x.convert(narrow, v)
	}
}

// alongColCopies reports whether a line of one element is copied.
func alongColCopies(kind sem.TileReduce) bool { return kind.Axis == sem.AlongCol }

// canonical replaces NaN by the canonical one.
func (x *tracer) canonical(f *tracedFn, v value) value {
	if v.known {
		if f.f.IsFloat() && num.IsNaN(f.f, v.bits) {
			return knownValue(num.NaN(f.f))
		}
		return v
	}
	return value{h: x.t.Apply1(f.e, v.h)}
}

// fold is a function of a list of values.
func (x *tracer) fold(f *expr.Fn, xs []value) value {
	acc := value{h: x.t.Apply(f, x.t.Const(uint64(len(xs))))}
	for i := range xs {
		acc = value{h: x.t.Apply2(f, acc.h, x.hash(&xs[i]))}
	}
	return acc
}

// tracedTileExpand is the routine of sem.TileExpand.
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
	call := p.tracedFn(kind.Fn, dst.l.f)
	var then *tracedFn
	if kind.Then != nil {
		then = p.tracedFn(kind.Then, dst.l.f)
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

// tracedTilePart is the routine of sem.TilePart.
func (p *planner) tracedTilePart(op *ir.Op, kind sem.TilePart) step {
	o := sem.TilePairOf(op)
	a, b, dst := p.tileOperand(op, o.Src[0]), p.tileOperand(op, o.Src[1]), p.tileOperand(op, o.Dst)
	if a.l == nil || b.l == nil || dst.l == nil {
		return p.plain
	}
	if kind.Arg {
		return p.tracedPartArg(op, kind.Fn, a, b, dst)
	}
	call, f := p.tracedFn(kind.Fn, dst.l.f), dst.l.f
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

// tracedTileCompare is the routine of sem.TileCompare: bits of bytes.
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
				x.put(&d.p, from+c/8, 1, x.byteOf(&bits))
			}
		}
		return nil
	})
}

// widenScalars keeps the conversion of a scalar only: tiles are compared as they are.
func widenScalars(in *tracedInput) *tracedConversion {
	if in.scalar {
		return in.widen
	}
	return nil
}

// compare compares two elements.
func (x *tracer) compare(fn *expr.Fn, rel scalar.Relation, f num.Format, a, b value) value {
	if a.known && b.known {
		return knownValue(uint64(bit(rel.Holds(f, a.bits, b.bits))))
	}
	return x.named(fn, a, b)
}

// byteOf is a byte of eight bits.
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

// bitOf is bit i of a byte.
func (x *tracer) bitOf(v value, i int) value {
	if v.known {
		return knownValue(v.bits >> i & 1)
	}
	return value{h: x.t.Bit(v.h, i)}
}

// tracedTileSelect is the routine of sem.TileSelect.
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

// tracedTileConvert is the routine of sem.TileConvert.
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
				if zero != nil && !v.known {
					v = x.named(zero, v)
				} else if zero != nil && num.IsNaN(d.l.f, v.bits) {
					v = knownValue(0)
				}
				x.give(&d, r, c, v)
			}
		}
		return nil
	})
}

// tracedTileMatmul is the routine of sem.TileMatmul.
func (p *planner) tracedTileMatmul(op *ir.Op, kind sem.TileMatmul) step {
	dst := p.tileOut(op)
	lhs, rhs := p.tileArg(op, kind.Lhs), p.tileArg(op, kind.Rhs)
	var start, ls, rs tileOperand
	if kind.Acc || kind.Bias {
		start = p.tileArg(op, kind.In)
	}
	if kind.Scaled {
		ls, rs = p.tileArg(op, kind.LhsScale), p.tileArg(op, kind.RhsScale)
		if scalesBeside(op, kind.LhsScale, kind.Lhs, scalesA) != nil || scalesBeside(op, kind.RhsScale, kind.Rhs, scalesB) != nil {
			return p.unfollowed(op, "multiplies with scales that micro instructions have loaded")
		}
	}
	if dst.l == nil || lhs.l == nil || rhs.l == nil {
		return p.plain
	}
	acc := num.F32
	if dst.l.f.IsInt() {
		acc = num.S32
	}
	how := p.newChain(arithmeticName(dst.l.f, lhs.l.f, rhs.l.f), acc)
	left, right := p.tracedConversion(lhs.l.f, acc, num.NearestEven, false), p.tracedConversion(rhs.l.f, acc, num.NearestEven, false)
	give := p.tracedConversion(acc, dst.l.f, num.NearestEven, false)
	var first *tracedConversion
	if start.l != nil {
		first = p.tracedConversion(start.l.f, acc, num.NearestEven, false)
	}
	scale := expr.Named("times two to the power of")
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		a, b, d := x.tile(fr, &lhs), x.tile(fr, &rhs), x.tile(fr, &dst)
		rows, cols, k := a.t.rows, b.t.cols, min(a.t.cols, b.t.rows)
		if rows*cols == 0 {
			return nil
		}
		if high, wide := dst.l.info.Packed(); int64(rows) > high || int64(cols) > wide {
			return skipped
		}
		rounding := fr.core.operandRounding(lhs.l.f, rhs.l.f)
		element := func(t *tracedTile, conv *tracedConversion, s *tracedTile, sr, sc func(r, c int) int) func(r, c int) value {
			return func(r, c int) value {
				v := x.number(t, r, c, conv)
				if s != nil {
					v = x.named(scale, v, x.at(s, sr(r, c), sc(r, c)))
				}
				if rounding != nil {
					v = x.named(rounding, v)
				}
				return v
			}
		}
		row, col := func(r, _ int) int { return r }, func(_, c int) int { return c }
		l, r := element(&a, left, nil, row, col), element(&b, right, nil, row, col)
		if kind.Scaled {
			sa, sb := x.tile(fr, &ls), x.tile(fr, &rs)
			l = element(&a, left, &sa, row, func(_, c int) int { return c / scaleGroup })
			r = element(&b, right, &sb, func(r, _ int) int { return r / scaleGroup }, col)
		}
		var s tracedTile
		if start.l != nil {
			s = x.tile(fr, &start)
			if start.l.cols < cols || !kind.Bias && start.l.rows < rows {
				return skipped
			}
		}
		how.run(x, rows, cols, k, l, r, func(i, j int) value {
			switch {
			case start.l == nil:
				return knownValue(0)
			case kind.Bias:
				i = 0
			}
			return x.convert(first, x.at(&s, i, j))
		}, func(i, j int, v value) { x.give(&d, i, j, x.convert(give, v)) })
		return nil
	})
}

// number is element (r, c) as a number of the sum; two may share a byte.
func (x *tracer) number(t *tracedTile, r, c int, conv *tracedConversion) value {
	if !t.l.half {
		return x.convert(conv, x.at(t, r, c))
	}
	n := t.l.number(t.t, r, c)
	b := x.get(&t.traced, n/2, 1)
	if b.known {
		return x.convert(conv, knownValue(b.bits>>(n%2*4)&0xF))
	}
	return x.convert(conv, x.named(nibbles[n%2], b))
}

var nibbles = [2]*expr.Fn{expr.Named("low half"), expr.Named("high half")}

// arithmeticName names how products sum.
func arithmeticName(sum, l, r num.Format) string {
	return fmt.Sprintf("products %v", arithmeticOf(sum, l, r))
}

// operandRounding names how products round operands, or is nil.
func (c *core) operandRounding(l, r num.Format) *expr.Fn {
	if l != num.F32 || r != num.F32 || len(c.roundings) == 0 {
		return nil
	}
	return expr.Named("rounded %v", c.roundings)
}

// chain is a product of matrices.
type chain struct {
	p        *expr.Products
	mul, add *tracedFn
	any      bool // sums are of any order
}

func (p *planner) newChain(how string, acc num.Format) *chain {
	return &chain{expr.NewProducts(how), p.tracedFn(scalar.Mul, acc), p.tracedFn(scalar.Add, acc), p.opts.Lineage.Exprs.Modulo.Reassociation && acc.IsFloat()}
}

// run gives all elements of a product.
func (h *chain) run(x *tracer, rows, cols, k int, l, r func(i, j int) value, start func(i, j int) value, give func(i, j int, v value)) {
	hash := func(v value) expr.Hash { return x.hash(&v) }
	if h.any {
		for i := range rows {
			for j := range cols {
				v := start(i, j)
				for n := range k {
					product := x.apply(h.mul, &[3]value{l(i, n), r(n, j)})
					if v.known && v.bits == 0 { // the sum begins with its first term
						v = product
					} else {
						v = x.apply(h.add, &[3]value{v, product})
					}
				}
				give(i, j, v)
			}
		}
		return
	}
	right := make([]expr.Hash, cols)
	for j := range right {
		right[j] = h.p.Factors(func(n int) expr.Hash { return hash(r(n, j)) }, k)
	}
	for i := range rows {
		left := h.p.Factors(func(n int) expr.Hash { return hash(l(i, n)) }, k)
		for j := range cols {
			give(i, j, value{h: x.t.Chain(h.p, hash(start(i, j)), left, right[j], k)})
		}
	}
}

// The kinds that move elements by numbers in tiles.

func (p *planner) tracedConcat(op *ir.Op, kind sem.TileConcat) step {
	if kind.Counts {
		o := sem.TilePairOf(op)
		return p.moveStep(op, p.plain, o.Numbers[0].Value, o.Numbers[1].Value)
	}
	return p.moveStep(op, p.plain)
}

func (p *planner) tracedGather(op *ir.Op, _ sem.TileGather) step {
	o := sem.TileSearchOf(op)
	switch {
	case o.Indices.Given():
		return p.gatherOf(op, o, p.moveStep(op, p.plain, o.Indices.Value))
	case o.Value.Given():
		return p.unfollowed(op, "gathers as many elements as data says")
	}
	return p.moveStep(op, p.plain)
}

// gatherOf is the step of a gather by indices: known ones move elements. Otherwise each
// element is a function of its index and of all valid elements of the source.
func (p *planner) gatherOf(op *ir.Op, o sem.TileSearch, moves step) step {
	src, dst, idx := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst), p.tileOperand(op, o.Indices)
	if src.l == nil || dst.l == nil || idx.l == nil || p.movesNibbles(op) {
		return moves
	}
	call := expr.Named("element %s of %d bytes, of all", idx.l.f, src.l.size)
	computes := computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		s, d, at := x.tile(fr, &src), x.tile(fr, &dst), x.tile(fr, &idx)
		if d.t.rows == 0 || d.t.cols == 0 {
			return nil
		}
		if at.lacks(d.t.rows-1, d.t.cols-1) || d.lacks(d.t.rows-1, d.t.cols-1) {
			return skipped
		}
		all := value{h: x.t.Apply(call)}
		for i := 0; i+src.l.size <= src.l.elements(s.t)*src.l.size; i += src.l.size {
			v := x.get(&s.traced, i, src.l.size)
			all = value{h: x.t.Apply2(call, all.h, x.hash(&v))}
		}
		for r := range d.t.rows {
			for c := range d.t.cols {
				x.give(&d, r, c, x.named(call, all, x.at(&at, r, c)))
			}
		}
		return nil
	})
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		r := x.region(fr.t[idx.at].data)
		if x.unknown(&r) == nil {
			return moves(fr)
		}
		return computes(fr)
	}
}

func (p *planner) tracedPlaces(op *ir.Op, _ sem.TileGatherBlocks) step {
	return p.moveStep(op, p.plain, sem.TilePlacesOf(op).Places.Value)
}

func (p *planner) tracedScatter(op *ir.Op, _ sem.TileScatter) step {
	if at := sem.TilePlacesOf(op).Places; at.Given() {
		return p.scatterOf(op, p.moveStep(op, p.plain, at.Value))
	}
	return p.moveStep(op, p.plain)
}

// scatterOf is the step of a scatter by indices: known ones move elements. Otherwise each
// element of the storage of the result is a function of what it was, of its place, and of
// all valid indices and elements.
func (p *planner) scatterOf(op *ir.Op, moves step) step {
	o := sem.TilePlacesOf(op)
	src, idx, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Places), p.tileOut(op)
	if src.l == nil || dst.l == nil || idx.l == nil || p.movesNibbles(op) {
		return moves
	}
	call := expr.Named("scattered %+v %s %d", o.Blocks, idx.l.f, src.l.size)
	computes := computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d := x.tile(fr, &dst)
		all := x.named(call, knownValue(uint64(d.t.pitch)), knownValue(uint64(d.t.rows)), knownValue(uint64(d.t.cols)),
			knownValue(uint64(dst.l.rows)), knownValue(uint64(dst.l.cols)), knownValue(uint64(bit(dst.l.byCols))))
		for _, operand := range []*tileOperand{&src, &idx} {
			t := x.tile(fr, operand)
			all = x.named(call, all, knownValue(uint64(t.t.rows)), knownValue(uint64(t.t.cols)))
			for r := range t.t.rows {
				for c := range t.t.cols {
					if t.lacks(r, c) {
						return skipped
					}
					v := x.at(&t, r, c)
					all = value{h: x.t.Apply2(call, all.h, x.hash(&v))}
				}
			}
		}
		for i := range dst.l.elements(d.t) {
			old := x.get(&d.traced, i*dst.l.size, dst.l.size)
			x.put(&d.p, i*dst.l.size, dst.l.size, x.named(call, all, old, knownValue(uint64(i))))
		}
		return nil
	})
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		r := x.region(fr.t[idx.at].data)
		if x.unknown(&r) == nil {
			return moves(fr)
		}
		return computes(fr)
	}
}

func (p *planner) tracedMemGather(op *ir.Op, _ sem.MemGather) step {
	return p.tracedTable(op)
}

func (p *planner) tracedMemScatter(op *ir.Op, _ sem.MemScatter) step {
	return p.tracedTable(op)
}

func (p *planner) tracedTable(op *ir.Op) step {
	v := sem.TableOf(op).Index.Value
	if v == nil || !pto.IsTile(v.Type()) {
		return p.unfollowed(op, "reads indices in memory")
	}
	return p.moveStep(op, p.plain, v)
}

// opaqueTiles is the routine of kinds of which only this is used: the bytes that they
// write are a function of the valid elements of the tiles that they read, and of scalars.
// Which bytes they write does not depend on data.
func opaqueTiles[S ir.Meaning](p *planner, op *ir.Op, _ S) step {
	q := &opaque{op: op, s: p.plain}
	name := fmt.Sprintf("%s %v", op.Name(), p.target)
	for a := range op.OwnAttrs() {
		name += " " + a.Name + "=" + fmt.Sprint(a.Attr)
	}
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		for k := from; k < to; k++ {
			v := op.Operand(k)
			switch p.classOf(v.Type()) {
			case tileClass:
				t := p.tileValue(op, a.Name, v)
				if t.l == nil {
					return p.plain
				}
				if a.Role == ir.Out || a.Role == ir.InOut {
					q.outs = append(q.outs, t)
				} else {
					q.ins = append(q.ins, t)
				}
				info := t.l.info
				info.VRows, info.VCols = 0, 0
				name += fmt.Sprintf(" %s %+v", a.Name, info)
				if a.Role == ir.InOut {
					return p.unfollowed(op, "changes a tile")
				}
			case scalarClass:
				q.scalars = append(q.scalars, p.slot(v))
			default:
				return p.unfollowed(op, "has operands of other kinds than tiles and scalars")
			}
		}
	}
	if op.NumResults() > 0 || len(q.outs) == 0 {
		return p.unfollowed(op, "has results beside tiles")
	}
	q.fn = expr.Named("%s", name)
	return q.exec
}

// opaque is an instruction on tiles that is one function.
type opaque struct {
	op        *ir.Op
	s         step
	fn        *expr.Fn
	ins, outs []tileOperand
	scalars   []slot
}

func (q *opaque) exec(fr *frame) *Fault {
	x := fr.core.lineageOf()
	x.t.At = q.op
	all, known := value{h: x.t.Apply(q.fn)}, true
	add := func(v value) {
		known = known && v.known
		all = value{h: x.t.Apply2(q.fn, all.h, x.hash(&v))}
	}
	for _, at := range q.scalars {
		add(x.scalar(fr, at))
	}
	for i := range q.ins {
		t := x.tile(fr, &q.ins[i])
		add(knownValue(uint64(t.t.rows)))
		add(knownValue(uint64(t.t.cols)))
		for r := range t.t.rows {
			for c := range t.t.cols {
				if at := t.l.offset(t.t, r, c); at+t.l.size <= len(t.real) {
					add(x.get(&t.traced, at, t.l.size))
				}
			}
		}
		for k := range q.outs {
			if overlap(t.real, fr.t[q.outs[k].at].data) {
				return fr.core.undecided(q.op, nil, "overwrites a tile that it reads, which the expressions do not follow")
			}
		}
	}
	written, f := q.written(fr)
	if f != nil {
		return f
	}
	for i := range q.outs {
		t := x.tile(fr, &q.outs[i])
		add(knownValue(uint64(t.t.rows)))
		add(knownValue(uint64(t.t.cols)))
		for at, on := range written[i] {
			switch {
			case !on:
			case known:
				t.p.known(at, 1)
			default:
				v := x.named(q.fn, all, knownValue(uint64(i)), knownValue(uint64(at)))
				t.p.set(at, 1, x.t.New(v.h))
			}
		}
	}
	return nil
}

// written executes the step and reports which bytes of the results it writes: those
// that become the same whatever they were before.
func (q *opaque) written(fr *frame) ([][]bool, *Fault) {
	before, ones := make([][]byte, len(q.outs)), make([][]byte, len(q.outs))
	for i := range q.outs {
		before[i] = bytes.Clone(fr.t[q.outs[i].at].data)
	}
	for _, b := range []byte{0xFF, 0} {
		for i := range q.outs {
			data := fr.t[q.outs[i].at].data
			for at := range data {
				data[at] = b
			}
		}
		if f := q.s(fr); f != nil {
			return nil, f
		}
		if b != 0 {
			for i := range q.outs {
				ones[i] = bytes.Clone(fr.t[q.outs[i].at].data)
			}
		}
	}
	written := make([][]bool, len(q.outs))
	for i := range q.outs {
		data := fr.t[q.outs[i].at].data
		written[i] = make([]bool, len(data))
		for at := range data {
			if data[at] == 0 && ones[i][at] == 0xFF {
				data[at] = before[i][at]
			} else {
				written[i][at] = true
			}
		}
	}
	return written, nil
}

// tracedPartArg is the routine of sem.TilePart with an index along with each element.
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
						wins = knownValue(uint64(bit(better(beats, f, v.bits, w.bits))))
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

// tracedTileLoad is the routine of sem.TileLoad, which moves bytes, but for padding with
// an element.
func (p *planner) tracedTileLoad(op *ir.Op, kind sem.TileLoad) step {
	if isatile.LoadPads(op) {
		return movesData(p, op, kind)
	}
	return movesBytes(p, op, kind)
}
