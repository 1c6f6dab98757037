// This file is the entry point of the package: options, the functions to emit, their
// names and signatures.

package llvm

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Options configure the emitted code.
type Options struct {
	// Target is the chip family of the kernels; 0 means the one that the program selects.
	Target ir.Target
	// Triple is the LLVM target triple of the machine that runs the code. Empty means
	// x86_64-unknown-linux-gnu.
	Triple string
	// Half reports whether the machine converts f16 in hardware, as x86 does with F16C.
	// Without it, LLVM would call library functions for its type half, which prevents
	// vectorization; the emitted code then converts f16 with integer operations.
	Half bool
	// Only lists the functions to emit; functions that they call are included. nil means
	// all functions.
	Only []*ir.Op
	// Together lists groups of kernels that one launch runs on the cores of a block. Each
	// group becomes one function. It has the name and the parameters of the kernel with
	// the fewest parameters (pto.Narrowest).
	Together [][]*ir.Op
	// Fenced makes every memory access stay inside its memory or fault. The surrounding
	// program must arrange memory as described at ll.Fence.
	Fenced bool
	// Places, if not nil, makes the emitted code record which operation it is executing.
	// Emit stores the information that decodes these records in Places.
	Places *Places
	// MostInstructions bounds the instructions of LLVM IR; 0 means no limit. A single
	// product of matrices may need hundreds.
	MostInstructions int
	// Symbol returns the name of a function in the emitted code. If Symbol is nil or
	// returns "", the function keeps its name.
	Symbol func(f *ir.Op) string
}

// DefaultTriple is the target triple of the emitted code unless the caller chooses
// another.
const DefaultTriple = "x86_64-unknown-linux-gnu"

// arch returns the first component of a target triple, such as x86_64.
func arch(triple string) string {
	a, _, _ := strings.Cut(triple, "-")
	return a
}

// dataLayouts maps each supported architecture, by its name in LLVM target triples, to
// its data layout. All of them are little-endian 64-bit architectures. Every module
// contains such a data layout, because LLVM otherwise assumes a big-endian machine. It
// also contains a target triple, because LLVM does not vectorize without one.
var dataLayouts = map[string]string{
	"x86_64":  "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
	"aarch64": "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
}

// Emit translates a verified module of Level-2 and vector kernels into LLVM IR. It
// returns false if w fails, or if the module contains something that cannot be
// translated. In the latter case diags contains an error that names the operation, and
// nothing is written.
func Emit(w io.Writer, program *ir.Op, o Options, diags *ir.Diags) bool {
	o.Triple = cmp.Or(o.Triple, DefaultTriple)
	if o.Target == 0 {
		o.Target = ir.TargetOf(program)
	}
	if dataLayouts[arch(o.Triple)] == "" {
		diags.Error(program.Loc(), fmt.Sprintf("cannot generate code for the target triple %q: its machine must be x86_64 or aarch64", o.Triple))
		return false
	}
	m := newModule(o, diags)
	if !m.program(program) {
		return false
	}
	if err := m.Write(w); err != nil {
		diags.Error(program.Loc(), "cannot write LLVM IR: "+err.Error())
		return false
	}
	return true
}

// program emits all functions of the given program into the module. It returns false
// after an error.
func (m *module) program(program *ir.Op) bool {
	fns := m.wanted(program)
	for op := range program.Walk() {
		switch op.Def().Sem.(type) {
		case sem.StoreAtomic:
			m.atomicStores = true
		case sem.OperandRounding:
			m.operandRounding = true
		}
	}
	m.alone = m.teamsOf(fns)
	m.tiles = newStorage(fns, m.opts.Together)
	m.tiles.check(m)
	m.meeting = findMeetings(m.alone)
	for _, f := range m.alone {
		m.declare(f)
		m.declareTogether(f)
	}
	for _, t := range m.teams {
		m.declare(t.entry)
	}
	for _, f := range m.alone {
		if fn.Body(f) != nil && m.funcs[f] != nil {
			m.define(f)
		}
	}
	m.defineTeams()
	if m.Fenced && !m.failed {
		isWork := func(name string) bool { return strings.HasPrefix(name, workPrefix) }
		m.Confine(ll.Fence{Memory: func(name string) bool { return m.ofBlock[name] || isWork(name) }})
	}
	return !m.failed
}

// wanted returns the functions to emit, in program order. These are the functions in
// Options.Only and the functions that they call. If Options.Only is nil, they are all
// functions of the program.
func (m *module) wanted(program *ir.Op) []*ir.Op {
	all := fn.Functions(program)
	if m.opts.Only == nil {
		return all
	}
	need := map[*ir.Op]bool{}
	for todo := slices.Concat(m.opts.Only, slices.Concat(m.opts.Together...)); len(todo) > 0; {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f == nil || need[f] {
			continue
		}
		need[f] = true
		for op := range f.Walk() {
			todo = append(todo, analysis.CalleeOf(op))
		}
	}
	return slices.DeleteFunc(all, func(f *ir.Op) bool { return !need[f] })
}

// symbol returns the name of the program function f in the emitted code. The name is the
// result of Options.Symbol if that function exists and returns a name. Otherwise it is
// the name of f in the program.
func (m *module) symbol(f *ir.Op) string {
	if m.opts.Symbol != nil {
		if name := m.opts.Symbol(f); name != "" {
			return name
		}
	}
	return fn.Name(f)
}

// errorf adds an error about op to the diagnostics: op cannot be translated. The
// parameters format and args state the reason as for fmt.Sprintf. It returns the
// diagnostic, so that the caller can add notes.
func (m *module) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	m.failed = true
	return m.diags.Error(op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
}

// tooLarge reports whether the module contains more LLVM instructions than
// Options.MostInstructions permits. On the first such call, it adds an error about op to
// the diagnostics.
func (m *module) tooLarge(op *ir.Op) bool {
	if n := m.opts.MostInstructions; n == 0 || m.Instructions() <= n {
		return false
	}
	if !m.exceeded {
		m.errorf(op, "makes the LLVM IR of the program exceed the limit of %d instructions", m.opts.MostInstructions).
			Note(op.Loc(), "--max-memory of the tools raises this limit")
	}
	m.exceeded = true
	return true
}

// declare creates the LLVM function for the program function f, without a body.
func (m *module) declare(f *ir.Op) {
	name := m.symbol(f)
	if other := m.named[name]; other != nil {
		m.errorf(f, "must have a unique name, but another function is also named @%s", name).Note(other.Loc(), "it is defined here")
		return
	}
	if isReserved(name) {
		m.errorf(f, "has the name @%s, which the generated LLVM IR needs for a function of its own", ir.Visible(name)).Note(f.Loc(), "rename the function")
		return
	}
	if m.opts.Fenced && fn.Body(f) == nil { // a name alone could be that of a function of the C library
		m.errorf(f, "has no body to execute")
		return
	}
	params, ret, ok := m.signature(f)
	if !ok {
		return
	}
	g := m.AddFunction(name, ret, params...)
	if isPrivate(f) {
		g.Linkage = enum.LinkageInternal
	}
	m.funcs[f], m.named[name] = g, f
}

// isReserved reports whether a kernel must not have the given name. Reserved names belong
// to LLVM intrinsics, to helpers of the emitted code, or to C library functions that LLVM
// calls implicitly.
func isReserved(name string) bool {
	return strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "pto.") || slices.Contains(calledByLLVM, name)
}

// calledByLLVM are the C functions that LLVM may call implicitly: it can replace copies,
// fills, comparisons, fused multiply-adds and coroutine allocations by calls of them.
var calledByLLVM = []string{"memcpy", "memmove", "memset", "memcmp", "bcmp", "malloc", "calloc", "aligned_alloc", "free", "fma", "fmaf"}

// isPrivate reports whether a function is only called inside the program.
func isPrivate(f *ir.Op) bool {
	vis, _ := f.Attr("sym_visibility").AsString()
	return vis == "private" && fn.Body(f) != nil
}

// signature returns the LLVM parameters and the result type of f. Each LLVM value that
// represents a parameter of f is one LLVM parameter. Two more parameters contain the
// block number and the number of blocks. The result ok is false if a type is not
// supported.
func (m *module) signature(f *ir.Op) (params []*llir.Param, ret types.Type, ok bool) {
	ins, outs := fn.TypeOf(f)
	body := fn.Body(f)
	names := map[string]bool{"block_idx": true, "block_num": true}
	for i, t := range ins {
		parts, ok := partsOf(t)
		if !ok {
			m.errorf(f, "has a parameter of type %s, which the LLVM IR emitter does not support", t)
			return nil, nil, false
		}
		hint := ""
		if body != nil {
			hint = body.Arg(i).Name()
		}
		for k, p := range parts {
			params = append(params, parameter(names, hint, k, p))
		}
	}
	params = append(params, llir.NewParam("block_idx", ll.I64), llir.NewParam("block_num", ll.I64))
	if ret, ok = resultType(outs); !ok {
		m.errorf(f, "has a result of a type that cannot be written as LLVM IR")
	}
	return params, ret, ok
}

// parameter returns an LLVM parameter of type t for a parameter of the program. A program
// value can correspond to several LLVM values (its parts), and the argument part is the
// index of the part that the LLVM parameter represents. The argument hint is the name of
// the program value. The LLVM parameter has this name; for index 1 and above, the index
// is appended as a suffix. If the name is unusable or already in the set taken, the
// parameter has no name, and LLVM gives it a number.
func parameter(taken map[string]bool, hint string, part int, t types.Type) *llir.Param {
	name := hint
	if part > 0 {
		name = fmt.Sprintf("%s.%d", hint, part)
	}
	if hint == "" || isDigit(hint[0]) || taken[name] {
		name = ""
	}
	taken[name] = true
	p := llir.NewParam(name, t)
	if t.Equal(ll.I1) { // as C passes a bool
		p.Attrs = []llir.ParamAttribute{enum.ParamAttrZeroExt}
	}
	return p
}

// resultType returns the LLVM result type of a function whose results have the types
// outs. The type is void if the function has no results. If one LLVM value represents all
// results, it is the type of this value; if several do, it is a struct. The result ok is
// false if a type is not supported.
func resultType(outs []ir.Type) (types.Type, bool) {
	var all []types.Type
	for _, t := range outs {
		parts, ok := partsOf(t)
		if !ok {
			return nil, false
		}
		all = append(all, parts...)
	}
	switch len(all) {
	case 0:
		return ll.Void, true
	case 1:
		return all[0], true
	}
	return types.NewStruct(all...), true
}

// define emits the body of the program function op.
func (m *module) define(op *ir.Op) {
	g := m.funcs[op]
	if co := m.together[op]; co != nil {
		m.aloneCall(g, co)
		g = co
	}
	f, args := m.newFunction(op, g, g.Params)
	if m.together[op] != nil {
		f.begin()
		f.region(op.Region(0), args)
		f.finish()
		return
	}
	f.region(op.Region(0), args)
	if f.Block != nil { // a body that ends in what could not be written
		f.End(llir.NewUnreachable())
	}
}

// newFunction starts the emission of op into the LLVM function g. The last two elements
// of params are the block number and the number of blocks. The result args contains the
// parameters before them.
func (m *module) newFunction(op *ir.Op, g *llir.Func, params []*llir.Param) (f *function, args []value.Value) {
	f = &function{code: newCode(m, g), op: op, values: map[*ir.Value]parts{}, unit: anyUnit, vectorCore: ll.Index(0)}
	for _, p := range params {
		args = append(args, p)
		f.Unique(p.Name())
	}
	n := len(args) - 2
	f.blockIdx, f.blockNum = args[n], args[n+1]
	return f, args[:n]
}

// copyParams returns parameters for another function with the same signature as g.
func copyParams(g *llir.Func) []*llir.Param {
	var params []*llir.Param
	for _, p := range g.Params {
		params = append(params, llir.NewParam(p.Name(), p.Typ))
	}
	return params
}

// ownArgs returns the parameters of the LLVM function g as a list of LLVM values, for
// code inside g.
func ownArgs(g *llir.Func) []value.Value {
	var args []value.Value
	for _, p := range g.Params {
		args = append(args, p)
	}
	return args
}
