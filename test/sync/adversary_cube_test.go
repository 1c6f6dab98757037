package sync

import "ptogo/dialect/pto/sem"

// The tiles of a matrix product: in L1, in the two operand buffers and in the accumulator.
const (
	matTile   = "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>"
	leftTile  = "!pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>"
	rightTile = "!pto.tile_buf<right, 16x16xf32, slayout=col_major>"
	accTile   = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"
	cubePart  = "!pto.partition_tensor_view<16x16xf32>"
	cubeView  = "!pto.tensor_view<16x16xf32>"
)

// cube multiplies matrices in a loop. Four pipes hand data on: each stage has a flag to
// the next one, and a credit back.
func (g *adversary) cube() {
	g.target = sem.A3
	view := func(arg string) string {
		v, p := g.name("v"), g.name("p")
		g.put("%s = pto.make_tensor_view %s, shape = [%s, %s], strides = [%s, %s] : %s", v, arg, g.c(16), g.c(16), g.c(16), g.c(1), cubeView)
		g.put("%s = pto.partition_view %s, offsets = [%s, %s], sizes = [%s, %s] : %s -> %s", p, v, g.c(0), g.c(0), g.c(16), g.c(16), cubeView, cubePart)
		return p
	}
	in, out := view("%x"), view("%y")
	tile := func(typ string, at int64) string {
		t := g.name("t")
		g.put("%s = pto.alloc_tile addr = %s : %s", t, g.typed(at, "i64"), typ)
		return t
	}
	twice := g.IntN(2) == 0 // two tiles in L1, used in turn
	mat, other := tile(matTile, 0), ""
	if twice {
		other = tile(matTile, g.number(1024, 0))
	}
	left, right, acc := tile(leftTile, 0), tile(rightTile, 0), tile(accTile, 0)
	l1 := mat
	stages := []struct {
		pipe string
		run  func()
	}{
		{"MTE2", func() { g.put("pto.tload ins(%s : %s) outs(%s : %s)", in, cubePart, l1, matTile) }},
		{"MTE1", func() {
			g.put("pto.tmov ins(%s : %s) outs(%s : %s)", l1, matTile, left, leftTile)
			g.put("pto.tmov ins(%s : %s) outs(%s : %s)", l1, matTile, right, rightTile)
		}},
		{"M", func() {
			g.put("pto.tmatmul ins(%s, %s : %s, %s) outs(%s : %s)", left, right, leftTile, rightTile, acc, accTile)
		}},
		{"FIX", func() {
			g.unit(func() { g.barrier("FIX") })
			g.put("pto.tstore ins(%s : %s) outs(%s : %s)", acc, accTile, out, cubePart)
		}},
	}
	if g.IntN(3) == 0 {
		stages = stages[:3]
	}
	n := len(stages) - 1
	var credit, forward []bool
	for range n {
		credit = append(credit, !g.point())
		forward = append(forward, !g.point())
	}
	for s := range n {
		if credit[s] {
			g.set(stages[s+1].pipe, stages[s].pipe, 0)
		}
	}
	g.loop(g.rounds(), func(i string) {
		if twice {
			c := g.compare("eq", g.binary("remui", i, g.c(2), "index"), g.c(0), "index")
			l1 = g.name("m")
			g.put("%s = arith.select %s, %s, %s : %s", l1, c, mat, other, matTile)
		}
		for s, st := range stages {
			if s < n && credit[s] {
				g.wait(stages[s+1].pipe, st.pipe, 0)
			}
			st.run()
			if s < n && forward[s] {
				g.set(st.pipe, stages[s+1].pipe, 0)
				g.wait(st.pipe, stages[s+1].pipe, 0)
			}
			if s > 0 && credit[s-1] {
				g.set(st.pipe, stages[s-1].pipe, 0)
			}
		}
		if n == 2 {
			g.unit(func() { g.barrier("M") })
		}
	})
	for s := range n {
		if credit[s] {
			g.wait(stages[s+1].pipe, stages[s].pipe, 0)
		}
	}
}
