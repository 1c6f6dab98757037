// This file reads the instructions of PTO-AS text.

package ptoas

import (
	"slices"

	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/ir"
)

// finish creates the instruction that has been read. The parameter off is its offset in
// the text. The state s contains its definition and attributes, and os contains its
// operands. The list outs contains the types of its results, and the list names contains
// the value names that the program gives them.
func (r *asReader) finish(off int, s ir.State, os []asOperand, outs []ir.Type, names []ir.Operand) {
	p := r.p
	// An indexed view gets its size from the tile that is transferred, so the tile
	// comes first.
	extent, known := tileExtent(outs, os)
	// Without a result type the size is unknown. Report that, and not the error of
	// the indexed operand that would result from it.
	if !known && len(outs) == 0 && len(s.Form.Results) > 0 {
		r.results(off, s, nil) // reports the missing type
	}
	for _, o := range os {
		if p.Failed() {
			return
		}
		s.Operands = append(s.Operands, r.indexed(o, extent, known)...)
	}
	if p.Failed() {
		return
	}
	if msg := wrongCount(s.Form, len(s.Operands)); msg != "" {
		p.ErrorAt(off, "'%s' op %s, but has %d operands", s.Def.Name, msg, len(s.Operands))
		return
	}
	s.Segs = chooseSegments(s)
	if s.Results = r.results(off, s, outs); p.Failed() {
		return
	}
	if len(names) != len(s.Results) {
		p.ErrorAt(off, "'%s' op has %d results, but %d are named", s.Def.Name, len(s.Results), len(names))
		return
	}
	op := ir.AtEnd(r.block, s.Loc).Create(s)
	for i, n := range names {
		p.Define(n.Name, n.Off, op.Result(i))
	}
}

// results returns the types of the results of the instruction that s describes. The text
// of the instruction can contain types of the first results, which are in the parameter
// outs. results infers the remaining types from the operands, as the definition of the
// instruction prescribes. If a type cannot be inferred, results reports an error at
// offset off.
func (r *asReader) results(off int, s ir.State, outs []ir.Type) []ir.Type {
	env := environment(s, s.Segs)
	least := 0
	for i := range s.Form.Results {
		if s.Form.Results[i].Arity == ir.One {
			least++
		}
	}
	for i := len(outs); i < least; i++ {
		inf, ok := s.Form.Results[i].Type.(ir.Inferrer)
		if !ok || inf.Infer(env).IsZero() {
			r.p.ErrorAt(off, "'%s' op needs the type of its result: write -> type after the operand types", s.Def.Name)
			return nil
		}
		outs = append(outs, inf.Infer(env))
	}
	return outs
}

// environment returns the context in which the type constraints of an instruction are
// checked. The state s contains its operands, and segs is the number of operands of each
// argument.
func environment(s ir.State, segs []int32) *ir.Env {
	env := &ir.Env{Def: s.Def, Form: s.Form, Segs: segs}
	for _, v := range s.Operands {
		env.Operands = append(env.Operands, v.Type())
	}
	return env
}

// chooseSegments distributes the operands of an instruction over its arguments, some of
// which are optional. It chooses the distribution in which the most operands have a legal
// type, and returns the number of operands of each argument. It returns nil if the number
// of operands determines the distribution.
func chooseSegments(s ir.State) []int32 {
	args := s.Form.Operands
	// Segment sizes are needed only if several arguments have a variable number of
	// operands.
	if ir.Segments(args, []int32{}) == nil {
		return nil
	}
	var best []int32
	bestScore := -1
	cur := make([]int32, len(args))
	// Try all distributions. Instructions have few optional arguments, so there are
	// only a few. Among equal scores the first wins: it gives the most operands to
	// the earlier arguments.
	var try func(i, rest int)
	try = func(i, rest int) {
		if i == len(args) {
			if score := agreeing(s, cur); rest == 0 && score > bestScore {
				best, bestScore = slices.Clone(cur), score
			}
			return
		}
		least, most := 1, 1
		if args[i].Arity != ir.One {
			least = 0
		}
		if args[i].Arity == ir.Variadic {
			most = rest
		}
		for n := min(most, rest); n >= least; n-- {
			cur[i] = int32(n)
			try(i+1, rest-n)
		}
	}
	try(0, len(s.Operands))
	return best
}

// agreeing counts the operands of s whose type is legal. It assumes that segs[i] operands
// belong to argument i of the form of s, the list of declared operands.
func agreeing(s ir.State, segs []int32) int {
	env := environment(s, segs)
	score, k := 0, 0
	for i, n := range segs {
		for ; n > 0 && k < len(env.Operands); n-- {
			if s.Form.Operands[i].Type.Check(env.Operands[k], env) {
				score++
			}
			k++
		}
	}
	return score
}

// wrongCount checks the number of operands of an instruction. It returns an error message
// if an instruction with the given form cannot have n operands, and "" otherwise.
func wrongCount(form *ir.Form, n int) string {
	least, most := 0, 0
	for _, a := range form.Operands {
		switch a.Arity {
		case ir.One:
			least, most = least+1, most+1
		case ir.Optional:
			most++
		case ir.Variadic:
			most += n
		}
	}
	switch {
	case n < least:
		return "expects more operands"
	case n > most:
		return "expects fewer operands"
	}
	return ""
}

// indexed returns the values that the text of operand o represents. The operand can have
// indices in brackets. If o is a view, the indices are the position of a rectangular part
// of it, and e is the size of the part. If known is false, this size is unknown, and
// indexed reports an error. If o is a tile, the indices become separate operands of the
// instruction.
func (r *asReader) indexed(o asOperand, e pto.Extent, known bool) []*ir.Value {
	switch {
	case o.index == nil:
		return []*ir.Value{o.value}
	case ir.Is[pto.Tile](o.value.Type()):
		return append([]*ir.Value{o.value}, o.index...)
	case !known:
		r.p.ErrorAt(o.name.Off, "cannot infer the size of the part of %s, because no tile with a static valid region determines it", o.name.Name)
		return nil
	}
	return []*ir.Value{r.part(o, e)}
}

// tileExtent returns the valid region of the tile that an instruction returns. The
// parameter outs contains the result types of the instruction, and os contains its
// operands. If the instruction returns no tile, tileExtent returns the valid region of
// the first tile operand. The bool result is false if this region is not static.
func tileExtent(outs []ir.Type, os []asOperand) (pto.Extent, bool) {
	for _, o := range os {
		outs = append(outs, o.value.Type())
	}
	for _, t := range outs {
		if ir.Is[pto.Tile](t) {
			e := pto.ValidOf(t)
			return e, e.Rows != ir.Dynamic && e.Cols != ir.Dynamic
		}
	}
	return pto.Extent{}, false
}

// part inserts the operation that creates a rectangular part of a view. The operand o
// consists of the view and of indices, with which the part starts. The indices are those
// of the last dimensions; the earlier dimensions start at 0. The part has the size e of a
// tile.
func (r *asReader) part(o asOperand, e pto.Extent) *ir.Value {
	view, ok := ir.As[pto.TensorView](o.value.Type())
	rank := view.Shape.Len()
	if !ok || len(o.index) > rank || rank < 2 {
		r.p.ErrorAt(o.name.Off, "%s is indexed by %d numbers, but has type %s", o.name.Name, len(o.index), o.value.Type())
		return o.value
	}
	loc := r.p.LocAt(o.name.Off)
	sizes := make([]int64, rank)
	operands := []*ir.Value{o.value}
	for i := range rank {
		if k := i - (rank - len(o.index)); k >= 0 {
			operands = append(operands, o.index[k])
		} else {
			operands = append(operands, r.index(loc, 0))
		}
		sizes[i] = 1
	}
	// A tile has two dimensions, which are the last two of the view.
	sizes[rank-2], sizes[rank-1] = e.Rows, e.Cols
	for _, n := range sizes {
		operands = append(operands, r.index(loc, n))
	}
	t := ir.TypeOf(pto.PartitionView{Shape: ir.MakeDims(sizes...), Elem: view.Elem})
	return ir.AtEnd(r.block, loc).Create(ir.State{
		Def: isabase.PartitionViewOp, Operands: operands, Results: []ir.Type{t}, Segs: []int32{1, int32(rank), int32(rank)},
	}).Result(0)
}
