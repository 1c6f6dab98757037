package headercheck

import (
	"strings"

	"ptogo/codegen/cpp"
	"ptogo/ir"
	"ptogo/kernel"

	_ "ptogo/dialect/all"
)

// Result is what both sides say about a tuple.
type Result struct {
	Tuple
	Header  *Refusal // nil if the headers accept it
	Ours    string   // the error of the verifier, or ""
	Warning string   // its warning, or ""
	NoCpp   string   // why there is no C++ to ask the headers about, or ""
}

// Compare asks the headers and the verifier about tuples of one target.
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

// judge asks the verifier about a tuple, and writes it as C++ whatever the verifier
// says.
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

// oneLine puts a function on one line, without what the preprocessor reads: the
// compiler's messages then name the tuple by the line.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "//") && line != "using namespace pto;" {
			b.WriteString(line + " ")
		}
	}
	return b.String()
}
