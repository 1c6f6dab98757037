package codegen

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir"
)

// module is the LLVM module that is being written. What kernels need besides
// themselves is added when it is first asked for.
type module struct {
	*llir.Module
	opts   Options
	diags  *ir.Diags
	failed bool

	funcs   map[*ir.Op]*llir.Func // by the operation that defines them
	helpers map[string]*llir.Func // by name, intrinsics included
	tables  map[string]*llir.Global
	tiles   storage
	// What work items run that wait for each other, and the coroutines of
	// functions among that.
	meeting  map[*ir.Op]bool
	together map[*ir.Op]*llir.Func
	meetings int64 // how many places to wait at were written
	// Kernels for several cores, and functions of them that are to be written.
	alone           []*ir.Op // functions that one core runs, and nobody beside it
	teams           []*team
	todo            []func()
	blocksTakeTurns bool
	ofBlock         map[string]bool // variables of a thread that every block has
	// atomicStores says that stores to global memory may combine with what is
	// there: some instruction of the program can ask for it.
	atomicStores bool
	// operandRounding says the same of products that round their operands.
	operandRounding bool
}

func newModule(o Options, diags *ir.Diags) *module {
	m := &module{
		Module:   llir.NewModule(),
		opts:     o,
		diags:    diags,
		funcs:    map[*ir.Op]*llir.Func{},
		together: map[*ir.Op]*llir.Func{},
		helpers:  map[string]*llir.Func{},
		tables:   map[string]*llir.Global{},
		ofBlock:  map[string]bool{},
	}
	m.TargetTriple, m.DataLayout = o.Triple, dataLayouts[arch(o.Triple)]
	return m
}

// intrinsic declares a function that LLVM knows, or that who calls the kernels
// has. The name of the first kind ends in the types that it is for.
func (m *module) intrinsic(name string, ret types.Type, params ...types.Type) *llir.Func {
	if f := m.helpers[name]; f != nil {
		return f
	}
	ps := make([]*llir.Param, len(params))
	for i, t := range params {
		ps[i] = llir.NewParam("", t)
	}
	f := m.NewFunc(name, ret, ps...)
	m.helpers[name] = f
	return f
}

// helper returns an internal function, which body writes when it is first
// asked for. It is inlined wherever it is called: a call in a loop would keep
// the loop from being vectorized.
func (m *module) helper(name string, ret types.Type, params []types.Type, body func(c *code, args []value.Value) value.Value) *llir.Func {
	f := m.private(name, ret, params, body)
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrAlwaysInline, enum.FuncAttrNoUnwind}
	return f
}

// private is helper for functions that are too large to be inlined
// everywhere.
func (m *module) private(name string, ret types.Type, params []types.Type, body func(c *code, args []value.Value) value.Value) *llir.Func {
	name = "pto." + name
	if f := m.helpers[name]; f != nil {
		return f
	}
	ps, args := make([]*llir.Param, len(params)), make([]value.Value, len(params))
	for i, t := range params {
		ps[i] = llir.NewParam("", t)
		args[i] = ps[i]
	}
	f := llir.NewFunc(name, ret, ps...)
	f.Linkage = enum.LinkageInternal
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrNoUnwind}
	m.helpers[name] = f // before the body, which may need other helpers
	c := newCode(m, f)
	x := body(c, args)
	c.ret(x)
	m.Funcs = append(m.Funcs, f)
	return f
}

// table returns the address of a constant array, which elems makes when it is
// first asked for.
func (m *module) table(name string, elems func() []value.Value) value.Value {
	name = "pto." + name
	g := m.tables[name]
	if g == nil {
		g = table(name, elems())
		g.Linkage = enum.LinkagePrivate
		m.tables[name] = g
		m.Globals = append(m.Globals, g)
	}
	return address{g}
}

// suffix is t as it stands in the names of intrinsics and helpers.
func suffix(t types.Type) string {
	switch t := t.(type) {
	case *types.VectorType:
		return fmt.Sprintf("v%d%s", t.Len, suffix(t.ElemType))
	case *types.FloatType:
		return fmt.Sprintf("f%d", widthOf(t))
	case opaquePtr:
		return "p0"
	}
	return t.String()
}
