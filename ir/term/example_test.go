package term_test

import (
	"fmt"

	"ptogo/ir/term"
)

// Example shows that two rounds of a loop access different rows of 4096 bytes, unless the
// access is one byte longer.
func Example() {
	p := term.NewPool()
	i := p.VarIn("i", 64, term.Range{Lo: 0, Hi: 1 << 40}) // the earlier round
	d := p.VarIn("d", 64, term.Range{Lo: 1, Hi: 1 << 40}) // the distance to the later one
	now := p.MulConst(i, 4096)
	later := p.MulConst(p.Add(i, d), 4096)

	a, b := term.Signed(now), term.Signed(later)
	for _, size := range []int64{4096, 4097} {
		n := term.Whole(size)
		fmt.Println(p.Possible(term.DefaultBudget, p.Meet(a, n, b, n)))
	}
	// Output:
	// no
	// yes
}

// ExamplePool_Implies proves a condition of the last round of a loop. Without the bound on
// n, the sum could wrap.
func ExamplePool_Implies() {
	p := term.NewPool()
	i, n := p.Var("i", 32), p.Var("n", 32)
	last := p.Sle(n, p.AddConst(i, 1))
	bound := p.Slt(n, p.Const(32, 1000))
	atEnd := p.Eq(p.AddConst(i, 1), n)
	fmt.Println(p.Implies(term.DefaultBudget, atEnd, p.Slt(i, n), last, bound))
	fmt.Println(p.Implies(term.DefaultBudget, p.Slt(i, p.AddConst(i, 1)), bound))
	// Output:
	// true
	// false
}
