package sync

// A vector function accesses rows of 64 elements in the local memory. Its loads and stores
// are unordered unless a mem_bar orders them.

// scope writes a vector function.
func (g *adversary) scope(body func()) {
	g.consts["%va"] = "arith.constant 0 : i64"
	g.put("pto.vecscope {")
	g.put("%%ub = pto.castptr %%va : i64 -> !pto.ptr<f32, ub>")
	g.put("%%act = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>")
	g.put("%%v0 = pto.vlds %%ub[%s] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>", g.c(200*64))
	body()
	g.put("}")
}

// vload loads the row at a number of elements, and vstore stores to it.
func (g *adversary) vload(at string) string {
	v := g.name("v")
	g.put("%s = pto.vlds %%ub[%s] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>", v, at)
	return v
}

func (g *adversary) vstore(v, at string) {
	g.put("pto.vsts %s, %%ub[%s], %%act : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>", v, at)
}

// bar writes a memory barrier of a kind.
func (g *adversary) bar(kind string) { g.sync("pto.mem_bar \"%s\"", kind) }

// anyBar returns a kind of barrier that orders what follows a store.
func (g *adversary) anyBar(kind string) string {
	if g.IntN(3) == 0 {
		return "VV_ALL"
	}
	return kind
}

// elements returns row * 64.
func (g *adversary) elements(row string) string { return g.binary("muli", row, g.c(64), "index") }

// vectorDistance loads row i and stores row i + d, or the reverse.
func (g *adversary) vectorDistance() {
	d := int64(1 + g.IntN(40))
	rounds := g.rounds()
	every := int64(1 + g.IntN(int(d)))
	back := g.IntN(3) == 0
	kind := g.IntN(3)
	if kind == 2 && rounds == 0 {
		rounds = 30
	}
	g.scope(func() {
		g.loop(rounds, func(i string) {
			dist := g.number(d, 1, 2)
			if kind == 2 { // never meets
				dist = g.number(rounds, rounds-1, 1)
			}
			near, far := g.elements(i), g.elements(g.binary("addi", i, g.c(dist), "index"))
			if back {
				near, far = far, near
			}
			bar := g.anyBar("VST_VLD")
			sync := func() { g.unit(func() { g.bar(bar) }) }
			switch kind {
			case 0:
				sync()
			case 1:
				m := g.binary("remui", i, g.c(g.number(every, d+1)), "index")
				g.branch(g.compare("eq", m, g.c(0), "index"), sync, nil)
			}
			if back { // a later round stores what an earlier one loads
				g.unit(func() { g.bar("VV_ALL") })
			}
			v := g.vload(near)
			g.vstore(v, far)
		})
	})
}

// vectorRows loads and stores computed rows, which differ or are ordered.
func (g *adversary) vectorRows() {
	g.scope(func() {
		body := func() {
			r, s := g.places()
			g.vstore("%v0", g.elements(r))
			bar, same := g.anyBar("VST_VLD"), g.IntN(2) == 0
			if g.point() || same {
				g.unit(func() { g.bar(bar) })
				s = r
			}
			v := g.vload(g.elements(s))
			g.vstore(v, g.c(210*64))
		}
		if g.IntN(2) == 0 {
			body()
			return
		}
		g.loop(g.rounds(), func(string) {
			g.unit(func() { g.bar("VV_ALL") })
			body()
		})
	})
}

// vectorGuard stores a row under one condition and loads it under another one.
func (g *adversary) vectorGuard() {
	g.scope(func() {
		sync, access, elsewhere := g.conditions()
		g.vstore("%v0", g.c(0))
		if elsewhere {
			g.branch(sync, func() {}, func() { g.bar("VST_VLD") })
		} else {
			g.branch(sync, func() { g.unit(func() { g.bar("VST_VLD") }) }, nil)
		}
		g.branch(access, func() { g.vstore(g.vload(g.c(0)), g.c(210*64)) }, nil)
	})
}

// vectorRandom loads and stores random rows in random loops, with a barrier of everything
// before each access.
func (g *adversary) vectorRandom() {
	g.scope(func() {
		var block func(depth int)
		last := "%v0"
		block = func(depth int) {
			before := last
			for range 1 + g.IntN(4) {
				if depth > 0 && g.IntN(3) == 0 {
					rounds := []int64{0, 3, 8, 20}
					if len(g.loops) > 0 {
						rounds = []int64{1, 2, 3, 5}
					}
					g.loop(rounds[g.IntN(4)], func(string) { block(depth - 1) })
					continue
				}
				row := g.c(int64(g.IntN(6)))
				if len(g.loops) > 0 && g.IntN(2) == 0 {
					row = g.loops[g.IntN(len(g.loops))]
					if g.IntN(2) == 0 {
						row = g.binary("addi", row, g.c(int64(g.IntN(12))), "index")
					}
					if g.IntN(3) == 0 {
						row = g.binary("remui", row, g.c(int64(2+g.IntN(6))), "index")
					}
				}
				g.unit(func() { g.bar("VV_ALL") })
				if g.IntN(2) == 0 {
					last = g.vload(g.elements(row))
				} else {
					g.vstore(last, g.elements(row))
				}
			}
			last = before
		}
		block(2)
	})
}

// vectorNested stores row i*m + j + d and loads row i*m + j.
func (g *adversary) vectorNested() {
	m, d := int64(2+g.IntN(5)), int64(1+g.IntN(12))
	outer := []int64{2, 3, 6}[g.IntN(3)]
	where := g.IntN(2)
	g.scope(func() {
		g.loop(outer, func(i string) {
			if where == 0 && d >= m {
				g.unit(func() { g.bar("VST_VLD") })
			}
			g.loop(m, func(j string) {
				if where == 1 || d < m {
					g.unit(func() { g.bar("VST_VLD") })
				}
				r := g.binary("addi", g.binary("muli", i, g.c(m), "index"), j, "index")
				v := g.vload(g.elements(r))
				g.vstore(v, g.elements(g.binary("addi", r, g.c(d), "index")))
			})
		})
	})
}
