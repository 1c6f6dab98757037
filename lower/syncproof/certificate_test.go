package syncproof_test

import (
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/insertsync"
	"ptogo/lower/syncproof"
)

// ring loads into two slots in turn and computes from the slot of the same round. The
// event of a slot lets the load wait for the computation two rounds before.
const ring = `
!t = !pto.tile_buf<vec, 8x8xf32>
!m = !pto.tile_buf<vec, 16x8xf32>
!p = !pto.partition_tensor_view<8x8xf32>
func.func @k(%x: !p, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a0 = arith.constant 0 : i64
  %a1 = arith.constant 4096 : i64
  %both = pto.alloc_tile addr = %a0 : !m
  %out = pto.alloc_tile addr = %a1 : !t
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID1>]
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.remui %i, %c2 : index
    %row = arith.muli %s, %c8 : index
    %t = pto.subview %both[%row, %c0] sizes [8, 8] : !m -> !t
    pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE2>, %s]
    pto.tload ins(%x : !p) outs(%t : !t)
    pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %s]
    pto.wait_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %s]
    pto.barrier <PIPE_V>
    pto.tabs ins(%t : !t) outs(%out : !t)
    pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE2>, %s]
  }
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID1>]
  return
}
`

// certificate returns a new certificate for the kernel ring.
func certificate(t *testing.T) *syncproof.Certificate {
	t.Helper()
	var diags ir.Diags
	module := kernel.Parse(&ir.Source{Name: "ring.pto", Text: ring}, ir.ParseOptions{}, &diags)
	if module == nil {
		t.Fatal("the kernel does not parse")
	}
	for f := range module.Walk() {
		if f.Is(fn.Func) {
			c := syncproof.Search(insertsync.ProofInput(f, sem.A3))
			if c == nil {
				t.Fatal("no proof")
			}
			return c
		}
	}
	t.Fatal("no function")
	return nil
}

// TestCheck plants false claims in a certificate. The check must refuse each of them.
func TestCheck(t *testing.T) {
	c := certificate(t)
	if gaps := c.Check().Gaps; len(gaps) > 0 {
		t.Fatalf("the check refuses the certificate: %s", gaps[0].Text)
	}
	claims := 0
	c.Claims(func(more, undo func()) {
		claims++
		more()
		if len(c.Check().Gaps) == 0 {
			t.Errorf("the check accepts false claim %d", claims)
		}
		undo()
	})
	if claims < 10 {
		t.Errorf("%d claims, want at least 10", claims)
	}
	if len(c.Check().Gaps) > 0 {
		t.Error("the check refuses the certificate without false claims")
	}
	c.Drop()
	if len(c.Check().Gaps) == 0 {
		t.Error("the check accepts a certificate without one of its states")
	}
	c = certificate(t)
	c.Divide()
	if len(c.Check().Gaps) == 0 {
		t.Error("the check accepts states for another division of the rounds")
	}
}
