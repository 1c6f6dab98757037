package run

import (
	"strings"
	"testing"
)

// TestModes compares the table of modes with the options of pto-run: the table names only
// options that exist, and none belongs to two modes.
func TestModes(t *testing.T) {
	var f runFlags
	fs := f.define()
	owner := map[string]string{}
	for _, m := range modes {
		for name := range strings.FieldsSeq(m.own) {
			if fs.Lookup(name) == nil {
				t.Errorf("%s: pto-run has no option --%s", m.option, name)
			}
			if owner[name] != "" {
				t.Errorf("--%s belongs to %s and to %s", name, owner[name], m.option)
			}
			owner[name] = m.option
		}
		for _, o := range m.excludes {
			name, given := strings.CutSuffix(o, "=")
			if given && fs.Lookup(strings.TrimPrefix(name, "--")) == nil || !given && uses[o] == nil {
				t.Errorf("%s excludes %s, which is not an option", m.option, o)
			}
		}
		if m.start != nil && m.start(&f).used() != (m.option == "FILE") {
			t.Errorf("%s: the mode is selected without an option", m.option)
		}
	}
	for name := range strings.FieldsSeq(ofProgram + " " + ofDiagnostics) {
		if fs.Lookup(name) == nil || owner[name] != "" {
			t.Errorf("--%s is not an option of every launch", name)
		}
	}
}
