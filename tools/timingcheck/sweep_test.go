package main

import (
	"testing"
)

// TestSweep predicts kernels at increasing sizes. More work must take longer, and the
// time per unit of work must not increase, because launch and first loads weigh less.
func TestSweep(t *testing.T) {
	for _, s := range []struct {
		name  string
		sizes []int64
		of    func(n int64) *launch
	}{
		{"add", []int64{1, 2, 3, 4, 6, 8, 12}, func(n int64) *launch {
			n *= 48 * 8192
			return &launch{file: "add.pto", chip: "910B2", blocks: 48, args: []any{&buffer{4 * n}, &buffer{4 * n}, &buffer{4 * n}, n, int64(2)}}
		}},
		{"copy", []int64{1, 2, 4, 8, 12}, func(n int64) *launch {
			rows := n * 4096
			return &launch{file: "stream.pto", kernel: "copy", chip: "950", blocks: 64, args: []any{&buffer{rows * 512}, &buffer{rows * 512}, rows, int64(64)}}
		}},
		{"gemm", []int64{256, 512, 768, 1024, 1536, 2048}, func(k int64) *launch {
			const m, n = 512, 1536
			return &launch{file: "gemm.pto", chip: "910B1", blocks: 24,
				args: []any{&buffer{m * k * 2}, &buffer{n * k * 2}, &buffer{m * n * 4}, int64(m), k, int64(n), int64(m / 4), int64(n / 6)}}
		}},
		{"gemm_f8", []int64{512, 1024, 2048, 4096}, func(k int64) *launch {
			const n = 2048
			return &launch{file: "gemm_f8.pto", chip: "950", blocks: 32,
				args: []any{&buffer{n * k}, &buffer{n * k}, &buffer{n * n * 2}, int64(n), k, int64(n), int64(n / 4), int64(n / 8)}}
		}},
		{"topk", []int64{1, 2, 4, 8}, func(n int64) *launch {
			rows := 96 * n
			return &launch{file: "topk.pto", chip: "910B1", blocks: 48, args: []any{&buffer{rows * 1280 * 4}, &buffer{rows * 4000}, &buffer{rows * 4000}, rows}}
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			var before, each float64
			for i, n := range s.sizes {
				res, err := predict(s.of(n))
				if err != nil {
					t.Fatal(err)
				}
				now, unit := res.Total(), res.Total()/float64(n)
				if i > 0 && (now < before || unit > 1.02*each) {
					t.Errorf("size %d: %.2f us after %.2f, %.4f for each unit after %.4f", n, now, before, unit, each)
				}
				before, each = now, unit
			}
		})
	}
}
