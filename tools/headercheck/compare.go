package headercheck

import (
	"strings"

	"ptogo/codegen/cpp"
	"ptogo/ir"
	"ptogo/kernel"

	_ "ptogo/dialect/all"
)

// Result holds two verdicts about a tuple: that of the NPU headers and that of our
// verifier. A tuple is a call of an instruction with operands of certain types.
type Result struct {
	Tuple
	// Header is the reason why the headers reject the call, or nil if they accept it.
	Header *Refusal
	// Ours is the error that our verifier reports for the call, or "" if the verifier
	// accepts it.
	Ours string
	// Warning is the warning that our verifier reports for the call, or "".
	Warning string
	// NoCpp is the reason why no C++ can be generated for the call, or "". The headers
	// then have no verdict.
	NoCpp string
}

// Compare returns two verdicts about each of the tuples: that of the C++ headers of
// pto-isa for the device, and that of our verifier. A tuple is a call of an instruction
// with operands of certain types. The headers reject a tuple if a C++ function with this
// call does not compile. All tuples must have the same target.
func (h *Headers) Compare(tuples []Tuple) ([]Result, error) {
	if len(tuples) == 0 {
		return nil, nil
	}
	results := make([]Result, len(tuples))
	functions := make([]string, len(tuples))
	for i, t := range tuples {
		results[i], functions[i] = judge(t)
	}
	refused, err := h.Ask(tuples[0].Target, functions)
	for i := range results {
		if r, ok := refused[i]; ok {
			results[i].Header = &r
		}
	}
	return results, err
}

// judge returns the verdict of our verifier about t, which describes a call of an
// instruction with operands of certain types. It also returns the text of a C++ function
// that contains this call. The text exists even if the verifier rejects the call, so that
// the verdict of the headers can be compared.
func judge(t Tuple) (r Result, function string) {
	r.Tuple = t
	var diags ir.Diags
	m := kernel.Parse(&ir.Source{Name: "tuple", Text: t.Text()}, ir.ParseOptions{}, &diags)
	if m == nil {
		r.Ours, r.NoCpp = messageOf(&diags, ir.Error), "it is not a program"
		return r, ""
	}
	ir.Verify(m, ir.VerifyOptions{Target: t.Target, Sequential: true}, &diags)
	r.Ours, r.Warning = messageOf(&diags, ir.Error), messageOf(&diags, ir.Warning)
	var out strings.Builder
	diags = ir.Diags{}
	if !cpp.Emit(&out, m, cpp.Options{Target: t.Target}, &diags) {
		r.NoCpp = messageOf(&diags, ir.Error)
		return r, ""
	}
	return r, oneLine(out.String())
}

func messageOf(diags *ir.Diags, s ir.Severity) string {
	for _, d := range diags.All() {
		if d.Severity == s {
			return d.Text
		}
	}
	return ""
}

// oneLine puts a C++ function on one line, without preprocessor directives. Each function
// contains one tuple (a call with operands of certain types), so the line number in a
// compiler message identifies the tuple.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "//") && line != "using namespace pto;" {
			b.WriteString(line + " ")
		}
	}
	return b.String()
}
