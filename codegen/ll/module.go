// This file defines the LLVM module under construction: functions, variables and their
// text.

package ll

import (
	"fmt"
	"maps"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Module is an LLVM module under construction. It creates helper functions, tables and
// declarations on first use.
type Module struct {
	ir *llir.Module
	// half reports whether the module uses LLVM's type half for conversions of f16; see
	// NewModule.
	half bool
	// halves is the number of emitted conversions of f16 that use LLVM's type half.
	halves int
	// helpers are internal functions and intrinsics, by name.
	helpers map[string]*llir.Func
	globals map[string]*llir.Global
	// added are the names of the functions that are neither helpers nor intrinsics.
	added map[string]bool
	// instructions is the number of instructions so far.
	instructions int
	// Fenced announces that the caller will call Confine. Loops then trap if they would
	// have more than mostRounds iterations.
	Fenced bool
	// counters maps the induction variables of the loops in a fenced module to their
	// number of iterations.
	counters map[*llir.InstPhi]value.Value
	// frames are stack variables in which a kernel may store addresses.
	frames map[value.Value]bool
	// trusted are the functions whose arguments may point to memory of the scheduler.
	trusted map[*llir.Func]bool
}

// NewModule starts a module for the target machine that the LLVM target triple and data
// layout describe. half states whether the machine has instructions that convert f16, as
// x86 with F16C does. If it has none, LLVM converts its type half by library calls, which
// prevent the vectorization of loops. The emitted code then converts f16 with integer
// operations instead.
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

// Confine adds bounds checks to all functions of a complete module, as f describes.
// Afterwards, every access stays in its memory or faults.
func (m *Module) Confine(f Fence) { f.apply(m) }

// Trust exempts memory accesses in f from the bounds checks that the Fence adds, if their
// addresses are computed from arguments of f. It is only for internal functions that
// schedule cores or work items. These addresses must refer to memory of the scheduler,
// and no value of a kernel may affect their indices. Calls of Trust have comments that
// explain why this holds.
func (m *Module) Trust(f *llir.Func) { m.trusted[f] = true }

// Instructions returns how many instructions the module has so far, which determines the
// memory that it needs.
func (m *Module) Instructions() int { return m.instructions }

// AddFunction adds a function with the given name, result type and parameters. It has
// external linkage, so that other modules can call it.
func (m *Module) AddFunction(name string, ret types.Type, params ...*llir.Param) *llir.Func {
	f := m.ir.NewFunc(name, ret, params...)
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrNoUnwind}
	m.added[name] = true
	return f
}

// AddInternal adds a function with the given name to the module. ret is its result type,
// and params are its parameters. The function has internal linkage, so only this module
// can call it.
func (m *Module) AddInternal(name string, ret types.Type, params ...*llir.Param) *llir.Func {
	f := m.AddFunction(name, ret, params...)
	f.Linkage = enum.LinkageInternal
	return f
}

// HasFunction reports whether the module has a function with this name that is not a
// helper.
func (m *Module) HasFunction(name string) bool { return m.added[name] }

// Intrinsic returns the declaration of an intrinsic of LLVM, or of a function of the
// surrounding program. ret is the type of its result, and params are the types of its
// parameters. If an intrinsic exists for several types, its name must end with the types.
func (m *Module) Intrinsic(name string, ret types.Type, params ...types.Type) *llir.Func {
	if f := m.helpers[name]; f != nil {
		return f
	}
	f := m.ir.NewFunc(name, ret, unnamed(params)...)
	m.helpers[name] = f
	return f
}

// unnamed returns a parameter without a name for each type in ts. The declaration of an
// LLVM function needs such parameters.
func unnamed(ts []types.Type) []*llir.Param {
	ps := make([]*llir.Param, len(ts))
	for i, t := range ts {
		ps[i] = llir.NewParam("", t)
	}
	return ps
}

// helper returns the internal function with the given name. On first use, it creates the
// function, and the callback in the parameter body emits its code. LLVM always inlines
// the function, because a call would prevent the vectorization of a loop.
func (m *Module) helper(name string, ret types.Type, params []types.Type, body func(c *Code, args []value.Value) value.Value) *llir.Func {
	f := m.Private(name, ret, params, body)
	f.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrAlwaysInline, enum.FuncAttrNoUnwind}
	return f
}

// Private returns the internal function with the given name. On the first call for this
// name, it creates the function, and body emits the code. LLVM decides whether to inline
// the function, because the function may be large.
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

// Later returns an internal function with the given name and parameters, without a
// result. The caller emits its body at the end, with NewCode.
func (m *Module) Later(name string, params ...types.Type) *llir.Func {
	f := m.helpers[name]
	if f == nil {
		f = m.AddInternal("pto."+name, Void, unnamed(params)...)
		m.helpers[name] = f
	}
	return f
}

// Pending returns the function that an earlier call of Later has created for the given
// name, or nil if there was no such call.
func (m *Module) Pending(name string) *llir.Func { return m.helpers[name] }

// table returns the address of a constant array with the given name. It calls elems on
// first use to obtain the elements.
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

// Text returns the address of a constant with the bytes of s, followed by a zero byte.
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

// Variable returns the address of a thread-local variable with the given name and the
// type t. The variable is initialized with zero. align is the alignment of the variable
// in bytes; 0 selects the alignment of its type.
func (m *Module) Variable(name string, t types.Type, align int) value.Value {
	if m.globals[name] == nil {
		g := &llir.Global{ContentType: t, Init: Zero(t).(constant.Constant), Align: llir.Align(align)}
		g.Linkage, g.TLSModel = enum.LinkageInternal, enum.TLSModelGeneric
		m.addGlobal(name, name, g)
	}
	return address{m.globals[name]}
}

// External returns the address of a thread-local variable that the executable defines,
// which also may load the code of the module as a shared object.
func (m *Module) External(name string) value.Value {
	if m.globals[name] == nil {
		g := &llir.Global{ContentType: I64}
		g.Linkage, g.TLSModel = enum.LinkageExternal, enum.TLSModelInitialExec
		m.addGlobal(name, name, g)
	}
	return address{m.globals[name]}
}

// AtLeast returns the address of a thread-local array of bytes with the given name,
// aligned to align bytes. The size of the array is the maximum of the sizes in all calls.
func (m *Module) AtLeast(name string, bytes int64, align int) value.Value {
	p := m.Variable(name, types.NewArray(0, I8), align)
	g := m.globals[name]
	if t := g.ContentType.(*types.ArrayType); t.Len < uint64(bytes) {
		t.Len = uint64(bytes)
		g.Init = constant.NewZeroInitializer(t)
	}
	return p
}

// addGlobal adds the variable g with the given name to the module. key identifies the
// variable in the map globals.
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

// Variables returns the global variables of the module for whose names the function
// wanted returns true, sorted by name.
func (m *Module) Variables(wanted func(name string) bool) []Global {
	var all []Global
	for _, name := range slices.Sorted(maps.Keys(m.globals)) {
		if g := m.globals[name]; wanted(name) {
			all = append(all, Global{address{g}, bytesOf(g.ContentType)})
		}
	}
	return all
}

// bytesOf returns the size in bytes of a variable of type t. The variable is a 64-bit
// word or an array of bytes.
func bytesOf(t types.Type) int64 {
	if t, ok := t.(*types.ArrayType); ok {
		return int64(t.Len)
	}
	return 8
}

// Suffix returns the name by which intrinsics and helper functions identify the type t,
// for example i32 or v8f32.
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
