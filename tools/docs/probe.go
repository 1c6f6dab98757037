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

// profiles lists the profiles on which each instruction is probed. A2 has the same
// instructions as A3.
var profiles = []ir.Target{sem.A3, sem.A5}

// state records which tools support an instruction. A tool supports it if at least one of
// the examples in its definition passes the tool on at least one profile.
type state struct {
	def *ir.Def
	// profiles lists the profiles whose verifier accepts an example.
	profiles []ir.Target
	// level1 reports whether an example with tiles as values (Level 1) was lowered to
	// tiles as buffers (Level 2).
	level1 bool
	// level2 reports whether an example with tiles as buffers (Level 2) was printed,
	// parsed and verified.
	level2 bool
	// run reports whether the runtime accepts an example.
	run bool
	// llvm reports whether LLVM IR was generated for an example.
	llvm bool
	// cpp reports whether C++ can be generated for the instruction.
	cpp bool
	// why is the message of the runtime that rejects the instruction.
	why     string
	whyLLVM string
}

// probe tests the examples of an instruction with the verifier, the lowering, the runtime
// and the code generator.
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

// The method try tests one example with all tools on a target. It reports whether the
// example is legal.
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

// plan prepares all kernels of the module m for execution on target t. It returns the
// reason why the runtime rejects a kernel, or "".
func (s *state) plan(m *ir.Op, t ir.Target) string {
	for _, k := range runtime.Kernels(m) {
		var diags ir.Diags
		if runtime.Plan(m, []*ir.Op{k}, runtime.Options{Target: t}, &diags) == nil {
			return reason(&diags)
		}
	}
	return ""
}

// rereads reports whether the printed text of a program is again a legal program.
func rereads(m *ir.Op, t ir.Target) bool {
	var b strings.Builder
	ir.Print(&b, m, ir.PrintOptions{})
	again, _ := corpus.Read(b.String(), t)
	return again != nil
}

// reason returns the text of the first error, without its location.
func reason(diags *ir.Diags) string {
	for _, d := range diags.All() {
		if d.Severity == ir.Error {
			return d.Text
		}
	}
	return "refused without a message"
}
