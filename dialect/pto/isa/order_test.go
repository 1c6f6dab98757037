package isa_test

import (
	"testing"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
)

func TestOrderFlag(t *testing.T) {
	c := order.NewCore(order.RulesOf(sem.A3), 0)
	load := c.Step(order.MTE2)
	var ch order.Channel
	c.Release(order.MTE2, ch.Raise())
	late := c.Step(order.MTE2)
	var got order.Clock
	ch.Take(1, &got)
	c.Acquire(order.Vector, &got)
	c.Step(order.Vector)
	if !c.Over(load, order.Vector) || c.Over(late, order.Vector) || c.Over(load, order.MTE3) {
		t.Errorf("V waits for what was there before the raise, and only V does: %v %v %v", c.Over(load, order.Vector), c.Over(late, order.Vector), c.Over(load, order.MTE3))
	}
}

func TestOrderWaitOfTheScalarUnit(t *testing.T) {
	c := order.NewCore(order.RulesOf(sem.A3), 0)
	load := c.Step(order.MTE2)
	var ch order.Channel
	c.Release(order.MTE2, ch.Raise())
	var got order.Clock
	ch.Take(1, &got)
	c.Acquire(order.Scalar, &got)
	for l := order.Scalar; l < order.NumLines; l++ {
		if !c.Over(load, l) {
			t.Errorf("what %s starts later does not start behind what the scalar unit waited for", l.Pipe())
		}
	}
}

func TestOrderBarrier(t *testing.T) {
	c := order.NewCore(order.RulesOf(sem.A3), 0)
	a := c.Step(order.Vector)
	c.Step(order.Vector)
	if c.Over(a, order.Vector) {
		t.Error("V is in order on A3")
	}
	c.Barrier(sem.PipeV)
	if !c.Over(a, order.Vector) || c.Over(a, order.MTE3) {
		t.Error("a barrier of V orders V, and V only")
	}
	c.Barrier(sem.PipeAll)
	if !c.Over(a, order.MTE3) {
		t.Error("a barrier of all pipes orders all")
	}
	if a5 := order.NewCore(order.RulesOf(sem.A5), 0); !a5.Over(a5.Step(order.Vector), order.Vector) {
		t.Error("V is not in order on A5")
	}
}

func TestOrderReuse(t *testing.T) {
	c := order.NewCore(order.RulesOf(sem.A3), 0)
	var ch, back order.Channel
	wait := func() {
		var got order.Clock
		ch.Take(ch.Waited()+1, &got)
		c.Acquire(order.Vector, &got)
		ch.Wait(c.Waited(order.Vector))
	}
	c.Release(order.MTE2, ch.Raise())
	wait()
	c.Release(order.MTE2, ch.Raise())
	if ch.Behind(1, ch.Newest()) {
		t.Error("nothing says that V has waited before order.MTE2 raises the event again")
	}
	wait()
	c.Release(order.Vector, back.Raise())
	var got order.Clock
	back.Take(1, &got)
	c.Acquire(order.MTE2, &got)
	c.Release(order.MTE2, ch.Raise())
	if !ch.Behind(2, ch.Newest()) {
		t.Error("MTE2 has waited for V, which had waited")
	}
}

func TestOrderBuffer(t *testing.T) {
	c := order.NewCore(order.RulesOf(sem.A5), 0)
	c.Get(order.MTE2, 3, 0)
	load := c.Step(order.MTE2)
	c.Put(order.MTE2, 3, 0)
	store := c.Step(order.MTE3)
	c.Get(order.Vector, 3, 0)
	if !c.Over(load, order.Vector) || c.Over(store, order.Vector) {
		t.Error("who takes a buffer starts behind who gave it back")
	}
	c.Put(order.Vector, 3, 1)
	c.Get(order.MTE2, 3, 0)
	if c.Over(store, order.MTE2) {
		t.Error("a release of mode 1 does not order a pipe that never acquired the token")
	}
}

func TestOrderScope(t *testing.T) {
	for _, c := range []struct {
		kind    string
		ordered bool
	}{{"VST_VLD", true}, {"VLD_VST", false}, {"VV_ALL", true}, {"VST_VST", false}, {"VS_ALL", false}} {
		var s order.Scope
		n, _ := s.Step(order.VectorStore, order.Seen{}, order.Seen{})
		s.Barrier(c.kind)
		_, start := s.Step(order.VectorLoad, order.Seen{}, order.Seen{})
		if got := start[order.VectorStore] >= n; got != c.ordered {
			t.Errorf("%s between a store and a load: ordered is %v", c.kind, got)
		}
	}
	// A store that works on a load is over: so is the load.
	var s order.Scope
	load, _ := s.Step(order.VectorLoad, order.Seen{}, order.Seen{})
	s.Step(order.VectorStore, order.Seen{}, order.Seen{order.VectorLoad: load})
	s.Barrier("VST_VLD")
	if _, start := s.Step(order.VectorLoad, order.Seen{}, order.Seen{}); start[order.VectorLoad] < load {
		t.Error("what a barrier waits for has waited itself")
	}
}

func TestOrderCache(t *testing.T) {
	c, other := order.NewCore(order.RulesOf(sem.A3), 0), order.NewCore(order.RulesOf(sem.A3), 1)
	store := c.Step(order.Scalar)
	var clock order.Clock
	c.Release(order.Scalar, &clock)
	if c.Stored(store, &clock) {
		t.Error("a store is in memory without dcci")
	}
	c.CacheRefresh()
	c.Release(order.Scalar, &clock)
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

func TestOrderAssume(t *testing.T) {
	for _, name := range order.Assumptions() {
		if err := order.RulesOf(sem.A3).Assume(name); err != nil {
			t.Error(err)
		}
	}
	r := order.RulesOf(sem.A3)
	if r.Assume("m-order"); !r.InOrder(order.Cube) || r.Assume("x") == nil {
		t.Error("m-order does not put M in order, or a name that nobody knows is taken")
	}
}
