package order

import (
	"testing"

	"ptogo/dialect/pto/sem"
)

func TestFlag(t *testing.T) {
	c := NewCore(RulesOf(sem.A3), 0)
	load := c.Step(MTE2)
	var ch Channel
	c.Release(MTE2, ch.Raise())
	late := c.Step(MTE2)
	var got Clock
	ch.Take(1, &got)
	c.Acquire(Vector, &got)
	c.Step(Vector)
	if !c.Over(load, Vector) || c.Over(late, Vector) || c.Over(load, MTE3) {
		t.Errorf("V waits for what was there before the raise, and only V does: %v %v %v", c.Over(load, Vector), c.Over(late, Vector), c.Over(load, MTE3))
	}
}

func TestWaitOfTheScalarUnit(t *testing.T) {
	c := NewCore(RulesOf(sem.A3), 0)
	load := c.Step(MTE2)
	var ch Channel
	c.Release(MTE2, ch.Raise())
	var got Clock
	ch.Take(1, &got)
	c.Acquire(Scalar, &got)
	for l := Scalar; l < NumLines; l++ {
		if !c.Over(load, l) {
			t.Errorf("what %s starts later does not start behind what the scalar unit waited for", l.Pipe())
		}
	}
}

func TestBarrier(t *testing.T) {
	c := NewCore(RulesOf(sem.A3), 0)
	a := c.Step(Vector)
	c.Step(Vector)
	if c.Over(a, Vector) {
		t.Error("V is in order on A3")
	}
	c.Barrier(sem.PipeV)
	if !c.Over(a, Vector) || c.Over(a, MTE3) {
		t.Error("a barrier of V orders V, and V only")
	}
	c.Barrier(sem.PipeAll)
	if !c.Over(a, MTE3) {
		t.Error("a barrier of all pipes orders all")
	}
	if a5 := NewCore(RulesOf(sem.A5), 0); !a5.Over(a5.Step(Vector), Vector) {
		t.Error("V is not in order on A5")
	}
}

func TestReuse(t *testing.T) {
	c := NewCore(RulesOf(sem.A3), 0)
	var ch, back Channel
	wait := func() {
		var got Clock
		ch.Take(ch.Waited()+1, &got)
		c.Acquire(Vector, &got)
		ch.Wait(c.Waited(Vector))
	}
	c.Release(MTE2, ch.Raise())
	wait()
	c.Release(MTE2, ch.Raise())
	if ch.Behind(1, ch.Newest()) {
		t.Error("nothing says that V has waited before MTE2 raises the event again")
	}
	wait()
	c.Release(Vector, back.Raise())
	var got Clock
	back.Take(1, &got)
	c.Acquire(MTE2, &got)
	c.Release(MTE2, ch.Raise())
	if !ch.Behind(2, ch.Newest()) {
		t.Error("MTE2 has waited for V, which had waited")
	}
}

func TestBuffer(t *testing.T) {
	c := NewCore(RulesOf(sem.A5), 0)
	c.Get(MTE2, 3, 0)
	load := c.Step(MTE2)
	c.Put(MTE2, 3, 0)
	store := c.Step(MTE3)
	c.Get(Vector, 3, 0)
	if !c.Over(load, Vector) || c.Over(store, Vector) {
		t.Error("who takes a buffer starts behind who gave it back")
	}
	c.Put(Vector, 3, 1)
	c.Get(MTE2, 3, 0)
	if !c.Over(store, MTE2) {
		t.Error("mode 1 waits for all pipes before it gives the buffer back")
	}
}

func TestScope(t *testing.T) {
	for _, c := range []struct {
		kind    string
		ordered bool
	}{{"VST_VLD", true}, {"VLD_VST", false}, {"VV_ALL", true}, {"VST_VST", false}, {"VS_ALL", false}} {
		var s Scope
		n, _ := s.Step(VectorStore, Seen{}, Seen{})
		s.Barrier(c.kind)
		_, start := s.Step(VectorLoad, Seen{}, Seen{})
		if got := start[VectorStore] >= n; got != c.ordered {
			t.Errorf("%s between a store and a load: ordered is %v", c.kind, got)
		}
	}
	// A store that works on a load is over: so is the load.
	var s Scope
	load, _ := s.Step(VectorLoad, Seen{}, Seen{})
	s.Step(VectorStore, Seen{}, Seen{VectorLoad: load})
	s.Barrier("VST_VLD")
	if _, start := s.Step(VectorLoad, Seen{}, Seen{}); start[VectorLoad] < load {
		t.Error("what a barrier waits for has waited itself")
	}
}

func TestCache(t *testing.T) {
	c, other := NewCore(RulesOf(sem.A3), 0), NewCore(RulesOf(sem.A3), 1)
	store := c.Step(Scalar)
	var clock Clock
	c.Release(Scalar, &clock)
	if c.Stored(store, &clock) {
		t.Error("a store is in memory without dcci")
	}
	c.CacheRefresh()
	c.Release(Scalar, &clock)
	if !c.Stored(store, &clock) {
		t.Error("a store is not in memory behind dcci")
	}
	other.AcquireIssue(&clock)
	if other.Sees(store) {
		t.Error("the cache of another core knows of a store without dcci")
	}
	other.CacheRefresh()
	if !other.Sees(store) {
		t.Error("dcci does not read anew")
	}
}

func TestAssume(t *testing.T) {
	for _, name := range Assumptions() {
		if err := RulesOf(sem.A3).Assume(name); err != nil {
			t.Error(err)
		}
	}
	r := RulesOf(sem.A3)
	if r.Assume("m-order"); !r.InOrder(Cube) || r.Assume("x") == nil {
		t.Error("m-order does not put M in order, or a name that nobody knows is taken")
	}
}
