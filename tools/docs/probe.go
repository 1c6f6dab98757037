package docs

import (
	"cmp"
	"io"
	"strings"

	"ptogo/codegen/llvm"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/tools/corpus"
)

// profiles are asked about every instruction. A2 is A3 by another name.
var profiles = []ir.Target{sem.A3, sem.A5}

// state is what the project makes of an instruction: of at least one of its
// examples, on at least one profile.
type state struct {
	def      *ir.Def
	profiles []ir.Target // whose verifier accepts an example
	level1   bool        // an example with tiles as values is taken to Level 2
	level2   bool        // one with tiles as buffers is written, read and verified
	run      bool        // the runtime plans it
	llvm     bool        // the code generator writes it
	cpp      bool        // it has a C++ form
	why      string      // what keeps it from running, in the planner's words
	whyLLVM  string
}

// probe asks the verifier, the lowering, the planner and the code generator.
func probe(d *ir.Def) *state {
	s := &state{def: d, cpp: example.Cpp(d) != ""}
	for _, t := range profiles {
		legal := false
		for _, text := range d.Examples {
			legal = s.try(text, t) || legal
		}
		if legal {
			s.profiles = append(s.profiles, t)
		}
	}
	return s
}

// try takes an example through everything; it returns whether it is legal.
func (s *state) try(text string, t ir.Target) bool {
	m, _ := example.Read(s.def, text)
	var diags ir.Diags
	if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: t, Sequential: true}, &diags) {
		return false
	}
	level := example.Find(m, s.def).Form().Level
	if !corpus.Lower(m, t, &diags) {
		s.why = cmp.Or(s.why, reason(&diags))
		return true
	}
	s.level1 = s.level1 || level == ir.SSA
	s.level2 = s.level2 || level != ir.Plain && rereads(m, t)
	if why := s.plan(m, t); why == "" {
		s.run = true
	} else {
		s.why = cmp.Or(s.why, why)
	}
	diags = ir.Diags{}
	if llvm.Emit(io.Discard, m, llvm.Options{Target: t}, &diags) {
		s.llvm = true
	} else {
		s.whyLLVM = cmp.Or(s.whyLLVM, reason(&diags))
	}
	return true
}

// plan says what keeps the planner from the program.
func (s *state) plan(m *ir.Op, t ir.Target) string {
	for _, k := range runtime.Kernels(m) {
		var diags ir.Diags
		if runtime.Plan(m, []*ir.Op{k}, runtime.Options{Target: t}, &diags) == nil {
			return reason(&diags)
		}
	}
	return ""
}

// rereads reports whether the text of a program is a legal program.
func rereads(m *ir.Op, t ir.Target) bool {
	var b strings.Builder
	ir.Print(&b, m, ir.PrintOptions{})
	again, _ := corpus.Read(b.String(), t)
	return again != nil
}

// reason is the first error, without its place.
func reason(diags *ir.Diags) string {
	for _, d := range diags.All() {
		if d.Severity == ir.Error {
			return d.Text
		}
	}
	return "refused without a message"
}
