package timing

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TestChips checks that each chip has all constants of the others of its
// profile, each with a source or the class of those without one.
func TestChips(t *testing.T) {
	first := map[string]*Chip{}
	for _, name := range ChipNames() {
		c := table()[name]
		if f := first[c.Profile]; f == nil {
			first[c.Profile] = c
		} else if got, want := strings.Join(c.Keys(), " "), strings.Join(f.Keys(), " "); got != want {
			t.Errorf("%s has constants %s, but %s has %s", c.Name, got, f.Name, want)
		}
		for _, key := range c.Keys() {
			if k, _ := c.Get(key); k.Source == "" && k.Class != Assumed || k.Unit == "" {
				t.Errorf("%s of %s has no source or no unit", key, name)
			}
		}
		if err := c.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWith checks changes of constants.
func TestWith(t *testing.T) {
	c, err := table()["910B1"].With("cube.head*2", "gm.hit=9", "bw.**2")
	if err != nil {
		t.Fatal(err)
	}
	if got := [3]float64{c.num("cube.head"), c.num("gm.hit"), c.num("bw.GM_L1")}; got != [3]float64{25, 9, 528} {
		t.Errorf("got %v", got)
	}
	for _, bad := range []string{"", "cube.head", "=1", "cube.head=x", "cube.head=-1", "cube.head=NaN", "gm.hit=0", "none*2"} {
		if _, err := c.With(bad); err == nil {
			t.Errorf("%q changes something", bad)
		}
	}
}

// TestSequence checks vector instructions of A2/A3 against published cycles of
// tile instructions (pto-isa tests/costmodel/st).
func TestSequence(t *testing.T) {
	at := func(rows, cols, size int64) shape { return shape{rows, cols, rows, cols, size} }
	for _, c := range []struct {
		op   opcode
		of   shape
		want float64
	}{
		{vadd, at(64, 64, 4), 160}, // contiguous: 64 repeats
		{vadd, at(16, 256, 2), 92}, // 32 repeats
		{vadd, at(64, 64, 2), 167}, // one repeat for each short row
		{vdiv, at(64, 64, 4), 288},
		{vexp, at(64, 64, 4), 159},
	} {
		s := sequence{chip: table()["910B3"]}
		s.over(c.op, c.of, c.op == vadd)
		k := s.cost()
		if got := k.busy + k.rest; math.Abs(got-c.want) > 0.05*c.want {
			t.Errorf("%s of %v takes %.0f cycles, published are %.0f", c.op, c.of, got, c.want)
		}
	}
}

// TestCache checks that the cache keeps what fits, and not what does not.
func TestCache(t *testing.T) {
	c := newCache(table()["910B1"])
	lines := int64(c.sets * c.ways)
	pass := func(n int64, write bool) (hits, back int64) {
		for i := range n {
			hit, wrote := c.touch(i, write)
			if hit {
				hits++
			}
			if wrote {
				back++
			}
		}
		return hits, back
	}
	pass(lines/2, true)
	if hits, _ := pass(lines/2, false); hits < lines/2*99/100 {
		t.Errorf("%d of %d lines are still there", hits, lines/2)
	}
	pass(lines*2, false)
	if hits, back := pass(lines*2, false); hits > lines/50 || back != 0 {
		t.Errorf("%d of %d lines are still there, %d go back though nothing was written", hits, lines*2, back)
	}
}

// TestPorts checks that two ports take two instructions in a cycle, that a result leaves a port in each cycle, and that
// the special function units are busy for longer.
func TestPorts(t *testing.T) {
	for _, c := range []struct {
		name string
		ops  []string
		want []float64
	}{
		{"one of each port in a cycle", []string{"vadd", "vadd", "vadd", "vadd"}, []float64{0, 0, 1, 1}},
		{"results of 8 and 7 cycles do not meet", []string{"vmul", "vmul", "vadds", "vadds"}, []float64{0, 0, 2, 2}},
		{"two special function units", []string{"vexp", "vexp", "vexp", "vdiv"}, []float64{0, 0, 4, 4}},
		{"arithmetic beside them", []string{"vexp", "vexp", "vadds"}, []float64{0, 0, 1}},
		{"one port reduces", []string{"vcmax", "vcmax"}, []float64{0, 1}},
		{"two loads, or a load and a store", []string{"vlds", "vsts", "vlds", "vlds", "vsts"}, []float64{0, 0, 1, 1, 2}},
	} {
		s := newScoreboard(0)
		for i, op := range c.ops {
			if got := s.issue(0, named(op)); got != c.want[i] {
				t.Errorf("%s: %s begins at %g, not %g", c.name, op, got, c.want[i])
			}
		}
	}
}

// named is the timing of an instruction.
func named(name string) timing {
	all := pto.Dialect.All()
	return timingOf(all[slices.IndexFunc(all, func(d *ir.Def) bool { return d.Name == "pto."+name })])
}

// TestForwarding checks when results can be taken against pairs of the public simulator (forwarding.csv).
func TestForwarding(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     float64
	}{
		{"vadds", "vadds", 3}, {"vadds", "vexp", 4}, {"vadds", "vsts", 5}, {"vmul", "vadd", 4}, {"vmax", "vsel", 4}, {"vabs", "vexp", 2},
		{"vexp", "vadds", 13}, {"vexp", "vsts", 14}, {"vdiv", "vmul", 14}, {"vlds", "vadd", 6}, {"vdup", "vmul", 8}, {"vcmax", "vsub", 13},
	} {
		if got := named(c.from).after(named(c.to)); got != c.want {
			t.Errorf("%s takes what %s makes after %g cycles, not %g", c.to, c.from, got, c.want)
		}
	}
}

// TestUpstream checks which flags mean that a buffer is free again.
func TestUpstream(t *testing.T) {
	if upstream(sem.PipeMTE2) >= upstream(sem.PipeMTE1) || upstream(sem.PipeMTE1) >= upstream(sem.PipeM) || upstream(sem.PipeV) >= upstream(sem.PipeMTE3) {
		t.Error("data does not go from MTE2 to MTE3")
	}
}
