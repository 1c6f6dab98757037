package sync

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
)

// handshake loads, computes and stores in each round, with flags in both directions.
func (g *adversary) handshake() {
	rounds, stores := g.rounds(), g.IntN(2) == 0
	base := g.block(2)
	forward, back, out, done := g.event("MTE2V"), g.event("VMTE2"), g.event("VMTE3"), g.event("MTE3V")
	t, u := g.row(g.c(int64(base))), g.row(g.c(int64(base+1)))
	// The credits are raised before the loop and taken after it.
	credit, credit2 := !g.point(), !g.point()
	early, late := g.point(), g.point()
	// Instead of a credit before the loop, the first round can skip the wait.
	skips, skipped := g.IntN(2) == 0, g.number(1, 2)
	if credit && !skips {
		g.set("V", "MTE2", back)
	}
	if credit2 && stores {
		g.set("MTE3", "V", done)
	}
	g.loop(rounds, func(i string) {
		if credit && skips {
			g.branch(g.compare("sge", i, g.c(skipped), "index"), func() { g.wait("V", "MTE2", back) }, nil)
		} else if credit {
			g.wait("V", "MTE2", back)
		}
		if early { // too early
			g.set("MTE2", "V", forward)
		}
		g.load(t)
		if !early {
			g.set("MTE2", "V", forward)
		}
		if !late {
			g.wait("MTE2", "V", forward)
		}
		if credit2 && stores {
			g.wait("MTE3", "V", done)
		}
		g.compute(t, u)
		if late {
			g.wait("MTE2", "V", forward)
		}
		if credit {
			g.set("V", "MTE2", back)
		}
		if stores {
			g.unit(func() { g.set("V", "MTE3", out); g.wait("V", "MTE3", out) })
			at := i
			if g.IntN(2) == 0 {
				at = g.name("r")
				g.put("%s = arith.muli %s, %s : index", at, i, g.c(g.number(2, 0, 1)))
			}
			g.store(u, g.gm(at))
			if credit2 {
				g.set("MTE3", "V", done)
			}
		} else {
			g.barrier("V")
		}
	})
	switch {
	case credit && skips && rounds == 0:
		g.branch(g.compare("sgt", "%n", g.c(0), "index"), func() { g.wait("V", "MTE2", back) }, nil)
	case credit:
		g.wait("V", "MTE2", back)
	}
	if credit2 && stores {
		g.wait("MTE3", "V", done)
	}
}

// ahead loads row i + d and computes row i. The load and the computation are ordered by a
// flag in each round, by a barrier in each round or by a barrier in some rounds.
func (g *adversary) ahead() {
	d := int64(1 + g.IntN(40))
	rounds := g.rounds()
	base := g.block(100)
	step := int64(1 + g.IntN(2))
	every := int64(1 + g.IntN(int(d)))
	kind := g.IntN(4)
	if kind == 3 && rounds == 0 {
		rounds = 9
	}
	g.loop(rounds, func(i string) {
		j, at := g.name("j"), g.name("r")
		g.put("%s = arith.addi %s, %s : index", j, i, g.c(g.number(d, 0)))
		near, far := i, j
		if step != 1 {
			near, far = at, at+"f"
			g.put("%s = arith.muli %s, %s : index", near, i, g.c(step))
			g.put("%s = arith.muli %s, %s : index", far, j, g.c(step))
		}
		switch kind {
		case 0:
			g.load(g.rowFrom(base, far))
			g.flag("MTE2", "V")
			g.read(g.rowFrom(base, near))
			g.flag("V", "MTE2")
		case 1:
			g.unit(func() { g.barrier("ALL") })
			g.load(g.rowFrom(base, far))
			g.read(g.rowFrom(base, near))
		case 2: // a barrier in every round that is a multiple of a number
			m, c := g.name("m"), g.name("c")
			g.put("%s = arith.remui %s, %s : index", m, i, g.c(g.number(every, d+1, d+3)))
			g.put("%s = arith.cmpi eq, %s, %s : index", c, m, g.c(0))
			g.branch(c, func() { g.unit(func() { g.barrier("ALL") }) }, nil)
			g.load(g.rowFrom(base, far))
			g.read(g.rowFrom(base, near))
		case 3: // the distance is longer than the loop, so nothing meets
			far := g.name("r")
			g.put("%s = arith.addi %s, %s : index", far, i, g.c(g.number(rounds, rounds-1)))
			g.load(g.rowFrom(base, far))
			g.read(g.rowFrom(base, i))
		}
	})
}

// nested loads row i*m + j + d and computes row i*m + j in two loops.
func (g *adversary) nested() {
	m := int64(2 + g.IntN(6))
	d := int64(1 + g.IntN(14))
	outer := []int64{0, 2, 5, 8}[g.IntN(4)]
	base := g.block(100)
	where := g.IntN(3)
	inner := m
	if g.IntN(3) == 0 {
		inner = int64(1 + g.IntN(int(m)))
	}
	g.loop(outer, func(i string) {
		k, c := g.name("k"), g.name("c")
		g.put("%s = arith.remui %s, %s : index", k, i, g.c(8)) // the memory has few rows
		g.put("%s = arith.cmpi eq, %s, %s : index", c, k, g.c(0))
		g.branch(c, func() { g.sync("pto.barrier <PIPE_ALL>") }, nil)
		if where == 1 {
			g.unit(func() { g.barrier("ALL") })
		}
		g.loop(inner, func(j string) {
			r, s, far := g.name("r"), g.name("s"), g.name("f")
			g.put("%s = arith.muli %s, %s : index", r, k, g.c(m))
			g.put("%s = arith.addi %s, %s : index", s, r, j)
			g.put("%s = arith.addi %s, %s : index", far, s, g.c(d))
			switch {
			case where == 0:
				g.unit(func() { g.barrier("ALL") })
			case where == 1 && d < inner: // the outer barrier is too rare
				c := g.name("c")
				g.put("%s = arith.cmpi uge, %s, %s : index", c, j, g.c(g.number(d, d+1)))
				g.branch(c, func() { g.barrier("ALL") }, nil)
			}
			g.load(g.rowFrom(base, far))
			if where == 2 {
				g.flag("MTE2", "V")
			}
			g.read(g.rowFrom(base, s))
			if where == 2 {
				g.flag("V", "MTE2")
			}
		})
	})
}

// counter writes a counter modulo p that starts at 0: by remainder of the loop counter, or
// carried and wrapped by a selection. It returns the counter and the line that ends the
// round.
func (g *adversary) counted(rounds, p int64, body func(i, slot string)) {
	wrap := g.number(p, p+1, p+2)
	typ := []string{"index", "i32", "i8", "i64", "i16"}[g.IntN(5)]
	cast := func(v, from, to string) string {
		if from == to {
			return v
		}
		r := g.name("z")
		switch {
		case to == "index" || from == "index":
			g.put("%s = arith.index_cast %s : %s to %s", r, v, from, to)
		default:
			panic("cast")
		}
		return r
	}
	switch k := g.IntN(5); {
	case k == 0: // remainder, in a type
		op := []string{"remui", "remsi"}[g.IntN(2)]
		g.loop(rounds, func(i string) {
			v, s := cast(i, "index", typ), g.name("s")
			g.put("%s = arith.%s %s, %s : %s", s, op, v, g.typed(wrap, typ), typ)
			body(i, cast(s, typ, "index"))
		})
	case k == 1 && p&(p-1) == 0: // and
		g.loop(rounds, func(i string) {
			v, s := cast(i, "index", typ), g.name("s")
			g.put("%s = arith.andi %s, %s : %s", s, v, g.typed(wrap-1, typ), typ)
			body(i, cast(s, typ, "index"))
		})
	default: // carried
		i, v, next := g.name("i"), g.name("s"), g.name("e")
		end := "%n"
		if rounds > 0 {
			end = g.c(rounds)
		}
		g.put("%s = scf.for %s = %s to %s step %s iter_args(%s = %s) -> (%s) {", g.name("o"), i, g.c(0), end, g.c(1), v, g.typed(0, typ), typ)
		g.inside(i, func(i string) { body(i, cast(v, typ, "index")) })
		switch {
		case p == 2 && g.IntN(2) == 0:
			if g.IntN(2) == 0 {
				g.put("%s = arith.subi %s, %s : %s", next, g.typed(wrap-1, typ), v, typ)
			} else {
				g.put("%s = arith.xori %s, %s : %s", next, v, g.typed(wrap-1, typ), typ)
			}
		case g.IntN(3) == 0: // count down
			z, d, e := g.name("q"), g.name("d"), g.name("f")
			g.put("%s = arith.cmpi eq, %s, %s : %s", z, v, g.typed(0, typ), typ)
			g.put("%s = arith.subi %s, %s : %s", d, v, g.typed(1, typ), typ)
			g.put("%s = arith.select %s, %s, %s : %s", next, z, g.typed(wrap-1, typ), d, typ)
			_ = e
		default:
			z, d := g.name("q"), g.name("d")
			g.put("%s = arith.addi %s, %s : %s", d, v, g.typed(1, typ), typ)
			g.put("%s = arith.cmpi %s, %s, %s : %s", z, []string{"eq", "uge", "sge"}[g.IntN(3)], d, g.typed(wrap, typ), typ)
			g.put("%s = arith.select %s, %s, %s : %s", next, z, g.typed(0, typ), d, typ)
		}
		g.put("scf.yield %s : %s", next, typ)
		g.put("}")
	}
}

// ring loads and computes slots of a ring, with one event per slot or a barrier once per
// period.
func (g *adversary) ring() {
	p := int64(2 + g.IntN(6))
	base := g.block(10)
	rounds := g.rounds()
	switch g.IntN(5) {
	case 4:
		g.selected(base, rounds)
	case 0: // events by slot, with credits
		credit := !g.point()
		for s := range p {
			if credit {
				g.sync("pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE2>, %s]", g.c(s))
			}
		}
		g.counted(rounds, p, func(_, s string) {
			t := g.rowFrom(base, s)
			if credit {
				g.sync("pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE2>, %s]", s)
			}
			g.load(t)
			g.unit(func() { g.dynamic("MTE2", "V", s) })
			g.read(t)
			if credit {
				g.sync("pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE2>, %s]", s)
			}
		})
		for s := range p {
			if credit {
				g.sync("pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE2>, %s]", g.c(s))
			}
		}
	case 1: // a barrier once per period
		slot := g.number(0, p, p-1)
		g.counted(rounds, p, func(_, s string) {
			c := g.name("c")
			g.put("%s = arith.cmpi eq, %s, %s : index", c, s, g.c(slot))
			g.branch(c, func() { g.unit(func() { g.barrier("ALL") }) }, nil)
			t := g.rowFrom(base, s)
			g.load(t)
			g.unit(func() { g.dynamic("MTE2", "V", s) })
			g.read(t)
		})
	case 2: // a switch over the slots, with static events
		p = min(p, 4)
		e := g.event("MTE2V")
		g.counted(rounds, p, func(_, s string) {
			g.unit(func() { g.barrier("ALL") })
			g.put("scf.index_switch %s", s)
			for k := range p {
				g.put("case %d {", k)
				t := g.row(g.c(int64(base) + k))
				g.load(t)
				g.unit(func() { g.set("MTE2", "V", e); g.wait("MTE2", "V", e) })
				g.read(t)
				g.put("scf.yield\n}")
			}
			g.put("default {\n}")
		})
	case 3: // tiles that loops rotate
		g.rotation(p, base, rounds)
	}
}

// selected uses two tiles in turn: a selection picks one by a parity.
func (g *adversary) selected(base int, rounds int64) {
	one, two := g.row(g.c(int64(base))), g.row(g.c(int64(base+1)))
	credit := !g.point()
	for s := range int64(2) {
		if credit {
			g.set("V", "MTE2", int(s))
		}
	}
	dyn := func(what, from, to, s string) {
		g.sync("pto.%s_flag_dyn[<PIPE_%s>, <PIPE_%s>, %s]", what, from, to, s)
	}
	g.counted(rounds, 2, func(_, s string) {
		c, t := g.name("c"), g.name("t")
		g.put("%s = arith.cmpi eq, %s, %s : index", c, s, g.c(0))
		g.put("%s = arith.select %s, %s, %s : %s", t, c, one, two, tileType)
		if credit {
			dyn("wait", "V", "MTE2", s)
		}
		g.load(t)
		g.unit(func() { g.dynamic("MTE2", "V", s) })
		g.read(t)
		if credit {
			dyn("set", "V", "MTE2", s)
		}
	})
	for s := range int64(2) {
		if credit {
			g.wait("V", "MTE2", int(s))
		}
	}
}

// rotation carries p tiles and a counter, and rotates the tiles in each round.
func (g *adversary) rotation(p int64, base int, rounds int64) {
	init, next := "", ""
	types := ""
	order := make([]string, p)
	for k := range p {
		order[k] = g.name("t")
		t := g.row(g.c(int64(base) + k))
		init += order[k] + " = " + t + ", "
		types += tileType + ", "
	}
	end := "%n"
	if rounds > 0 {
		end = g.c(rounds)
	}
	i, k, z, d, e, c := g.name("i"), g.name("k"), g.name("z"), g.name("d"), g.name("e"), g.name("c")
	g.put("%s:%d = scf.for %s = %s to %s step %s iter_args(%s%s = %s) -> (%sindex) {", g.name("o"), p+1, i, g.c(0), end, g.c(1), init, k, g.c(0), types)
	g.put("%s = arith.cmpi eq, %s, %s : index", z, k, g.c(0))
	g.branch(z, func() { g.unit(func() { g.barrier("ALL") }) }, nil)
	g.load(order[0])
	g.unit(func() { g.dynamic("MTE2", "V", k) })
	g.read(order[0])
	g.put("%s = arith.addi %s, %s : index", d, k, g.c(1))
	g.put("%s = arith.cmpi eq, %s, %s : index", c, d, g.c(g.number(p, p+1)))
	g.put("%s = arith.select %s, %s, %s : index", e, c, g.c(0), d)
	for s := range p {
		next += order[(s+1)%p] + ", "
	}
	g.put("scf.yield %s%s : %sindex\n}", next, e, types)
}

// period computes a slot some rounds after it is loaded. A barrier is executed in rounds
// with a period of their own.
func (g *adversary) period() {
	p := int64(3 + g.IntN(5))
	lag := int64(1 + g.IntN(int(p)-1))
	base := g.block(10)
	rounds := g.rounds()
	every := min(lag, p-lag) // a barrier between load and computation, and before the next load
	every = int64(1 + g.IntN(int(every)))
	every = g.number(every, p+1, max(lag, p-lag)+1)
	width := []string{"index", "i8", "i16", "i32"}[g.IntN(4)]
	g.counted(rounds, p, func(i, s string) {
		v := i
		if width != "index" {
			v = g.name("v")
			g.put("%s = arith.index_cast %s : index to %s", v, i, width)
		}
		m, c := g.name("m"), g.name("c")
		g.put("%s = arith.remui %s, %s : %s", m, v, g.typed(every, width), width)
		g.put("%s = arith.cmpi eq, %s, %s : %s", c, m, g.typed(0, width), width)
		g.branch(c, func() { g.unit(func() { g.barrier("ALL") }) }, nil)
		g.load(g.rowFrom(base, s))
		b, old, w := g.name("b"), g.name("o"), g.name("w")
		g.put("%s = arith.addi %s, %s : index", b, s, g.c(p-lag))
		g.put("%s = arith.remui %s, %s : index", w, b, g.c(p))
		g.put("%s = arith.cmpi uge, %s, %s : index", old, i, g.c(lag))
		g.branch(old, func() { g.read(g.rowFrom(base, w)) }, nil)
	})
}

// guard synchronizes under one condition and accesses memory under another one, which
// implies it or not.
func (g *adversary) guard() {
	base := g.block(1)
	t := g.row(g.c(int64(base)))
	body := func() {
		sync, access, elsewhere := g.conditions()
		g.load(t)
		if elsewhere {
			g.branch(sync, func() {}, func() { g.barrier("ALL") })
		} else {
			g.branch(sync, func() { g.unit(func() { g.barrier("ALL") }) }, nil)
		}
		g.branch(access, func() { g.read(t) }, nil)
	}
	if g.IntN(2) == 0 {
		body()
		return
	}
	g.loop(g.rounds(), func(string) {
		body()
		g.unit(func() { g.barrier("ALL") })
	})
}

// address stores and loads rows of global memory, or loads and computes rows of local
// memory, at computed places. No flag orders the accesses, so they must not meet.
func (g *adversary) address() {
	base := g.block(64)
	body := func() {
		r, s := g.places()
		if g.point() {
			r = s
		}
		if g.IntN(2) == 0 {
			g.load(g.rowFrom(base, r))
			g.read(g.rowFrom(base, s))
			return
		}
		t := g.row(g.c(200))
		g.store(t, g.gm(r))
		g.put("pto.tload ins(%s : %s) outs(%s : %s)", g.gm(s), partType, g.row(g.c(201)), tileType)
	}
	if g.IntN(2) == 0 {
		body()
		return
	}
	g.loop(g.rounds(), func(string) {
		g.unit(func() { g.barrier("ALL") })
		body()
	})
}

// state carries a small state machine through a loop. The state depends on data, and a
// barrier and an access depend on the state.
func (g *adversary) state() {
	base := g.block(1)
	t := g.row(g.c(int64(base)))
	states := int64(2 + g.IntN(3))
	i, z, next := g.name("i"), g.name("z"), g.name("e")
	end := []string{"%n", g.c(6), g.c(12)}[g.IntN(3)]
	g.put("%s = scf.for %s = %s to %s step %s iter_args(%s = %s) -> (index) {", g.name("o"), i, g.c(0), end, g.c(1), z, g.c(0))
	at, v, c := g.name("a"), g.name("v"), g.name("c")
	g.put("%s = arith.remui %s, %s : index", at, i, g.c(16))
	g.put("%s = pto.load_scalar %%q[%s] : !pto.ptr<i32> -> i32", v, at)
	g.put("%s = arith.cmpi %s, %s, %s : i32", c, []string{"ne", "sgt", "eq", "ult"}[g.IntN(4)], v, g.typed(int64(g.IntN(2)), "i32"))
	up, w := g.name("u"), g.name("w")
	g.put("%s = arith.addi %s, %s : index", up, z, g.c(1))
	g.put("%s = arith.cmpi uge, %s, %s : index", w, up, g.c(g.number(states, states+1)))
	wrapped := g.name("x")
	g.put("%s = arith.select %s, %s, %s : index", wrapped, w, g.c(0), up)
	other := []string{z, g.c(0), g.c(1)}[g.IntN(3)]
	if g.IntN(2) == 0 {
		g.put("%s = arith.select %s, %s, %s : index", next, c, wrapped, other)
	} else {
		g.put("%s = scf.if %s -> (index) {", next, c)
		g.put("scf.yield %s : index\n} else {\nscf.yield %s : index\n}", wrapped, other)
	}
	when := func(s int64, pred string) string {
		h := g.name("h")
		g.put("%s = arith.cmpi %s, %s, %s : index", h, pred, z, g.c(s))
		return h
	}
	hit := int64(g.IntN(int(states)))
	if g.IntN(2) == 0 { // load in each round, ordered in the state in which it is read
		g.load(t)
		g.branch(when(hit, "eq"), func() { g.flag("MTE2", "V"); g.read(t); g.flag("V", "MTE2") }, nil)
		g.unit(func() { g.barrier("MTE2") })
	} else { // load in one state, read in another one, a barrier when the state is 0
		g.branch(when(0, "eq"), func() { g.unit(func() { g.barrier("ALL") }); g.load(t); g.unit(func() { g.barrier("ALL") }) }, nil)
		g.branch(when(hit, []string{"ugt", "eq"}[g.IntN(2)]), func() { g.read(t) }, nil)
	}
	g.put("scf.yield %s : index\n}", next)
}

// buffers orders pipes by tokens of buffers, which only A5 has.
func (g *adversary) buffers() {
	p := int64(1 + g.IntN(3))
	base := g.block(4)
	mode := g.number(0, 1) // mode 1 orders less
	g.counted(g.rounds(), max(p, 2), func(_, s string) {
		t := g.rowFrom(base, s)
		dyn := g.IntN(2) == 0
		get := func(pipe string) {
			if dyn {
				g.sync("pto.get_buf_dyn \"PIPE_%s\", %s, %d", pipe, s, mode)
			} else {
				g.sync("pto.get_buf \"PIPE_%s\", 0, %d", pipe, mode)
			}
		}
		rls := func(pipe string) {
			if dyn {
				g.sync("pto.rls_buf_dyn \"PIPE_%s\", %s, %d", pipe, s, mode)
			} else {
				g.sync("pto.rls_buf \"PIPE_%s\", 0, %d", pipe, mode)
			}
		}
		hold := func(pipe string, what func()) {
			if g.point() {
				what()
				return
			}
			get(pipe)
			what()
			rls(pipe)
		}
		hold("MTE2", func() { g.load(t) })
		hold("V", func() { g.read(t) })
	})
}

// blockRows lets each block store and load rows of its own.
func (g *adversary) blockRows() {
	g.blocks = 2 + g.IntN(3)
	b, i := g.name("b"), g.name("i")
	rows := int64(1 + g.IntN(5))
	query := "block"
	if g.target == sem.A5 && g.IntN(3) == 0 {
		query, g.blocks = "subblock", 1
	}
	g.put("%s = pto.get_%s_idx", b, query)
	g.put("%s = arith.index_cast %s : i64 to index", i, b)
	t := g.row(g.c(int64(g.block(1))))
	g.load(t)
	g.flag("MTE2", "MTE3")
	start := g.name("s")
	g.put("%s = arith.muli %s, %s : index", start, i, g.c(g.number(rows, rows-1)))
	inner := g.number(rows, rows+1)
	g.loop(inner, func(j string) {
		r := g.name("r")
		g.put("%s = arith.addi %s, %s : index", r, start, j)
		g.store(t, g.gm(r))
	})
	if g.IntN(2) == 0 {
		g.unit(func() { g.barrier("ALL") })
		g.put("pto.tload ins(%s : %s) outs(%s : %s)", g.gm(start), partType, g.row(g.c(250)), tileType)
	}
}

// phases loads rows in one loop and computes them in another one. The rows of the second
// loop are in another order, and some loads are executed only on a condition.
func (g *adversary) phases() {
	base := g.block(60)
	rounds := g.rounds()
	cond := g.IntN(3) == 0
	g.loop(rounds, func(i string) {
		write := func() { g.load(g.rowFrom(base, i)) }
		if cond {
			g.branch(g.compare(predicates[g.IntN(10)], i, g.c(int64(g.IntN(30))), "index"), write, nil)
			return
		}
		write()
	})
	if g.IntN(2) == 0 {
		g.flag("MTE2", "V")
	} else {
		g.unit(func() { g.barrier("ALL") })
	}
	g.loop(rounds, func(i string) {
		r := i
		if rounds > 0 {
			r = g.binary("subi", g.c(rounds-1), i, "index")
		}
		g.read(g.rowFrom(base, r))
	})
	if g.IntN(2) == 0 { // and loads them again
		back := g.IntN(2) == 0
		if back {
			g.flag("V", "MTE2")
		} else {
			g.unit(func() { g.barrier("ALL") })
		}
		g.unit(func() { g.barrier("MTE2") })
		g.loop(rounds, func(i string) { g.load(g.rowFrom(base, i)) })
	}
}

// scalars writes an element of a tile by the scalar pipe and reads it by another pipe, or
// the reverse, in each round.
func (g *adversary) scalars() {
	base := int64(g.block(8))
	p := int64(1 + g.IntN(4))
	reads := g.IntN(2) == 0
	g.consts["%two"] = "arith.constant 2.0 : f32"
	g.counted(g.rounds(), max(p, 2), func(_, s string) {
		t := g.rowFrom(int(base), s)
		pipe := []string{"MTE2", "V"}[g.IntN(2)]
		access := func() {
			if pipe == "V" {
				g.compute(g.row(g.c(254)), t)
				return
			}
			g.load(t)
		}
		before, after := "S", pipe
		if reads {
			before, after = pipe, "S"
		}
		steps := []func(){access, func() {
			if reads {
				g.put("%s = pto.tgetval ins(%s, %s : %s, index) outs : f32", g.name("v"), t, g.c(0), tileType)
			} else {
				g.put("pto.tsetval ins(%s, %%two : index, f32) outs(%s : %s)", g.c(0), t, tileType)
			}
		}}
		if !reads {
			steps[0], steps[1] = steps[1], steps[0]
		}
		steps[0]()
		g.unit(func() { g.dynamic(before, after, s) })
		steps[1]()
		g.unit(func() { g.dynamic(after, before, s) })
		g.barrier("MTE2")
		g.barrier("V")
	})
}

// onlyRounds loads a tile in one round, reads it in later rounds, and has a barrier in a
// round between them.
func (g *adversary) onlyRounds() {
	t := g.row(g.c(int64(g.block(1))))
	first := int64(g.IntN(12))
	lag := int64(1 + g.IntN(12))
	between := g.number(first+1+int64(g.IntN(int(lag))), first, first+lag+1)
	pred := []string{"eq", "uge", "sge"}[g.IntN(3)]
	repeat := g.IntN(3) == 0
	g.loop([]int64{0, 0, first + lag + 1, 45}[g.IntN(4)], func(i string) {
		at := func(p string, k int64) string { return g.compare(p, i, g.c(k), "index") }
		g.branch(at("eq", between), func() { g.unit(func() { g.barrier("ALL") }) }, nil)
		if repeat { // a barrier ends each other round
			g.branch(at("ne", first), func() { g.barrier("ALL") }, func() { g.load(t) })
		} else {
			g.branch(at("eq", first), func() { g.load(t) }, nil)
		}
		g.branch(at(pred, first+lag), func() { g.read(t) }, nil)
	})
}

// after loads a tile, synchronizes in a loop or in one of its rounds, and reads the tile
// after the loop, on a condition that implies that the loop has executed.
func (g *adversary) after() {
	t := g.row(g.c(int64(g.block(1))))
	g.load(t)
	k := int64(g.IntN(14))
	last := g.IntN(3) == 0
	g.loop(0, func(i string) {
		sync := func() { g.unit(func() { g.barrier("ALL") }) }
		switch {
		case last: // in the last round
			g.branch(g.compare("eq", g.binary("addi", i, g.c(1), "index"), "%n", "index"), sync, nil)
		case k == 0:
			sync()
		default:
			g.branch(g.compare("eq", i, g.c(k), "index"), sync, nil)
		}
	})
	need := k // n must be larger
	if last {
		need = 0
	}
	need = g.number(need, need-1)
	var c string
	switch g.IntN(4) {
	case 0:
		c = g.compare("sgt", "%n", g.c(need), "index")
	case 1:
		c = g.compare("sle", g.c(need+1), "%n", "index")
	case 2:
		c = g.compare("slt", g.c(need), g.binary("minsi", "%n", g.c(need+5), "index"), "index")
	default: // a remainder above need
		m := int64(need + 2 + int64(g.IntN(9)))
		c = g.compare("ugt", g.binary("remui", "%n", g.c(m), "index"), g.c(max(need, 0)), "index")
	}
	g.branch(c, func() { g.read(t) }, nil)
}

// call loads, synchronizes and computes in functions. One of them synchronizes on a
// condition that its caller passes.
func (g *adversary) call() {
	base := g.block(8)
	e, back := g.event("MTE2V"), g.event("VMTE2")
	function := func(args, types string, body func()) string {
		name := g.name("h")[1:]
		outer := g.body
		g.body = strings.Builder{}
		body()
		fmt.Fprintf(&g.helpers, "func.func private @%s(%s) {\n%s  return\n}\n", name, args, g.body.String())
		g.body = outer
		return "func.call @" + name + "(%s) : (" + types + ") -> ()"
	}
	wait, always := g.IntN(2) == 0, g.IntN(2) == 0
	load := function("%t: "+tileType+", %p: "+partType, tileType+", "+partType, func() {
		g.put("pto.tload ins(%%p : %s) outs(%%t : %s)", partType, tileType)
		g.unit(func() {
			g.set("MTE2", "V", e)
			if wait {
				g.wait("MTE2", "V", e)
			}
		})
	})
	barrier := function("%c: i1", "i1", func() {
		g.branch("%c", func() { g.unit(func() { g.barrier("ALL") }) }, nil)
	})
	p := int64(1 + g.IntN(4))
	g.counted(g.rounds(), max(p, 2), func(i, s string) {
		t := g.rowFrom(base, s)
		g.put(load, t+", %xp")
		if !wait {
			g.sync("pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID%d>]", e)
		}
		g.read(t)
		if always {
			g.unit(func() { g.set("V", "MTE2", back); g.wait("V", "MTE2", back) })
			return
		}
		k := g.c(g.number(0, 1))
		g.put(barrier, g.compare("uge", i, k, "index"))
	})
}
