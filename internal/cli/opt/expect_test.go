package opt

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// TestMissingDiagnostic points at the comment that nothing met, and at what no
// comment announced.
func TestMissingDiagnostic(t *testing.T) {
	_, _, err := ptoOpt("// -----\n  // expected-warning@+1 {{w}}\n foo.bar", "--split-input-file", "--verify-diagnostics")
	for _, want := range []string{
		"<stdin>:2:6: error: expected warning \"w\" was not produced\n  // expected-warning@+1 {{w}}\n     ^\n",
		"<stdin>:3:2: error: unexpected error: unknown operation 'foo.bar'\n foo.bar\n ^\n",
	} {
		if !strings.Contains(err, want) {
			t.Errorf("want %q in\n%s", want, err)
		}
	}
}

// TestExpectations checks where expected-error comments point.
func TestExpectations(t *testing.T) {
	src := &ir.Source{Name: "f", Text: strings.Join([]string{
		"// expected-error@+2 {{two}}",
		"// expected-error@below {{below}}",
		"plain",
		"x // expected-warning {{here}}",
		"// expected-error @above {{above}}",
		"// expected-note@-2 {{minus}}",
		"// expected-error@unknown {{any}}",
	}, "\n")}
	list, err := expectations(src)
	if err != nil {
		t.Fatal(err)
	}
	want := []int{3, 3, 4, 3, 4, 0}
	for i, e := range list {
		if i < len(want) && e.line != want[i] {
			t.Errorf("%s %q is expected on line %d, want %d", e.severity, e.text, e.line, want[i])
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d expectations, want %d", len(list), len(want))
	}
}

// TestExpectedText checks how an expectation is compared with a diagnostic.
func TestExpectedText(t *testing.T) {
	for _, c := range []struct {
		comment, text string
		want          bool
	}{
		{"expected-error {{a.b}}", "in a.b", true},
		{"expected-error {{a.b}}", "in axb", false},
		{"expected-error {{a {{x}} b}}", "a {{x}} b", true}, // the last braces end it
		{"expected-error-re {{a.b{{[0-9]+}}c}}", "a.b12c", true},
		{"expected-error-re {{a.b{{[0-9]+}}c}}", "axb12c", false},
		{"expected-error-re {{({{x|y}})}}", "(y)", true},
	} {
		list, err := expectations(&ir.Source{Name: "f", Text: c.comment})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d expectations, %v", c.comment, len(list), err)
		}
		if got := list[0].matches("error", 1, c.text); got != c.want {
			t.Errorf("%s matches %q: %v", c.comment, c.text, got)
		}
	}
	if _, err := expectations(&ir.Source{Name: "f", Text: "expected-error-re {{a{{b}}"}); err == nil {
		t.Error("braces that are not closed are accepted")
	}
}

// TestSplitMarkers divides the input and the output at lines of one's own.
func TestSplitMarkers(t *testing.T) {
	_, out, _ := ptoOpt("// ---8<---\n", "--split-input-file=// ---8<---", "--output-split-marker=// cut")
	if want := "module {\n}\n// cut\nmodule {\n}\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}
