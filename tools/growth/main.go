package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	_ "ptogo/dialect/all"
)

func main() {
	least := flag.Duration("least", 500*time.Millisecond, "processor time of the smaller of the two programs that are compared")
	most := flag.Float64("most", 1.3, "maximum ratio of the processor times for each byte of input")
	list := flag.Bool("list", false, "print the names of the shapes")
	flag.Parse()
	// One thread computes and collects garbage, so that the processor time is that of the
	// work, and collections are rare, so that their number does not blur a ratio.
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400)
	shapes := slices.DeleteFunc(all(), func(s Shape) bool { return !chosen(s.Name, flag.Args()) })
	if *list {
		for _, s := range shapes {
			fmt.Println(s.Name)
		}
		return
	}
	failed, above := 0, shapes
	for pass := 0; pass < measurements && len(above) > 0; pass++ {
		if pass > 0 {
			fmt.Printf("again, with %v of processor time:\n", *least<<pass)
		}
		again := above[:0:0]
		for _, s := range above {
			limit, why := *most, ""
			if k, ok := known[s.Name]; ok {
				limit, why = max(limit, k.ratio), ": "+k.why
			}
			g, err := Measure(s, *least<<pass, limit)
			switch {
			case err != nil:
				failed++
				fmt.Printf("%-52s FAILED: %v\n", s.Name, err)
			case g.Ratio > limit:
				again = append(again, s)
				fmt.Printf("%-52s %v ABOVE %.1f%s\n", s.Name, g, limit, why)
			default:
				fmt.Printf("%-52s %v%s\n", s.Name, g, why)
			}
		}
		above = again
	}
	if failed += len(above); failed > 0 {
		fmt.Printf("%d shapes failed or grow by more than %.1f per byte\n", failed, *most)
		os.Exit(1)
	}
}

// measurements is how often a shape is measured that is above its limit, after all others and with
// larger programs: other work on the machine lasts longer than one measurement.
const measurements = 3

// all returns all shapes.
func all() []Shape { return slices.Concat(Shapes(), PassShapes(), EditorShapes()) }

// chosen reports whether the name of a shape contains one of the words, or there are none.
func chosen(name string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

// known are the shapes that grow faster than their text, with the ratio to which each may
// come, and the reason.
var known = map[string]struct {
	ratio float64
	why   string
}{
	"sync/nest":                   {1.6, "the state at the head of each loop has facts about the counters of all loops around it"},
	"pass/canonicalize of always": {2.2, "n regions in each other: dominance and budgets climb from an operation to the module"},
	"pass/cse of always":          {2.2, "n regions in each other: dominance and budgets climb from an operation to the module"},
}
