package lsp

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/uri"
)

// kernels returns a text of at least n bytes with functions that differ in names and
// sizes.
func kernels(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.NewReplacer("@scale", fmt.Sprintf("@scale%d", i), "16", fmt.Sprint(8+i%8), "%t", fmt.Sprintf("%%tile%d", i)).Replace(scale))
	}
	return b.String()
}

// BenchmarkAnalysis measures the time from an edit until its diagnostics are known.
func BenchmarkAnalysis(b *testing.B) {
	for _, kb := range []int{1, 10, 40, 1000} {
		text := kernels(kb << 10)
		b.Run(fmt.Sprintf("%dKB", kb), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				newDocument(&server{}, uri.File("/k.pto"), 1, text).diagnostics()
			}
		})
	}
}

// BenchmarkAnalysisOfErrors measures the time until the diagnostics are known for a text
// with an error in each function.
func BenchmarkAnalysisOfErrors(b *testing.B) {
	text := strings.ReplaceAll(kernels(40<<10), "pto.tmuls", "pto.tmulz")
	for b.Loop() {
		newDocument(&server{}, uri.File("/k.pto"), 1, text).diagnostics()
	}
}
