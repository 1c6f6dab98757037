// Package reduce reduces a program to a smaller one with the same property, for example
// that a tool fails on it. The search is greedy: it keeps every change that preserves the
// property. Start reading at Reduce.
package reduce

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/kernel"
)

// Options contains the property that a reduced program must have, and settings of the
// search for such a program.
type Options struct {
	// Interesting reports whether a program still has the property. Several
	// goroutines call it at the same time.
	Interesting func(text []byte) bool
	// Workers is the number of programs that are tried in parallel; less than 1
	// means 1.
	Workers int
	// Progress may be nil. It is called after each successful change with the
	// number of lines that are left and the number of programs tried.
	Progress func(lines, tried int)
}

// errNotInteresting is the error of Reduce if the original program does not have the
// property that the reduced program must have. A program with this property is called
// interesting.
var errNotInteresting = errors.New("the whole program is not interesting")

// change is one way to reduce a program. The field places is a function that returns the
// number of positions in the text at which this reduction is possible. The positions are
// numbered from 0. The field apply is a function that performs the reduction at a range
// of positions: its second argument is the first position, and its third is the position
// after the last one. It returns the new text, or nil if the reduction is impossible at
// these positions.
type change struct {
	places func(text []byte) int
	apply  func(text []byte, from, to int) []byte
}

// changes returns all kinds of reductions in the order in which they are tried. Reduce
// applies this list repeatedly, until no reduction keeps the program interesting. Every
// reduction removes something or decreases a number, so the repetition ends. Reductions
// that remove operations are first, because they leave fewer positions for the other
// kinds.
func (r *reducer) changes() []change {
	return []change{
		inTree(r, operations, dropOps),
		inTree(r, branches, cutBranches),
		inTree(r, bodies, unwrap),
		inTree(r, stand(byOperands).replaceable, stand(byOperands).replace),
		inTree(r, stand(byEarlier).replaceable, stand(byEarlier).replace),
		inTree(r, params, dropParams),
		inTree(r, attributes, dropAttributes),
		{func(text []byte) int { return 3 * len(numbers(text)) }, halve},
	}
}

// inTree returns a change for the reducer: a way to make the program smaller. In contrast
// to changes of the text, this change works on the parsed program. The function list
// returns the candidates, parts of the program that can be changed. The function apply
// changes the given candidates and reports whether that was possible. Each trial parses
// the text separately, because trials run concurrently and must not share a module.
func inTree[T any](r *reducer, list func(module *ir.Op) []T, apply func(module *ir.Op, list []T) bool) change {
	return change{
		func(text []byte) int { return len(list(r.parse(text))) },
		func(text []byte, from, to int) []byte {
			m := r.parse(text)
			all := list(m)
			if from >= len(all) || !apply(m, all[from:min(to, len(all))]) {
				return nil
			}
			return ir.Bytes(m, ir.PrintOptions{Sequential: true})
		},
	}
}

// Reduce returns the smallest program that it finds, or an ir.Errors if the source
// cannot be read. It makes these changes:
//
//   - operations are removed together with everything that depends on them
//   - branches become jumps; loops and sections are replaced by their bodies
//   - results are replaced by operands or by earlier values
//   - unused parameters and optional attributes are removed
//   - sizes and constants are halved
//
// The result can be read without errors if the source can. Reduce does not verify
// the result; Interesting must do so if only legal programs count.
func Reduce(src *ir.Source, o Options) ([]byte, error) {
	r := &reducer{Options: o, name: src.Name}
	var diags ir.Diags
	module := kernel.Parse(src, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if module == nil {
		return nil, diags.Err()
	}
	r.text = ir.Bytes(module, ir.PrintOptions{})
	if !o.Interesting(r.text) {
		return nil, errNotInteresting
	}
	for again := true; again; {
		again = false
		for _, c := range r.changes() {
			again = r.shrink(c) || again
		}
	}
	return r.text, nil
}

// reducer is the state of one reduction.
type reducer struct {
	Options
	name string
	// text is the smallest interesting program so far.
	text  []byte
	tried int
}

// parse parses a program text, and returns nil if it has errors. It discards the
// messages, because the reducer only keeps programs without errors.
func (r *reducer) parse(text []byte) *ir.Op {
	var diags ir.Diags
	return kernel.Parse(&ir.Source{Name: r.name, Text: string(text)}, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
}

// shrink applies the change c at all positions together, then at halves, quarters and so
// on down to single positions, as delta debugging does. It reports whether the program
// became smaller.
func (r *reducer) shrink(c change) (smaller bool) {
	n := c.places(r.text)
	for size := n; size > 0; size /= 2 {
		// From the end to the start: later operations depend on earlier ones, so a
		// position near the end can be changed with fewer consequences.
		for end := n; end > 0; {
			step, left := r.firstOf(c, end, size)
			if left {
				smaller = true
				n = c.places(r.text)
				r.tell()
			}
			end = min(end-step*size, n)
		}
	}
	return smaller
}

// firstOf tests several ranges of positions concurrently, one range per worker. Each
// range has the given size. The first range ends at the parameter end, and each further
// range ends where the previous one starts. For each range, firstOf applies the change c
// to the positions in the range. A range passes if the changed program still has the
// property that the user looks for (Interesting).
//
// Among the ranges that pass, firstOf selects the first one in this order and keeps its
// change. The result therefore does not depend on the speed of the workers. The result
// found is false if no range passes. The result step is the number of ranges that the
// caller need not test again: the selected range and those before it, or all ranges if
// none passes.
func (r *reducer) firstOf(c change, end, size int) (step int, found bool) {
	texts := make([][]byte, max(r.Workers, 1))
	var wg sync.WaitGroup
	for i := range texts {
		to := end - i*size
		if to <= 0 {
			break
		}
		r.tried++
		wg.Go(func() {
			text := c.apply(r.text, max(to-size, 0), to)
			if text != nil && r.parse(text) != nil && r.Interesting(text) {
				texts[i] = text
			}
		})
	}
	wg.Wait()
	for i, text := range texts {
		if text != nil {
			r.text = text
			return i + 1, true
		}
	}
	return len(texts), false
}

// tell reports the progress of the reduction: it calls Options.Progress with the number
// of lines of the current program text and the number of trials so far.
func (r *reducer) tell() {
	if r.Progress != nil {
		r.Progress(bytes.Count(r.text, []byte("\n")), r.tried)
	}
}

// operations returns the operations of the module that can be removed: all except the
// module itself and terminators, which a block must keep.
func operations(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if op != module && !op.HasTrait(ir.Terminator) {
			ops = append(ops, op)
		}
	}
	return ops
}

// dropOps removes operations and, transitively, all users of their results. If a
// terminator is such a user, its parent operation is removed instead. dropOps
// returns false if that parent is the module.
func dropOps(module *ir.Op, some []*ir.Op) bool {
	gone := map[*ir.Op]bool{}
	todo := slices.Clone(some)
	for len(todo) > 0 {
		op := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if gone[op] {
			continue
		}
		if op.HasTrait(ir.Terminator) {
			if op = op.Parent(); op == nil || op == module {
				return false
			}
		}
		gone[op] = true
		for _, v := range op.Results() {
			for u := range v.Uses() {
				todo = append(todo, u.Owner())
			}
		}
	}
	// In reverse order, users are erased before the definitions that they use.
	for _, op := range slices.Backward(operations(module)) {
		if gone[op] && !inside(op, gone) {
			op.Erase()
		}
	}
	return len(gone) > 0
}

// inside reports whether op is nested in an operation of the set gone, directly or
// indirectly. The set contains the operations to erase. Erasing an operation also erases
// the operations in it, so the caller need not erase op separately.
func inside(op *ir.Op, gone map[*ir.Op]bool) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if gone[p] {
			return true
		}
	}
	return false
}

// param identifies a parameter of a function by the function and the index of the
// parameter.
type param struct {
	function *ir.Op
	index    int
}

// params returns the unused parameters of all functions that are not called in the
// module. Parameters of called functions are not included, because the calls would have
// to change as well.
func params(module *ir.Op) (list []param) {
	called := map[*ir.Op]bool{}
	for op := range module.Walk() {
		called[analysis.CalleeOf(op)] = true
	}
	for _, f := range fn.Functions(module) {
		if body := fn.Body(f); body != nil && !called[f] {
			for i, a := range body.Args() {
				if !a.HasUses() {
					list = append(list, param{f, i})
				}
			}
		}
	}
	return list
}

// dropParams removes the parameters in the list some from their functions. It starts with
// the last one, so that the other indices remain valid. It always returns true, because
// this change is possible in every program.
func dropParams(_ *ir.Op, some []param) bool {
	for _, p := range slices.Backward(some) {
		fn.RemoveParam(p.function, p.index)
	}
	return true
}
