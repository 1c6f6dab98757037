package isa_test

import (
	"fmt"
	"strings"
	"testing"

	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// producer is a kernel of the cube core that puts n tiles into a queue.
func producer(n int) string {
	var b strings.Builder
	b.WriteString(`func.func @producer(%t: !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
    attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  %base = pto.import_reserved_buffer {name = "ring", peer_func = @consumer} -> i32
  pto.aic_initialize_pipe {id = 3, dir_mask = 1, slot_size = 1024} (c2v_consumer_buf = %base : i32)
`)
	for range n {
		b.WriteString("  pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>) {id = 3, split = 0}\n")
	}
	b.WriteString("  return\n}\n")
	return b.String()
}

const consumer = `func.func @consumer() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %base = pto.reserve_buffer {name = "ring", size = 8192, location = #pto.address_space<vec>, auto = false, base = 0} -> i32
  pto.aiv_initialize_pipe {id = 5, dir_mask = 1, slot_size = 1024} (c2v_consumer_buf = %base : i32)
  %t = pto.tpop_from_aic {id = 5, split = 0} -> !pto.tile_buf<vec, 16x16xf32>
  pto.tfree_from_aic {id = 5, split = 0}
  return
}
`

// TestFindQueues looks at a queue from both of its ends.
func TestFindQueues(t *testing.T) {
	m := parseText(t, producer(2)+consumer)
	qs := isasync.FindQueues(m)
	var ends []*isasync.Queue
	for op := range m.Walk() {
		if _, ok := op.Def().Sem.(sem.QueueInit); ok {
			ends = append(ends, qs.Of(op))
		}
	}
	if len(ends) != 2 {
		t.Fatalf("%d ends", len(ends))
	}
	for i, want := range []struct {
		id    int64
		users string
	}{
		{3, "pto.tpush_to_aiv pto.tpush_to_aiv"},
		{5, "pto.tpop_from_aic pto.tfree_from_aic"},
	} {
		q := ends[i]
		var users []string
		for _, u := range q.Users {
			users = append(users, u.Name())
			if name, ok := qs.NameOf(u); !ok || name != q.Name {
				t.Errorf("%s names %v, not %v", u.Name(), name, q.Name)
			}
		}
		if got := strings.Join(users, " "); got != want.users || q.Name != (isasync.QueueName{ID: want.id}) {
			t.Errorf("end %d is %v with %s", i, q.Name, got)
		}
		if len(q.Ends) != 2 || q.Ends[0] != ends[0] || q.Ends[1] != ends[1] {
			t.Errorf("end %d shares memory with %d", i, len(q.Ends))
		}
		if entry := qs.Entry(q); entry.String() != "!pto.tile_buf<vec, 16x16xf32>" {
			t.Errorf("end %d has entries %s", i, entry)
		}
		if s := q.Shape(); s != [4]int64{1, 1024, 8, 8} {
			t.Errorf("end %d has shape %+v", i, s)
		}
		if p := q.Pipes(sem.ToVector, sem.A5); p.Push != sem.PipeFix || p.Pop != sem.PipeV {
			t.Errorf("end %d has pipes %+v", i, p)
		}
	}
}

// BenchmarkVerifyPushes verifies kernels with many instructions on one queue:
// the time for each is the same however many there are.
func BenchmarkVerifyPushes(b *testing.B) {
	for _, n := range []int{5_000, 10_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			diags := &ir.Diags{}
			m, err := ir.Parse(&ir.Source{Name: "queue.pto", Text: producer(n) + consumer}, ir.ParseOptions{}, diags)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if !ir.Verify(m, ir.VerifyOptions{Target: sem.A5}, diags) {
					b.Fatal(diags.All()[0].Format())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/push")
		})
	}
}
