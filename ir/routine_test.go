package ir_test

import (
	"testing"

	"ptogo/ir"
	"ptogo/ir/effect"
	"ptogo/ir/routine"
)

type scale struct{ by int }
type move struct{ to string }
type strange struct{}

func (scale) Effects() effect.Set   { return 0 }
func (move) Effects() effect.Set    { return 0 }
func (strange) Effects() effect.Set { return 0 }

// TestRoutines checks that a routine table selects the routine by the type of the kind
// and passes the kind's parameters to it. A later routine for a kind replaces an earlier
// one.
func TestRoutines(t *testing.T) {
	table := routine.New(func() []routine.Row[int, int] {
		return []routine.Row[int, int]{
			routine.Makes(func(w int, _ *ir.Op, k scale) int { return w * k.by }),
			routine.Makes(func(int, *ir.Op, move) int { return 1 }),
		}
	}, func() []routine.Row[int, int] {
		return []routine.Row[int, int]{
			routine.Makes(func(int, *ir.Op, move) int { return -1 }),
		}
	})
	for _, c := range []struct {
		kind ir.Meaning
		want int
		ok   bool
	}{{scale{3}, 21, true}, {scale{5}, 35, true},
		{move{"left"}, -1, true}, {strange{}, 0, false}, {nil, 0, false}} {
		op := ir.New(ir.State{Def: &ir.Def{Name: "test.op", Sem: c.kind, Forms: []*ir.Form{{}}}})
		got, ok := table.Run(7, op)
		if got != c.want || ok != c.ok || table.Has(c.kind) != c.ok {
			t.Errorf("%#v: got %d, %v, want %d, %v", c.kind, got, ok, c.want, c.ok)
		}
	}
}
