// Package reduce cuts a program down to what somebody is interested in, such as a
// fault of a tool.
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

// Options say what to keep.
type Options struct {
	// Interesting reports whether a program still shows what it should. It is called
	// from several goroutines.
	Interesting func(text []byte) bool
	// Workers is how many programs are tried at once.
	Workers int
	// Progress, if it is set, hears how many lines are left and how many programs were
	// tried.
	Progress func(lines, tried int)
}

// errNotInteresting is the error of a program that shows nothing to begin with.
var errNotInteresting = errors.New("the whole program is not interesting")

// change makes a smaller program of one, by what lies at places from..to-1, or
// gives nothing.
type change struct {
	places func(text []byte) int
	apply  func(text []byte, from, to int) []byte
}

// changes are tried in this order, again and again until none leaves the program
// interesting. Each of them makes something less, so that this comes to an end.
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

// inTree is a change of the operations of a program: list finds what may be changed,
// and apply does that to some of them.
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

// Reduce returns the smallest program that it finds, or an ir.Errors if the program
// cannot be read: operations go with all that
// depends on them, branches, loops and sections fall back to what is in them, values
// to what they are made of, and parameters, attributes and sizes go. The result
// reads without errors if the program does; whether it is legal is for Interesting
// to say.
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

type reducer struct {
	Options
	name  string
	text  []byte // the smallest so far
	tried int
}

func (r *reducer) parse(text []byte) *ir.Op {
	var diags ir.Diags
	return kernel.Parse(&ir.Source{Name: r.name, Text: string(text)}, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
}

// shrink applies a change to large pieces first, then to smaller ones.
func (r *reducer) shrink(c change) (smaller bool) {
	n := c.places(r.text)
	for size := n; size > 0; size /= 2 {
		// From the end: what stands there depends on what stands before.
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

// firstOf tries as many pieces as there are workers, the last one first, and takes
// the first that leaves the program interesting. step is how many pieces are done
// with.
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

func (r *reducer) tell() {
	if r.Progress != nil {
		r.Progress(bytes.Count(r.text, []byte("\n")), r.tried)
	}
}

// operations are those that may go: all but the module and the ends of blocks.
func operations(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if op != module && !op.HasTrait(ir.Terminator) {
			ops = append(ops, op)
		}
	}
	return ops
}

// dropOps removes operations and all that uses what they give. Where the end of a
// region does, the operation around it goes.
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
	for _, op := range slices.Backward(operations(module)) {
		if gone[op] && !inside(op, gone) {
			op.Erase()
		}
	}
	return len(gone) > 0
}

// inside reports whether an operation goes with one around it.
func inside(op *ir.Op, gone map[*ir.Op]bool) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if gone[p] {
			return true
		}
	}
	return false
}

type param struct {
	function *ir.Op
	index    int
}

// params are the parameters that nothing uses, of functions without callers.
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

func dropParams(_ *ir.Op, some []param) bool {
	for _, p := range slices.Backward(some) {
		fn.RemoveParam(p.function, p.index)
	}
	return true
}
