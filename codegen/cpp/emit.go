// This file is the entry point of the package: options, includes and the order of
// functions.

package cpp

import (
	"fmt"
	"io"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/history"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// LibraryCommit is the commit of the library, github.com/hw-native-sys/pto-isa, for whose
// interface Emit generates code.
const LibraryCommit = history.Library

// Options configures Emit.
type Options struct {
	// Target is the hardware profile; 0 means the one that the program selects.
	Target ir.Target
	// Launch adds a host function for each kernel that launches it.
	Launch bool
	// EndBarrier makes every kernel wait for all pipes at its end, as the public compiler
	// does in modules with inserted synchronization.
	EndBarrier bool
}

// Emit translates a verified module to C++ and writes it to w. If C++ cannot express an
// operation, diags contains an error, and Emit writes nothing and returns false. It
// returns false as well if writing to w fails.
func Emit(w io.Writer, program *ir.Op, o Options, diags *ir.Diags) bool {
	if o.Target == 0 {
		o.Target = ir.TargetOf(program)
	}
	m := newModule(o, diags)
	body := m.program(program)
	if m.failed {
		return false
	}
	for _, part := range append([][]byte{m.head()}, body...) {
		if _, err := w.Write(part); err != nil {
			diags.Error(program.Loc(), "cannot write C++: "+err.Error())
			return false
		}
	}
	return true
}

// Statements returns the C++ statements that Emit produces for the operation op of a
// program, for display. The second result is false if the program cannot be translated.
func Statements(program, op *ir.Op, o Options) (string, bool) {
	m := newModule(o, &ir.Diags{})
	m.watched = op
	m.program(program)
	return m.statements, !m.failed
}

// newModule returns the state for translating one program.
func newModule(o Options, diags *ir.Diags) *module {
	return &module{opts: o, diags: diags, types: map[ir.Type]string{}, helpers: map[string]bool{}, called: map[*ir.Op]bool{}}
}

// module is the state of translating one program.
type module struct {
	opts   Options
	diags  *ir.Diags
	failed bool
	types  map[ir.Type]string
	// structs are the struct types in the order of their definitions.
	structs []pto.Struct
	// helpers are the helper functions that the code calls.
	helpers map[string]bool
	// called are the functions that other functions call.
	called    map[*ir.Op]bool
	functions functionNames
	queues    *queues
	// signals determines which cores the signals of the program reach; see reach.
	signals *analysis.Signals
	// body is scratch memory for the text of a function.
	body []byte

	// watched is the operation whose statements Statements returns, or nil.
	watched    *ir.Op
	statements string
}

// errorf adds an error about op to the diagnostics: op cannot be translated. The
// parameters format and args state the reason as for fmt.Sprintf. It returns the
// diagnostic, so that the caller can add notes.
func (m *module) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	m.failed = true
	return m.diags.Error(op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
}

// program emits all functions of the program. Each function comes after the functions
// that it calls. It returns the text in several slices, since a single growing slice
// would be copied often.
func (m *module) program(program *ir.Op) [][]byte {
	const piece = 1 << 20
	m.queues = findQueues(program)
	var pieces [][]byte
	out := make([]byte, 0, 1<<14)
	fns := m.calleesFirst(fn.Functions(program))
	fns = slices.DeleteFunc(fns, func(f *ir.Op) bool { return fn.Definition(f) != f }) // its definition is in another module of the program
	m.nameFunctions(fns)
	for _, f := range fns {
		if out = m.function(out, f); len(out) > piece {
			pieces, out = append(pieces, out), make([]byte, 0, piece+piece/8)
		}
	}
	if m.opts.Launch {
		for _, f := range fns {
			out = m.launch(out, f)
		}
	}
	return append(pieces, out)
}

// calleesFirst sorts functions so that each function comes after the functions that it
// calls, because C++ requires a declaration before a call. It reports recursion as an
// error.
func (m *module) calleesFirst(fns []*ir.Op) []*ir.Op {
	var sorted []*ir.Op
	seen := map[*ir.Op]bool{}
	var visit func(f *ir.Op)
	visit = func(f *ir.Op) {
		if seen[f] {
			return
		}
		seen[f] = true
		for op := range f.Walk() {
			if c := analysis.CalleeOf(op); c != nil {
				m.called[c] = true
				visit(c)
			}
		}
		sorted = append(sorted, f)
	}
	for _, f := range fns {
		visit(f)
	}
	return sorted
}

// head returns the C++ text that precedes the first function: includes, helper functions
// and struct types.
func (m *module) head() []byte {
	b := []byte("// Written by pto-opt for " + sem.ProfileName(m.opts.Target) + " and pto-isa " + LibraryCommit + ".\n" +
		"#include <cstdint>\n#include \"pto/pto-inst.hpp\"\nusing namespace pto;\n")
	for _, s := range m.structs {
		b = m.structDef(b, s)
	}
	names := make([]string, 0, len(m.helpers))
	for name := range m.helpers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b = append(append(b, '\n'), helpers[name]...)
	}
	return append(b, '\n')
}
