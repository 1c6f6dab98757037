package run

import (
	"fmt"
	"testing"

	"ptogo/ir"
	"ptogo/kernel"
)

// TestProgramCache shows that the least recently used programs go.
func TestProgramCache(t *testing.T) {
	var c Programs
	text := "func.func @f() attributes {pto.kernel} { return } // "
	load := func(i int) *Loaded {
		l, err := c.Load(&ir.Source{Name: "k", Text: text + fmt.Sprint(i)}, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := load(0)
	for i := range mostPrograms {
		if load(0) != first {
			t.Fatal("the same text is another program")
		}
		load(i + 1)
	}
	if c.used.Len() != mostPrograms || c.Get(first.ID) == nil {
		t.Errorf("%d programs are kept", c.used.Len())
	}
}

// TestProgramsKept loads more text than a server keeps.
func TestProgramsKept(t *testing.T) {
	var c Programs
	for i := range 5 {
		c.add(&Loaded{ID: fmt.Sprint(i), text: mostTexts / 3})
	}
	if c.Get("0") != nil || c.Get("4") == nil || c.text > mostTexts || c.used.Len() != len(c.byID) {
		t.Errorf("%d programs with %d bytes are kept", c.used.Len(), c.text)
	}
	c.add(&Loaded{ID: "large", text: 2 * mostTexts})
	if c.Get("large") == nil || c.used.Len() != 1 {
		t.Errorf("%d programs are kept beside a large one", c.used.Len())
	}
}
