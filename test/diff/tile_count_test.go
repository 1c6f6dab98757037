package diff

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counter counts the programs that were compared, by outcome.
type counter struct {
	programs, compiled int
	// mix counts programs by profile and optimization level.
	mix map[string]int
	// uses and inLLVM count the instructions in the compared programs.
	uses, inLLVM    map[string]int
	refused, faults map[string]int
	// astray counts the programs that read uninitialized storage, by instruction.
	astray      map[string]int
	differences map[string]int
	// vague counts the instructions whose results were compared only in part.
	vague map[string]int
	// elements counts the stored elements, and blurred those that were not compared.
	elements, blurred int
	noLLVM            bool
}

func newCounter() *counter {
	return &counter{uses: map[string]int{}, inLLVM: map[string]int{}, mix: map[string]int{}, vague: map[string]int{}, astray: map[string]int{}, refused: map[string]int{}, faults: map[string]int{}, differences: map[string]int{}}
}

// add counts program i of the batch b as compared. llvm states whether the program also
// ran as compiled code.
func (c *counter) add(b *batch, i int, llvm bool) {
	p := b.progs[i]
	c.programs++
	with := "Go alone"
	if llvm {
		c.compiled++
		with = "LLVM -O" + b.level
	}
	c.mix[b.profile+", "+with]++
	c.weigh(b, i)
	for _, s := range p.steps {
		if s.use != nil {
			c.uses[s.use.def.Name]++
			if llvm {
				c.inLLVM[s.use.def.Name]++
			}
		}
	}
}

// weigh counts the elements that program i of the batch b stores, and those of them that
// were not compared.
func (c *counter) weigh(b *batch, i int) {
	p, k := b.progs[i], b.kernels[i]
	for n, a := range k.params {
		if a.data == nil || p.steps[a.step].src != nil {
			continue
		}
		_, size := layoutOf(a.elem)
		c.elements += len(a.data) / size
		if b.isVague(i, n) != nil {
			c.vague[p.culprit(k, difference{param: n})]++
		}
		for _, v := range b.isVague(i, n) {
			if v {
				c.blurred++
			}
		}
	}
}

// leaveOut counts program i of the batch b as excluded: the contents of its parameter n
// show that it reads uninitialized storage.
func (c *counter) leaveOut(t *testing.T, b *batch, i, n int) {
	kind := b.progs[i].culprit(b.kernels[i], difference{param: n})
	if c.astray[kind]++; c.astray[kind] <= 3 {
		t.Logf("%s reads storage nobody wrote: %s\n%s", b.progs[i].name, kind, inModule(b.profile, b.kernels[i].text))
	}
}

var digits = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

func (c *counter) fault(text string) {
	if text != "" {
		c.faults[digits.ReplaceAllString(text, "N")]++
	}
}

// report logs how many programs were compared, by instruction.
func (c *counter) report(t *testing.T) {
	t.Logf("%d programs, %d of them through LLVM, %d differences; not counted: %d faulted, %d were refused, %d read storage nobody wrote",
		c.programs, c.compiled, sum(c.differences), sum(c.faults), sum(c.refused), sum(c.astray))
	t.Logf("%d of %d elements that they stored were not compared: nothing wrote them", c.blurred, c.elements)
	if c.tooManyAstray() {
		t.Errorf("%d programs read storage nobody wrote, more than 1 in 1000, without those of tpairreducesum", sum(c.astray)-c.astray[leavesHalf])
	}
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
	}{{"programs on", c.mix}, {"written in part", c.vague}, {"refused", c.refused}, {"faults", c.faults}, {"read storage nobody wrote", c.astray}, {"differences", c.differences}} {
		for _, text := range slices.Sorted(maps.Keys(m.n)) {
			t.Logf("%s: %d times %s", m.what, m.n[text], text)
		}
	}
}

// tooManyAstray reports whether more than one in 1000 programs reads uninitialized
// storage, so that it cannot be compared.
// leavesHalf is the instruction that leaves the right half of dst unchanged, by definition.
// A program that stores all of dst without writing it before reads what nobody wrote.
const leavesHalf = "pto.tpairreducesum"

func (c *counter) tooManyAstray() bool {
	return 1000*(sum(c.astray)-c.astray[leavesHalf]) > c.programs
}

func sum(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}
