package main

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"ptogo/tools/testsize"
)

//go:embed quick.tsv
var kept string

// TestErrors fails if predictions for a class of measurements become worse than recorded
// in quick.tsv, which "go run ./tools/timingcheck -write" generates. It omits large
// launches. At reduced test size (package testsize), it also omits medium ones and
// compares only classes that are still complete.
func TestErrors(t *testing.T) {
	mostBytes = int64(testsize.Of(quickBytes/16, quickBytes))
	defer func() { mostBytes = 0 }()
	compared := 0
	type errors struct {
		rows                int
		median, worst, rank float64
	}
	read := func(text string) map[string]errors {
		m := map[string]errors{}
		for _, line := range strings.Split(text, "\n")[1:] {
			f := strings.Split(line, "\t")
			if len(f) != 6 {
				continue
			}
			var e errors
			if _, err := fmt.Sscan(strings.Join(f[2:], " "), &e.rows, &e.median, &e.worst, &e.rank); err != nil {
				t.Fatal(err)
			}
			m[f[0]+", "+f[1]] = e
		}
		return m
	}
	now := read(summaryText(predictAll(readRows(measured))))
	for class, was := range read(kept) {
		is := now[class]
		if is.rows >= was.rows {
			compared++
		}
		switch {
		case is.rows < was.rows && !testsize.All():
		case is.rows < was.rows:
			t.Errorf("%s: %d rows are predicted, there were %d", class, is.rows, was.rows)
		case is.median > was.median+0.1 || is.worst > was.worst+0.1 || is.rank < was.rank-0.01:
			t.Errorf("%s: median error %.1f %%, worst %.1f %%, rank correlation %.2f; they were %.1f, %.1f and %.2f",
				class, is.median, is.worst, is.rank, was.median, was.worst, was.rank)
		}
	}
	if compared < 4 {
		t.Errorf("only %d classes of measurements were compared", compared)
	}
	t.Logf("%d classes of measurements were compared", compared)
}
