package diff

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counter says how much was compared, and with what result.
type counter struct {
	batches            int
	programs, compiled int
	uses, inLLVM       map[string]int // of instructions, in programs that were compared
	refused, faults    map[string]int
	differences        map[string]int
	noLLVM             bool
}

func newCounter() *counter {
	return &counter{uses: map[string]int{}, inLLVM: map[string]int{}, refused: map[string]int{}, faults: map[string]int{}, differences: map[string]int{}}
}

// add counts a program that was compared.
func (c *counter) add(p *program, llvm bool) {
	c.programs++
	if llvm {
		c.compiled++
	}
	for _, s := range p.steps {
		if s.use != nil {
			c.uses[s.use.def.Name]++
			if llvm {
				c.inLLVM[s.use.def.Name]++
			}
		}
	}
}

var digits = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

func (c *counter) fault(text string) {
	if text != "" {
		c.faults[digits.ReplaceAllString(text, "N")]++
	}
}

// report logs what was compared, instruction by instruction.
func (c *counter) report(t *testing.T) {
	t.Logf("%d programs, %d of them through LLVM, %d faulted, %d refused, %d differences",
		c.programs, c.compiled, sum(c.faults), sum(c.refused), sum(c.differences))
	if c.noLLVM {
		t.Log("there is no LLVM")
	}
	var b strings.Builder
	for _, u := range seeds() {
		if _, ok := c.uses[u.def.Name]; !ok {
			c.uses[u.def.Name] = 0
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.uses)) {
		fmt.Fprintf(&b, "%-24s %7d %7d\n", name, c.uses[name], c.inLLVM[name])
	}
	t.Logf("%-24s %7s %7s\n%s", "instruction", "uses", "LLVM", b.String())
	for _, m := range []struct {
		what string
		n    map[string]int
	}{{"refused", c.refused}, {"faults", c.faults}, {"differences", c.differences}} {
		for _, text := range slices.Sorted(maps.Keys(m.n)) {
			t.Logf("%s: %d times %s", m.what, m.n[text], text)
		}
	}
}

func sum(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}
