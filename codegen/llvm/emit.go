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

// Options selects what code is written.
type Options struct {
	// Target is the hardware profile; 0 means that of the program.
	Target ir.Target
	// Features widen what is legal.
	Features ir.Features
	// Triple names the machine that runs the code. Empty means
	// x86_64-unknown-linux-gnu.
	Triple string
	// Half says that the machine converts f16 itself, as x86 does since F16C.
	// Without that, LLVM's own half means calls of a library, which keep loops
	// from being vectorized: f16 is then made of integers.
	Half bool
	// Only are the functions to write, with those they call; nil means all.
	Only []*ir.Op
	// Together are groups of kernels. One launch runs those of a group on the
	// cores of a block, each on the cores that it is for. They become one
	// function, with the name and the parameters of the kernel that has the
	// fewest (pto.Narrowest).
	Together [][]*ir.Op
	// Fenced makes every access stay in its memory or fault. The program around the
	// code must lay out memory as ll.Fence says.
	Fenced bool
	// Places makes code keep where it is, and learns what that says; nil leaves
	// that out.
	Places *Places
	// MostInstructions bounds the instructions of LLVM IR; 0 means no limit. A single
	// product of matrices may need hundreds.
	MostInstructions int
	// Symbol names a function in the code; nil, or an empty name, keeps the
	// name it has.
	Symbol func(f *ir.Op) string
}

// DefaultTriple is the target triple of the emitted code unless the caller chooses
// another.
const DefaultTriple = "x86_64-unknown-linux-gnu"

// arch is the first part of a target triple.
func arch(triple string) string {
	a, _, _ := strings.Cut(triple, "-")
	return a
}

// dataLayouts holds the layouts of little-endian 64-bit machines. Without one
// LLVM assumes a big-endian machine and, without a triple, vectorizes nothing.
var dataLayouts = map[string]string{
	"x86_64":  "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
	"aarch64": "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
}

// Emit translates a verified module of Level-2 and vector kernels into LLVM IR. What
// cannot be written is an error in diags, which names the operation; then
// nothing is written and Emit returns false. It also returns false if w fails.
func Emit(w io.Writer, program *ir.Op, o Options, diags *ir.Diags) bool {
	o.Triple = cmp.Or(o.Triple, DefaultTriple)
	if o.Target == 0 {
		o.Target = ir.TargetOf(program)
	}
	if dataLayouts[arch(o.Triple)] == "" {
		diags.Error(program.Loc(), fmt.Sprintf("no code can be written for %q: the machine must be x86_64 or aarch64", o.Triple))
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

// program emits all functions.
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

// wanted returns the functions to write, in the order of the program.
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

// symbol is the name of a function in the code.
func (m *module) symbol(f *ir.Op) string {
	if m.opts.Symbol != nil {
		if name := m.opts.Symbol(f); name != "" {
			return name
		}
	}
	return fn.Name(f)
}

// errorf reports that op cannot be written.
func (m *module) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	m.failed = true
	return m.diags.Error(op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
}

// tooLarge reports whether the module has exceeded its limit of instructions, and
// reports that once.
func (m *module) tooLarge(op *ir.Op) bool {
	if n := m.opts.MostInstructions; n == 0 || m.Instructions() <= n {
		return false
	}
	if !m.exceeded {
		m.errorf(op, "makes the LLVM IR of the program larger than its limit of %d instructions", m.opts.MostInstructions).
			Note(op.Loc(), "--max-memory of the tools raises this limit")
	}
	m.exceeded = true
	return true
}

// declare makes the LLVM function of f, without a body.
func (m *module) declare(f *ir.Op) {
	name := m.symbol(f)
	if other := m.named[name]; other != nil {
		m.errorf(f, "has the name of another function, @%s", name).Note(other.Loc(), "it is defined here")
		return
	}
	if isReserved(name) {
		m.errorf(f, "has a name that LLVM IR or the functions of this code need, @%s", ir.Visible(name)).Note(f.Loc(), "another name has the same effect")
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

// isReserved reports whether a function of a program must not have a name: intrinsics of
// LLVM, helper functions and variables of this code, and functions that LLVM calls for
// copies and fills.
func isReserved(name string) bool {
	return strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "pto.") || slices.Contains(calledByLLVM, name)
}

// calledByLLVM are the functions of C that LLVM makes of copies, fills, comparisons,
// multiplications that add, and coroutines.
var calledByLLVM = []string{"memcpy", "memmove", "memset", "memcmp", "bcmp", "malloc", "calloc", "free", "fma", "fmaf"}

// isPrivate reports whether only this program calls a function that it has.
func isPrivate(f *ir.Op) bool {
	vis, _ := f.Attr("sym_visibility").AsString()
	return vis == "private" && fn.Body(f) != nil
}

// signature is the parameters of f in LLVM, one for every part of a parameter
// and two for the number of the block and of blocks, and what it returns.
func (m *module) signature(f *ir.Op) (params []*llir.Param, ret types.Type, ok bool) {
	ins, outs := fn.TypeOf(f)
	body := fn.Body(f)
	names := map[string]bool{"block_idx": true, "block_num": true}
	for i, t := range ins {
		parts, ok := partsOf(t)
		if !ok {
			m.errorf(f, "has a parameter of type %s, which has no form in LLVM IR", t)
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
		m.errorf(f, "has a result of a type that has no form in LLVM IR")
	}
	return params, ret, ok
}

// parameter makes a parameter named as in the program. LLVM numbers what has
// no name or only a number.
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

// resultType is what a function returns: nothing, the one part of its results,
// or a struct of all parts.
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

// define emits the body of f.
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

// newFunction starts writing op into g. The last two parameters number the
// block; it returns those before, which are the arguments of op.
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

// copyParams makes parameters like those of g, for another function.
func copyParams(g *llir.Func) []*llir.Param {
	var params []*llir.Param
	for _, p := range g.Params {
		params = append(params, llir.NewParam(p.Name(), p.Typ))
	}
	return params
}

// ownArgs are the parameters of g as values.
func ownArgs(g *llir.Func) []value.Value {
	var args []value.Value
	for _, p := range g.Params {
		args = append(args, p)
	}
	return args
}
