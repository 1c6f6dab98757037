package cli

import (
	"fmt"
	"ptogo/ir"
	"ptogo/kernel"
	"testing"
)

// TestProgramCache shows that the least recently used programs go.
func TestProgramCache(t *testing.T) {
	var c programCache
	text := "func.func @f() attributes {pto.kernel} { return } // "
	load := func(i int) *loaded {
		l, err := c.load(&ir.Source{Name: "k", Text: text + fmt.Sprint(i)}, kernel.Options{})
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
	if c.used.Len() != mostPrograms || c.get(first.id) == nil {
		t.Errorf("%d programs are kept", c.used.Len())
	}
}

// TestProgramsKept loads more text than a server keeps.
func TestProgramsKept(t *testing.T) {
	var c programCache
	for i := range 5 {
		c.add(&loaded{id: fmt.Sprint(i), text: mostTexts / 3})
	}
	if c.get("0") != nil || c.get("4") == nil || c.text > mostTexts || c.used.Len() != len(c.byID) {
		t.Errorf("%d programs with %d bytes are kept", c.used.Len(), c.text)
	}
	c.add(&loaded{id: "large", text: 2 * mostTexts})
	if c.get("large") == nil || c.used.Len() != 1 {
		t.Errorf("%d programs are kept beside a large one", c.used.Len())
	}
}
