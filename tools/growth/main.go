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
	failed := 0
	for _, s := range all() {
		if !chosen(s.Name, flag.Args()) {
			continue
		}
		if *list {
			fmt.Println(s.Name)
			continue
		}
		limit, why := *most, ""
		if k, ok := known[s.Name]; ok {
			limit, why = max(limit, k.ratio), ": "+k.why
		}
		g, err := Measure(s, *least, limit)
		switch {
		case err != nil:
			failed++
			fmt.Printf("%-52s FAILED: %v\n", s.Name, err)
		case g.Ratio > limit:
			failed++
			fmt.Printf("%-52s %v ABOVE %.1f%s\n", s.Name, g, limit, why)
		default:
			fmt.Printf("%-52s %v%s\n", s.Name, g, why)
		}
	}
	if failed > 0 {
		fmt.Printf("%d shapes failed or grow by more than %.1f per byte\n", failed, *most)
		os.Exit(1)
	}
}

// all returns all shapes.
func all() []Shape { return slices.Concat(Shapes(), PassShapes(), EditorShapes()) }

// chosen reports whether the name of a shape contains one of the words, or there are none.
func chosen(name string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}
