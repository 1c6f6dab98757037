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

// module is the LLVM module that is being written, with what is known of the
// program that it is written from.
type module struct {
	*ll.Module
	opts     Options
	diags    *ir.Diags
	failed   bool
	exceeded bool // the limit of instructions, which is reported once

	funcs map[*ir.Op]*llir.Func // by the operation that defines them
	named map[string]*ir.Op     // what defines them, by their name in the code
	tiles storage
	// Queues of the program, and what each kind of core has of them.
	found   *isasync.Queues
	signals *analysis.Signals
	perCore map[coreKind]*coreQueues
	// What work items run that wait for each other, and the coroutines of
	// functions among that.
	meeting  map[*ir.Op]bool
	together map[*ir.Op]*llir.Func
	meetings int64 // how many places to wait at were written
	// Kernels for several cores, and functions of them that are to be written.
	alone           []*ir.Op // functions that a single core executes, without other cores at the same time
	teams           []*team
	todo            []func()
	blocksTakeTurns bool
	ofBlock         map[string]bool // variables of a thread that every block has
	// atomicStores means that an instruction of the program can make stores to global
	// memory combine with its contents.
	atomicStores bool
	// operandRounding means that an instruction of the program can make products round
	// their operands.
	operandRounding bool
}

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

// code emits the instructions of one function, and knows the program.
type code struct {
	*ll.Code
	*module
	// ub is where the unified buffer of a vector core starts; nil for the cube
	// core and for one that stands for all.
	ub value.Value
}

// newCode starts a function with an entry block.
func newCode(m *module, fn *llir.Func) *code {
	return &code{Code: ll.NewCode(m.Module, fn), module: m}
}

// body emits the body of a helper and returns its result, or nil.
type body func(c *code, args []value.Value) value.Value

// of is body for the builder.
func (b body) of(m *module) func(c *ll.Code, args []value.Value) value.Value {
	return func(c *ll.Code, args []value.Value) value.Value {
		return b(&code{Code: c, module: m}, args)
	}
}

// private returns an internal function, which body writes when it is first
// asked for.
func (m *module) private(name string, ret types.Type, params []types.Type, b body) *llir.Func {
	return m.Module.Private(name, ret, params, b.of(m))
}
