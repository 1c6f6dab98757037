package pto

import (
	"slices"

	fn "ptogo/dialect/func"
	"ptogo/ir"
)

// Unit is a set of the kinds of cores: those that an operation is for, or that
// a core stands for.
type Unit uint8

// A kernel that does not say which cores it is for runs on one that stands
// for all.
const (
	CubeUnit Unit = 1 << iota
	VectorUnit
	AnyUnit = CubeUnit | VectorUnit
)

// VectorCores is how many vector cores stand beside a cube core.
const VectorCores = 2

// Core is one core of a block and the kernel that it runs in a launch.
type Core struct {
	Kernel *ir.Op
	Unit   Unit
	Sub    int // the number of the vector core
}

// CoresOf decides which cores of a block run kernels that are launched
// together. A kernel alone runs on one core, unless it has parts for the cube
// core and parts for the vector cores; then, and where there are several
// kernels, a block has all three.
func CoresOf(kernels []*ir.Op, t ir.Target) []Core {
	facts := launchFacts{target: t}
	for _, f := range Reached(kernels) {
		facts.add(f)
	}
	if len(kernels) == 1 && facts.sections != AnyUnit {
		return []Core{{Kernel: kernels[0], Unit: AnyUnit}}
	}
	var cores []Core
	for _, k := range kernels {
		u := UnitOf(k)
		if u&CubeUnit != 0 {
			cores = append(cores, Core{Kernel: k, Unit: CubeUnit})
		}
		for sub := range facts.vectors(kernels) {
			if u&VectorUnit != 0 {
				cores = append(cores, Core{Kernel: k, Unit: VectorUnit, Sub: sub})
			}
		}
	}
	return cores
}

// Narrowest returns which of the kernels of a launch has the fewest parameters:
// those that all have.
func Narrowest(kernels []*ir.Op) *ir.Op {
	return slices.MinFunc(kernels, func(a, b *ir.Op) int {
		x, _ := fn.TypeOf(a)
		y, _ := fn.TypeOf(b)
		return len(x) - len(y)
	})
}

// UnitOf reads pto.kernel_kind of a function or what is around it.
func UnitOf(op *ir.Op) Unit {
	for ; op != nil; op = op.Parent() {
		switch op.Attr("pto.kernel_kind").Keyword() {
		case "cube":
			return CubeUnit
		case "vector":
			return VectorUnit
		}
	}
	return AnyUnit
}

// CalleeOf is the function that an operation calls or launches, or nil.
func CalleeOf(op *ir.Op) *ir.Op {
	if _, launch := op.Def().Sem.(SimtLaunch); !launch && !op.Is(fn.Call) {
		return nil
	}
	return ir.LookupSymbol(op, op.Attr("callee"))
}

// CalledUnit is which cores execute a call: where the callee is for other
// cores than the caller, only those.
func CalledUnit(caller, callee *ir.Op) Unit {
	if u := UnitOf(callee); u != UnitOf(caller) {
		return u
	}
	return AnyUnit
}

// Reached returns functions and all that they call, in the order in which they
// are first called.
func Reached(fns []*ir.Op) []*ir.Op {
	all := slices.Clone(fns)
	for i := 0; i < len(all); i++ {
		for op := range all[i].Walk() {
			if c := CalleeOf(op); c != nil && !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// launchFacts are what decides how many cores a launch has.
type launchFacts struct {
	target   ir.Target
	sections Unit // there are parts for these
	// oneVector tells that queues connect the cube core with one vector core,
	// asksSub that something depends on which vector core it runs on.
	oneVector, asksSub bool
}

// add takes note of a function.
func (l *launchFacts) add(f *ir.Op) {
	for op := range f.Walk() {
		if c := CalleeOf(op); c != nil {
			if on := CalledUnit(f, c); on != AnyUnit {
				l.sections |= on
			}
		}
		switch sem := op.Def().Sem.(type) {
		case Scope:
			switch sem.Kind {
			case CubeSection:
				l.sections |= CubeUnit
			case VectorSection, SimtSection:
				l.sections |= VectorUnit
			}
		case Query:
			l.asksSub = l.asksSub || sem.What == SubBlockIdx || sem.What == SubBlockNum
		case CrossSet, SyncAllCores:
			l.asksSub = true
		case QueueInit:
			l.oneVector = l.oneVector || l.target == A5
		case QueueAlloc, QueuePush, QueuePop, QueueFree:
			split, _ := op.Attr("split").AsInt()
			l.asksSub = l.asksSub || split != 0
		}
	}
}

// vectors decides how many vector cores work beside the cube core. Where
// queues connect it with one alone and nothing asks which of them it is, a
// second one could only wait for entries that it never gets.
func (l *launchFacts) vectors(kernels []*ir.Op) int {
	if l.asksSub || !l.oneVector {
		return VectorCores
	}
	first, _ := fn.TypeOf(kernels[0])
	for _, k := range kernels {
		if params, _ := fn.TypeOf(k); len(params) != len(first) {
			return VectorCores // a parameter tells the core
		}
	}
	return 1
}
