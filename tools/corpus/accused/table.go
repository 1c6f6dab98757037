package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// summarize prints how often each class of reports occurs and in how many files. verbose
// adds one line for each reported location.
func summarize(runs []run, verbose bool) {
	type class struct{ check, severity, name string }
	launches, files := map[class]int{}, map[class]map[string]bool{}
	places := map[class]map[string]string{}
	silent, faults, all := 0, 0, map[string]bool{}
	for _, r := range runs {
		all[r.File] = true
		if len(r.Reports) == 0 {
			silent++
		}
		if r.Code == faultCode {
			faults++
		}
		said := map[class]bool{}
		for _, p := range r.Reports {
			c := class{p.Check, p.Severity, p.Class}
			if !said[c] {
				said[c] = true
				launches[c]++
			}
			if files[c] == nil {
				files[c], places[c] = map[string]bool{}, map[string]string{}
			}
			files[c][r.File] = true
			places[c][p.At] = p.Text
		}
	}
	fmt.Printf("%d launches of %d files: %d silent, %d stop at a fault\n", len(runs), len(all), silent, faults)
	for _, c := range slices.SortedFunc(maps.Keys(launches), func(a, b class) int {
		return cmp.Or(strings.Compare(a.check, b.check), strings.Compare(a.severity, b.severity), strings.Compare(a.name, b.name))
	}) {
		fmt.Printf("[%s] %s, %s: %d launches of %d files, %d places\n", c.check, c.severity, c.name, launches[c], len(files[c]), len(places[c]))
		if verbose {
			for _, at := range slices.Sorted(maps.Keys(places[c])) {
				fmt.Printf("    %s: %s\n", at, places[c][at])
			}
		}
	}
}
