// This file defines the module under construction and the builder that knows both LLVM
// and the program.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/ir"
)

// module is the LLVM module under construction, with facts about the program that is
// being emitted.
type module struct {
	*ll.Module
	opts   Options
	diags  *ir.Diags
	failed bool
	// exceeded means that the module has exceeded Options.MostInstructions, and that this
	// error is reported already.
	exceeded bool

	// funcs maps functions of the program to the LLVM functions that were created for
	// them.
	funcs map[*ir.Op]*llir.Func
	// named maps names in the emitted code to functions of the program.
	named map[string]*ir.Op
	// tiles describes the storage of the tiles of the program.
	tiles storage
	// found are the queues of the program. They are computed on first use.
	found *isasync.Queues
	// signals are the signals between cores in the program. They are computed on first
	// use.
	signals *analysis.Signals
	// perCore maps each kind of core to the queues that it uses.
	perCore map[coreKind]*coreQueues
	// meeting are the functions whose SIMT work items wait for each other, and together
	// maps these functions to their coroutines.
	meeting  map[*ir.Op]bool
	together map[*ir.Op]*llir.Func
	// meetings is the number of wait instructions of SIMT work items that were emitted so
	// far.
	meetings int64
	// alone are the functions that a single core executes, without other cores running at
	// the same time.
	alone []*ir.Op
	// teams are the groups of kernels that run on several cores, and todo the emitters of
	// functions that they need.
	teams []*team
	todo  []func()
	// blocksTakeTurns means that blocks wait for each other. One thread then runs them
	// alternately.
	blocksTakeTurns bool
	// ofBlock are the names of thread-local variables that each block has its own copy
	// of.
	ofBlock map[string]bool
	// atomicStores means that an instruction of the program can make stores to global
	// memory combine with its contents.
	atomicStores bool
	// operandRounding means that an instruction of the program can make products round
	// their operands.
	operandRounding bool
}

// newModule returns an LLVM module without functions, for the target and options o.
func newModule(o Options, diags *ir.Diags) *module {
	m := &module{
		Module:   ll.NewModule(o.Triple, dataLayouts[arch(o.Triple)], o.Half),
		opts:     o,
		diags:    diags,
		funcs:    map[*ir.Op]*llir.Func{},
		named:    map[string]*ir.Op{},
		together: map[*ir.Op]*llir.Func{},
		ofBlock:  map[string]bool{},
		perCore:  map[coreKind]*coreQueues{},
	}
	m.Fenced = o.Fenced
	return m
}

// The struct code is the state of emitting the instructions of one LLVM function. Other
// types describe the emission of a single instruction, and they contain a pointer to this
// struct in a named field. They do not embed the struct, because the Go compiler would
// generate wrappers for 300 methods of each type, which doubled the time to build this
// package.
type code struct {
	*ll.Code
	*module
	// ub is the address of the unified buffer of a vector core. It is nil for the cube
	// core, and for a core that represents all cores of the block.
	ub value.Value
}

// newCode starts the emission of an LLVM function and creates its entry block.
func newCode(m *module, fn *llir.Func) *code {
	return &code{Code: ll.NewCode(m.Module, fn), module: m}
}

// body emits the body of a helper function from its parameters args, and returns its
// result, or nil for none.
type body func(c *code, args []value.Value) value.Value

// The method named of converts the body b to the form that package ll expects: a function
// that emits the body in the module m.
func (b body) of(m *module) func(c *ll.Code, args []value.Value) value.Value {
	return func(c *ll.Code, args []value.Value) value.Value {
		return b(&code{Code: c, module: m}, args)
	}
}

// private returns the helper function with the given name. If it does not exist yet, it
// is created, and b emits its body.
func (m *module) private(name string, ret types.Type, params []types.Type, b body) *llir.Func {
	return m.Module.Private(name, ret, params, b.of(m))
}
