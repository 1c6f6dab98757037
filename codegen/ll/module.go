// This file defines the LLVM module under construction: functions, variables and their
// text.

package ll

import (
	"fmt"
	"io"
	"maps"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Module is an LLVM module that is being written. What functions need besides
// themselves is added when it is first asked for.
type Module struct {
	ir      *llir.Module
	half    bool
	halves  int                   // conversions of f16 that are written with half
	helpers map[string]*llir.Func // by name, intrinsics included
	globals map[string]*llir.Global
	added   map[string]bool // names of functions, without helpers
	// Fenced means that Confine will follow. Loops then trap above mostRounds
	// iterations.
	Fenced   bool
	counters map[*llir.InstPhi]value.Value // of loops with at most mostRounds rounds, and how many these are
	frames   map[value.Value]bool          // variables of the stack in which a kernel may keep addresses
	trusted  map[*llir.Func]bool           // functions that get addresses of the schedule of cores
}

// NewModule starts a module for a machine. half says that it converts f16
// itself, as x86 does since F16C: without that, LLVM's own half means calls of a
// library, which keep loops from being vectorized, and f16 is made of integers.
func NewModule(triple, dataLayout string, half bool) *Module {
	m := &Module{
		ir:      llir.NewModule(),
		half:    half,
		helpers: map[string]*llir.Func{},
		globals: map[string]*llir.Global{},
		added:   map[string]bool{},

		counters: map[*llir.InstPhi]value.Value{},
		frames:   map[value.Value]bool{},
		trusted:  map[*llir.Func]bool{},
	}
	m.ir.TargetTriple, m.ir.DataLayout = triple, dataLayout
	return m
}

// Confine makes every access of the module, which must be complete, stay in its
// memory or fault.
func (m *Module) Confine(f Fence) { f.apply(m) }

// Trust exempts addresses that start at arguments of f from the fence. They must lead to the
// schedule of cores or work items, and no value of a kernel may be part of their indices;
// each caller says why that holds.
func (m *Module) Trust(f *llir.Func) { m.trusted[f] = true }

// WriteTo writes the module as text.
func (m *Module) WriteTo(w io.Writer) (int64, error) { return m.ir.WriteTo(w) }

// AddFunction adds a function that others may call.
func (m *Module) AddFunction(name string, ret types.Type, params ...*llir.Param) *llir.Func {
	f := m.ir.NewFunc(name, ret, params...)
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrNoUnwind}
	m.added[name] = true
	return f
}

// AddInternal adds a function that only this module calls.
func (m *Module) AddInternal(name string, ret types.Type, params ...*llir.Param) *llir.Func {
	f := m.AddFunction(name, ret, params...)
	f.Linkage = enum.LinkageInternal
	return f
}

// HasFunction reports whether a function other than a helper has a name.
func (m *Module) HasFunction(name string) bool { return m.added[name] }

// Intrinsic declares a function that LLVM knows, or that who calls the code
// has. The name of the first kind ends in the types that it is for.
func (m *Module) Intrinsic(name string, ret types.Type, params ...types.Type) *llir.Func {
	if f := m.helpers[name]; f != nil {
		return f
	}
	f := m.ir.NewFunc(name, ret, unnamed(params)...)
	m.helpers[name] = f
	return f
}

// unnamed makes parameters without names.
func unnamed(ts []types.Type) []*llir.Param {
	ps := make([]*llir.Param, len(ts))
	for i, t := range ts {
		ps[i] = llir.NewParam("", t)
	}
	return ps
}

// helper returns an internal function, which body writes when it is first
// asked for. It is inlined wherever it is called: a call in a loop would keep
// the loop from being vectorized.
func (m *Module) helper(name string, ret types.Type, params []types.Type, body func(c *Code, args []value.Value) value.Value) *llir.Func {
	f := m.Private(name, ret, params, body)
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrAlwaysInline, enum.FuncAttrNoUnwind}
	return f
}

// Private is helper for functions that are too large to be inlined
// everywhere.
func (m *Module) Private(name string, ret types.Type, params []types.Type, body func(c *Code, args []value.Value) value.Value) *llir.Func {
	name = "pto." + name
	if f := m.helpers[name]; f != nil {
		return f
	}
	f := llir.NewFunc(name, ret, unnamed(params)...)
	f.Linkage = enum.LinkageInternal
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrNoUnwind}
	m.helpers[name] = f // before the body, which may need other helpers
	args := make([]value.Value, len(params))
	for i, p := range f.Params {
		args[i] = p
	}
	c := NewCode(m, f)
	x := body(c, args)
	c.Ret(x)
	m.ir.Funcs = append(m.ir.Funcs, f)
	return f
}

// Later returns an internal function without a result, whose body is written
// when all else is: NewCode on it starts that.
func (m *Module) Later(name string, params ...types.Type) *llir.Func {
	f := m.helpers[name]
	if f == nil {
		f = m.AddInternal("pto."+name, Void, unnamed(params)...)
		m.helpers[name] = f
	}
	return f
}

// Pending returns the function that Later created for a name, or nil if it was not
// requested.
func (m *Module) Pending(name string) *llir.Func { return m.helpers[name] }

// table returns the address of a constant array, which elems makes when it is
// first asked for.
func (m *Module) table(name string, elems func() []value.Value) value.Value {
	name = "pto." + name
	if m.globals[name] == nil {
		init := arrayConstant(elems())
		g := &llir.Global{ContentType: init.Type(), Init: init, Immutable: true}
		g.Linkage = enum.LinkagePrivate
		m.addGlobal(name, name, g)
	}
	return address{m.globals[name]}
}

// Text returns the address of a string of C.
func (m *Module) Text(s string) value.Value {
	key := "text:" + s
	if m.globals[key] == nil {
		init := constant.NewCharArrayFromString(s + "\x00")
		g := &llir.Global{ContentType: init.Typ, Init: init, Immutable: true}
		g.Linkage = enum.LinkagePrivate
		m.addGlobal(key, fmt.Sprintf("pto.text.%d", len(m.ir.Globals)), g)
	}
	return address{m.globals[key]}
}

// Variable returns the address of a variable of which every thread has its own.
// It starts as zero with the given alignment, or that of its type if align is 0.
func (m *Module) Variable(name string, t types.Type, align int) value.Value {
	if m.globals[name] == nil {
		g := &llir.Global{ContentType: t, Init: Zero(t).(constant.Constant), Align: llir.Align(align)}
		g.Linkage, g.TLSModel = enum.LinkageInternal, enum.TLSModelGeneric
		m.addGlobal(name, name, g)
	}
	return address{m.globals[name]}
}

// External returns the address of a variable of each thread that is defined
// beside the code, in the same executable.
func (m *Module) External(name string) value.Value {
	if m.globals[name] == nil {
		g := &llir.Global{ContentType: I64}
		g.Linkage, g.TLSModel = enum.LinkageExternal, enum.TLSModelLocalExec
		m.addGlobal(name, name, g)
	}
	return address{m.globals[name]}
}

// AtLeast is variable for an array of bytes, which grows to the largest size
// that anybody asks for.
func (m *Module) AtLeast(name string, bytes int64, align int) value.Value {
	p := m.Variable(name, types.NewArray(0, I8), align)
	g := m.globals[name]
	if t := g.ContentType.(*types.ArrayType); t.Len < uint64(bytes) {
		t.Len = uint64(bytes)
		g.Init = constant.NewZeroInitializer(t)
	}
	return p
}

func (m *Module) addGlobal(key, name string, g *llir.Global) {
	g.SetName(name)
	m.globals[key] = g
	m.ir.Globals = append(m.ir.Globals, g)
}

// Global is a variable of a module with its size.
type Global struct {
	Address value.Value
	Bytes   int64
}

// Variables returns the variables whose names are wanted, sorted by name.
func (m *Module) Variables(wanted func(name string) bool) []Global {
	var all []Global
	for _, name := range slices.Sorted(maps.Keys(m.globals)) {
		if g := m.globals[name]; wanted(name) {
			all = append(all, Global{address{g}, bytesOf(g.ContentType)})
		}
	}
	return all
}

// bytesOf is the size of what a variable holds: a word, or bytes.
func bytesOf(t types.Type) int64 {
	if t, ok := t.(*types.ArrayType); ok {
		return int64(t.Len)
	}
	return 8
}

// Suffix is t as it stands in the names of intrinsics and helpers.
func Suffix(t types.Type) string {
	switch t := t.(type) {
	case *types.VectorType:
		return fmt.Sprintf("v%d%s", t.Len, Suffix(t.ElemType))
	case *types.FloatType:
		return fmt.Sprintf("f%d", WidthOf(t))
	case opaquePtr:
		return "p0"
	}
	return t.String()
}
