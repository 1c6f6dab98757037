package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Covered returns the set of instructions that the random tests of this package cover.
// For this, it generates a sample of the random programs that the tests execute. The
// value is true for each instruction that occurs in this sample.
func Covered() map[*ir.Def]bool {
	seen := map[*ir.Def]bool{}
	for _, profile := range []string{"a3", "a5"} {
		r := newRules(profile)
		b := newBatch(r, r.sample(), course{})
		for _, w := range ways {
			m, why := b.lowered(w)
			if why != "" {
				b, _ = b.split(w)
				m, _ = b.lowered(w)
			}
			note(seen, m)
		}
	}
	for _, rows := range []bool{false, true} {
		g := newVectorMaker(1, rows)
		var ks []vectorKernel
		for i := range 150 {
			ks = append(ks, g.kernel(fmt.Sprintf("k%d", i)))
		}
		note(seen, read(module(ks), &ir.Diags{}))
	}
	g := newCubeMaker(1)
	var text strings.Builder
	for i := range 60 {
		text.WriteString(g.kernel(fmt.Sprintf("k%d", i)).text)
	}
	note(seen, read(inModule("a5", text.String()), &ir.Diags{}))
	return seen
}

// sample returns one program for each legal example of an instruction. An example (type
// use) is an instruction with operand types and attributes. All other random programs
// contain variations of these examples.
func (r *rules) sample() (progs []*program) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for i, u := range r.seeds {
		for try := range 200 {
			m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
			if v := m.pal.vary(u, try%24); m.fits(v) {
				m.add(v)
				progs = append(progs, m.p)
				break
			}
		}
	}
	return progs
}

// note adds the definitions of all PTO operations that occur in the module m to the set
// in the parameter seen.
func note(seen map[*ir.Def]bool, m *ir.Op) {
	for op := range m.Walk() {
		if d := op.Def(); d != nil && pto.InfoOf(d) != nil {
			seen[d] = true
		}
	}
}
