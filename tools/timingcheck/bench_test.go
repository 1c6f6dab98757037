package main

import "testing"

// BenchmarkGemm predicts a matrix product of 6144 x 6144 x 6144 elements without
// executing its arithmetic: 4,608 tile products on each of 24 cores.
func BenchmarkGemm(b *testing.B) {
	const n = int64(6144)
	for b.Loop() {
		clear(results)
		if _, err := predict(&launch{file: "gemm.pto", chip: "910B1", blocks: 24,
			args: []any{&buffer{n * n * 2}, &buffer{n * n * 2}, &buffer{n * n * 4}, n, n, n, n / 4, n / 6}}); err != nil {
			b.Fatal(err)
		}
	}
}
