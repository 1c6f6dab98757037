// This file determines the cores of a launch and the functions that they run.

package analysis

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// Core is one core of a block, the unit of a launch, with the kernel that it executes.
type Core struct {
	Kernel *ir.Op
	Unit   sem.Unit
	// Sub is the number of the vector core in its block, counted from 0.
	Sub int
}

// CoresOf returns the cores of a block on target t that execute kernels which are
// launched together. A single kernel without sections for both core types runs on one
// core. Otherwise, a block has one cube core and two vector cores: for several kernels,
// and for a single kernel with sections for both core types.
//
// If the list has an entry for each vector core, the first of these entries runs on
// vector core 0 and the second on vector core 1. Both entries can be the same kernel:
// frontends launch one vector kernel on both vector cores of a block.
func CoresOf(kernels []*ir.Op, t ir.Target) []Core {
	facts := launchFacts{target: t}
	for _, f := range Reached(kernels) {
		facts.add(f)
	}
	if len(kernels) == 1 && facts.sections != sem.AnyUnit {
		return []Core{{Kernel: kernels[0], Unit: sem.AnyUnit}}
	}
	var cores []Core
	each := VectorEntries(kernels) == sem.VectorCores
	next := 0 // the vector core of the next entry
	for _, k := range kernels {
		u := UnitOf(k)
		if each && u == sem.VectorUnit {
			cores = append(cores, Core{Kernel: k, Unit: u, Sub: next})
			next++
			continue
		}
		if u&sem.CubeUnit != 0 {
			cores = append(cores, Core{Kernel: k, Unit: sem.CubeUnit})
		}
		for sub := range facts.vectors(kernels) {
			if u&sem.VectorUnit != 0 {
				cores = append(cores, Core{Kernel: k, Unit: sem.VectorUnit, Sub: sub})
			}
		}
	}
	return cores
}

// VectorEntries returns the number of entries of kernels that are kernels for vector
// cores only. A kernel can have two entries.
func VectorEntries(kernels []*ir.Op) int {
	n := 0
	for _, k := range kernels {
		if UnitOf(k) == sem.VectorUnit {
			n++
		}
	}
	return n
}

// OneCore reports whether each function runs on a single core if it is launched alone.
// This is the case unless the functions together have sections for both core types.
func OneCore(fns []*ir.Op, t ir.Target) bool {
	facts := launchFacts{target: t}
	for _, f := range fns {
		facts.add(f)
	}
	return facts.sections != sem.AnyUnit
}

// Narrowest returns the kernel with the fewest parameters. Kernels that are launched
// together receive the same arguments, so its parameters are those that all have.
func Narrowest(kernels []*ir.Op) *ir.Op {
	return slices.MinFunc(kernels, func(a, b *ir.Op) int {
		x, _ := fn.TypeOf(a)
		y, _ := fn.TypeOf(b)
		return len(x) - len(y)
	})
}

// UnitOf returns the core type in attribute pto.kernel_kind of op or of the nearest
// enclosing operation that has it, or AnyUnit.
func UnitOf(op *ir.Op) sem.Unit {
	for ; op != nil; op = op.Parent() {
		switch op.Attr("pto.kernel_kind").Keyword() {
		case "cube":
			return sem.CubeUnit
		case "vector":
			return sem.VectorUnit
		}
	}
	return sem.AnyUnit
}

// CalleeOf returns the function that op calls or launches, or nil. For a declaration, it
// returns the definition in another module if there is one.
func CalleeOf(op *ir.Op) *ir.Op {
	if _, launch := op.Def().Sem.(sem.SimtLaunch); !launch && !op.Is(fn.Call) {
		return nil
	}
	if f := ir.LookupSymbol(op, op.Attr("callee")); f != nil {
		return fn.Definition(f)
	}
	return nil
}

// CalledUnit returns the core types that execute a call. If the callee is for a different
// core type than the caller, the result is the type of the callee: only cores of that
// type execute the call. Otherwise, the result is sem.AnyUnit.
func CalledUnit(caller, callee *ir.Op) sem.Unit {
	if u := UnitOf(callee); u != UnitOf(caller) {
		return u
	}
	return sem.AnyUnit
}

// Reached returns the functions fns and all functions that they call, directly or
// indirectly, in the order of the first calls.
func Reached(fns []*ir.Op) []*ir.Op {
	var all []*ir.Op
	seen := map[*ir.Op]bool{}
	for _, f := range fns {
		if !seen[f] {
			seen[f] = true
			all = append(all, f)
		}
	}
	for i := 0; i < len(all); i++ {
		for op := range all[i].Walk() {
			if c := CalleeOf(op); c != nil && !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// launchFacts collects the properties of kernels that determine the number of cores of a
// launch.
type launchFacts struct {
	target ir.Target
	// sections are the core types for which the kernels have sections.
	sections sem.Unit
	// oneVector reports that queues connect the cube core with one vector core only.
	// asksSub reports that a value depends on the number of the vector core.
	oneVector, asksSub bool
}

// add updates the facts about the kernels of a launch with the properties of function f,
// such as the core types that its sections require.
func (l *launchFacts) add(f *ir.Op) {
	for op := range f.Walk() {
		if c := CalleeOf(op); c != nil {
			if on := CalledUnit(f, c); on != sem.AnyUnit {
				l.sections |= on
			}
		}
		switch kind := op.Def().Sem.(type) {
		case sem.Scope:
			if on := kind.Kind.Unit(); on != sem.AnyUnit {
				l.sections |= on
			}
		case sem.QueueInit:
			l.oneVector = l.oneVector || l.target == sem.A5
		}
		l.asksSub = l.asksSub || op.Effects().Has(effect.TellsCores)
	}
}

// vectors returns the number of vector cores in a block that executes the kernels: 1 or
// sem.VectorCores. It is 1 under three conditions: queues connect the cube core with one
// vector core only, no operation depends on the number of the vector core, and all
// kernels have equally many parameters. Under these conditions, a second vector core
// would wait forever for queue entries.
func (l *launchFacts) vectors(kernels []*ir.Op) int {
	if l.asksSub || !l.oneVector {
		return sem.VectorCores
	}
	first, _ := fn.TypeOf(kernels[0])
	for _, k := range kernels {
		if params, _ := fn.TypeOf(k); len(params) != len(first) {
			return sem.VectorCores // the type of a parameter determines the core
		}
	}
	return 1
}
