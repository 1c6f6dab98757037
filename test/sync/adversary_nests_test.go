package sync

// exchange writes a row that MTE2 loads and V reads, in order with itself in every round.
func (g *adversary) exchange(base int) {
	t := g.row(g.c(int64(base + g.IntN(3))))
	g.load(t)
	g.flag("MTE2", "V")
	g.read(t)
	g.flag("V", "MTE2")
}

// ladder writes an else-if chain in a loop, of which each round executes one branch. The
// branches may use the same events.
func (g *adversary) ladder() {
	base := g.block(3)
	branches := 2 + g.IntN(12)
	period := int64(1 + g.IntN(branches))
	g.loop(g.rounds(), func(i string) {
		k := g.name("k")
		if g.IntN(3) == 0 {
			g.put("%s = arith.addi %s, %s : index", k, i, g.c(int64(g.IntN(3))))
		} else {
			g.put("%s = arith.remui %s, %s : index", k, i, g.c(period))
		}
		var rest func(n int)
		rest = func(n int) {
			if n == branches-1 {
				g.exchange(base)
				return
			}
			c := g.name("c")
			g.put("%s = arith.cmpi eq, %s, %s : index", c, k, g.c(int64(n)))
			g.branch(c, func() { g.exchange(base) }, func() { rest(n + 1) })
		}
		rest(0)
		if g.IntN(2) == 0 {
			g.exchange(base)
		}
	})
}

// deep writes many loops and branches in each other. Most loops have one round.
func (g *adversary) deep() {
	base := g.block(3)
	left := 1 + g.IntN(8)
	if g.IntN(4) == 0 { // deeper than what insertion analyzes together
		left = 25 + g.IntN(8)
	}
	many := 3 // loops with several rounds
	var inner func()
	inner = func() {
		if g.IntN(3) == 0 {
			g.exchange(base)
		}
		if left--; left < 0 {
			return
		}
		switch g.IntN(3) {
		case 0:
			c := g.name("c")
			g.put("%s = arith.cmpi ule, %s, %s : index", c, "%n", g.c(int64(g.IntN(40))))
			otherwise := func() { g.exchange(base) }
			if g.IntN(2) == 0 {
				otherwise = nil
			}
			g.branch(c, inner, otherwise)
		default:
			rounds := int64(1)
			if many > 0 && g.IntN(4) == 0 {
				many--
				rounds = 2
			}
			g.loop(rounds, func(string) { inner() })
		}
		if g.IntN(3) == 0 {
			g.exchange(base)
		}
	}
	inner()
}
