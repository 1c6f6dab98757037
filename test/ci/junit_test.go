package ci

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// element is what a JUnit report may have in an element: the facts of the schema that
// Jenkins' xunit plugin validates reports with (junit-10.xsd), in our own form.
type element struct {
	required []string // attributes
	optional []string
	counts   []string // attributes that are whole numbers
	children []string
	text     bool
}

var junitSchema = map[string]element{
	"testsuites": {optional: []string{"name", "time", "tests", "failures", "disabled", "errors"}, counts: []string{"tests", "failures", "errors"}, children: []string{"testsuite"}},
	"testsuite": {required: []string{"name"}, optional: []string{"tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url", "version"},
		counts: []string{"tests", "failures", "errors", "skipped"}, children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"}},
	"testcase": {required: []string{"name"}, optional: []string{"classname", "time", "group", "status", "class", "file", "line", "assertions"},
		children: []string{"skipped", "error", "failure", "system-out", "system-err", "properties"}},
	"failure":    {optional: []string{"type", "message"}, text: true},
	"error":      {optional: []string{"type", "message"}, text: true},
	"system-out": {text: true},
	"system-err": {text: true},
}

// validateJUnit returns what is wrong with a report, or nil. Counts of a suite must be
// those of its test cases.
func validateJUnit(report []byte) error {
	d := xml.NewDecoder(bytes.NewReader(report))
	d.Strict = true
	var open []string
	rooted, cases, failures := false, 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && !rooted {
			return errors.New("the report is empty")
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			switch {
			case len(open) == 0 && name != "testsuites" && name != "testsuite":
				return fmt.Errorf("the root is %s", name)
			case len(open) > 0 && !slices.Contains(junitSchema[open[len(open)-1]].children, name):
				return fmt.Errorf("%s is in %s", name, open[len(open)-1])
			}
			if err := validAttributes(name, x.Attr); err != nil {
				return err
			}
			if name == "testsuite" {
				cases, failures = count(x.Attr, "tests"), count(x.Attr, "failures")
			}
			open, rooted = append(open, name), true
			switch name {
			case "testcase":
				cases--
			case "failure":
				failures--
			}
		case xml.CharData:
			if len(open) > 0 && !junitSchema[open[len(open)-1]].text && strings.TrimSpace(string(x)) != "" {
				return fmt.Errorf("%s has text: %q", open[len(open)-1], x)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
			if x.Name.Local == "testsuite" && (cases != 0 || failures != 0) {
				return fmt.Errorf("the counts of the suite differ by %d tests and %d failures", cases, failures)
			}
		}
	}
}

func validAttributes(name string, attrs []xml.Attr) error {
	e, known := junitSchema[name]
	if !known {
		return fmt.Errorf("there is no element %s", name)
	}
	for _, want := range e.required {
		if !slices.ContainsFunc(attrs, func(a xml.Attr) bool { return a.Name.Local == want }) {
			return fmt.Errorf("%s lacks attribute %s", name, want)
		}
	}
	for _, a := range attrs {
		if !slices.Contains(e.required, a.Name.Local) && !slices.Contains(e.optional, a.Name.Local) {
			return fmt.Errorf("%s has attribute %s", name, a.Name.Local)
		}
		if _, err := strconv.ParseUint(a.Value, 10, 31); err != nil && slices.Contains(e.counts, a.Name.Local) {
			return fmt.Errorf("%s of %s is %q", a.Name.Local, name, a.Value)
		}
	}
	return nil
}

func count(attrs []xml.Attr, name string) int {
	for _, a := range attrs {
		if a.Name.Local == name {
			n, _ := strconv.Atoi(a.Value)
			return n
		}
	}
	return 0
}

// TestJUnit validates reports of both tools: of errors, checks, comparisons and batches,
// and with text that XML does not allow.
func TestJUnit(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	wrong := write("wrong.pto", "func.func @f() {\n  \"\x01<]]>&\"() : () -> ()\n  retrun\n}\n")
	batch := write("batch.jsonl", `{"id": "a]]>", "file": "../../examples/divide.pto", "args": ["iota=32x64xf32", "zeros=32x64xf32", "2.0"]}
{"id": "b", "file": "none.pto"}
`)
	divide := []string{"../../examples/divide.pto", "--arg", "iota=32x64xf32", "--arg", "zeros=32x64xf32", "--arg", "2.0"}
	type tool = func([]string, io.Reader, io.Writer, io.Writer) int
	for _, c := range []struct {
		name string
		tool tool
		args []string
	}{
		{"errors", cli.Opt, []string{wrong}},
		{"legal", cli.Opt, []string{"../../examples/divide.pto", "-o", os.DevNull}},
		{"several", cli.Opt, []string{"../../examples/divide.pto", wrong, "-o", os.DevNull}},
		{"missing file", cli.Opt, []string{filepath.Join(dir, "none.pto")}},
		{"checks", cli.Run, append(slices.Clone(divide), "--check=all")},
		{"comparison", cli.Run, append(slices.Clone(divide), "--expect", "1="+write("want.bin", strings.Repeat("\x00", 32*64*4)))},
		{"batch", cli.Run, []string{"--batch", batch, "--results", filepath.Join(dir, "results")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, report bytes.Buffer
			c.tool(append(c.args, "--diagnostics=junit"), strings.NewReader(""), &out, &report)
			if err := validateJUnit(report.Bytes()); err != nil {
				t.Errorf("%v in\n%s", err, &report)
			}
		})
	}
}

// TestJUnitSchema gives the validator reports that are wrong.
func TestJUnitSchema(t *testing.T) {
	for _, report := range []string{
		``, `<report/>`, `<testsuites><testcase name="a"/></testsuites>`, `<testsuite/>`, `<testsuite name="a" tests="-1"/>`,
		`<testsuite name="a" tests="1"/>`, `<testsuite name="a" tests="1"><testcase/></testsuite>`, `<testsuite name="a" color="red"/>`,
		`<testsuite name="a">text</testsuite>`, `<testsuite name="a"><system-out>`, `<testsuite name="a" tests="1"><testcase name="b"><failure/></testcase></testsuite>`,
	} {
		if validateJUnit([]byte(report)) == nil {
			t.Errorf("%s is not refused", report)
		}
	}
}
