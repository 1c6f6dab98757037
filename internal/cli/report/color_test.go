package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestPainted shows that colors add nothing but colors.
func TestPainted(t *testing.T) {
	src := &ir.Source{Name: "k.pto", Text: "\tpto.tadd\n"}
	d := &ir.Diag{Loc: ir.LocAt(src, 1), Severity: ir.Warning, Text: "two\nlines"}
	d.Note(ir.LocAt(src, 5), "here").Note(ir.Loc{}, "nowhere\nin particular")
	got := painted(d)
	if plain := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(got, ""); plain != d.Format() {
		t.Errorf("got %q, want %q", plain, d.Format())
	}
	for _, want := range []string{"\x1b[1;35mwarning: ", "\x1b[1;36mnote: ", "\t\x1b[1;32m^\x1b[0m\n"} {
		if strings.Count(got, want) == 0 {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
}

// TestNoTerminal shows that a device is not a terminal.
func TestNoTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if IsTerminal(null) || colored(null, "auto") || !colored(null, "always") {
		t.Errorf("%s is taken for a terminal", os.DevNull)
	}
}
