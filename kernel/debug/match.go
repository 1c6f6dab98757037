// This file pairs the instructions of two programs.

package debug

import (
	"slices"
	"strconv"

	"ptogo/ir"
)

// match finds corresponding instructions in a and b, two programs that should compute the
// same results. Instructions correspond if their results have the same name in both
// programs. match pairs these first, and then the remaining instructions by their order.
// The result maps instructions of a to instructions of b.
func match(a, b *ir.Op) map[*ir.Op]*ir.Op {
	left, right := instructions(a), instructions(b)
	pairs, taken := map[*ir.Op]*ir.Op{}, map[*ir.Op]bool{}
	pair := func(a, b []*ir.Op, same func(a, b *ir.Op) bool) {
		for _, p := range align(a, b, same) {
			pairs[p[0]], taken[p[1]] = p[1], true
		}
	}
	others := named(right)
	for name, ops := range named(left) {
		if len(ops) == len(others[name]) { // a pass may have replaced the instructions
			pair(ops, others[name], func(_, _ *ir.Op) bool { return true })
		} else {
			pair(ops, others[name], sameName)
		}
	}
	left = slices.DeleteFunc(left, func(op *ir.Op) bool { return pairs[op] != nil })
	right = slices.DeleteFunc(right, func(op *ir.Op) bool { return taken[op] })
	pair(left, right, sameName)
	return pairs
}

// sameName reports whether two instructions have the same operation name.
func sameName(a, b *ir.Op) bool { return a.Name() == b.Name() }

// instructions returns the operations of a module that write tiles, registers or memory,
// in the order of the program text.
func instructions(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if hasArrays(op) && isInstruction(op) && len(written(op)) > 0 {
			ops = append(ops, op)
		}
	}
	return ops
}

// named returns, for each value name, the instructions that write a value with this name.
// It ignores names that are numbers, because compiler passes change them.
func named(ops []*ir.Op) map[string][]*ir.Op {
	names := map[string][]*ir.Op{}
	for _, op := range ops {
		for _, v := range written(op) {
			if _, err := strconv.Atoi(v.Name()); err != nil && v.Name() != "" {
				names[v.Name()] = append(names[v.Name()], op)
				break
			}
		}
	}
	return names
}

// mostAligned limits the running time of align, which is proportional to the product of
// the lengths of its lists.
const mostAligned = 1 << 25

// align pairs as many operations of a and b as possible without changing their order (a
// longest common subsequence), and returns the pairs. same is a function that reports
// whether two operations may be paired. For very long lists, align pairs only a common
// prefix.
func align(a, b []*ir.Op, same func(a, b *ir.Op) bool) (pairs [][2]*ir.Op) {
	for len(a)*len(b) > mostAligned {
		if !same(a[0], b[0]) {
			return pairs
		}
		pairs = append(pairs, [2]*ir.Op{a[0], b[0]})
		a, b = a[1:], b[1:]
	}
	// best[i][j] is the number of pairs in a[i:] and b[j:].
	best := make([][]int32, len(a)+1)
	for i := range best {
		best[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if same(a[i], b[j]) {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case same(a[i], b[j]):
			pairs = append(pairs, [2]*ir.Op{a[i], b[j]})
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
