package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

var (
	position = regexp.MustCompile(`\S*:\d+:\d+: `)
	number   = regexp.MustCompile(`\d+`)
	typeName = regexp.MustCompile(`!pto\.\w+(<[^<>]*(<[^<>]*>[^<>]*)*>)?`)
)

// report counts the outcomes of a log, and shows what differs and why kernels
// are not supported.
func report(path string) int {
	log, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "engines:", err)
		return 2
	}
	outcomes, causes := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(log)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(fields) < 3 {
			continue
		}
		outcomes[fields[0]]++
		switch fields[0] {
		case "unsupported":
			causes[general(fields[2])]++
		case "differ":
			fmt.Println("differ:", fields[1], fields[2])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(outcomes)) {
		fmt.Printf("%6d %s\n", outcomes[name], name)
	}
	for _, why := range slices.SortedFunc(maps.Keys(causes), func(a, b string) int {
		return cmp.Or(causes[b]-causes[a], cmp.Compare(a, b))
	}) {
		fmt.Printf("%6d   %s\n", causes[why], why)
	}
	return min(outcomes["differ"], 1)
}

// general is a message without what is special about one kernel.
func general(text string) string {
	text = typeName.ReplaceAllString(position.ReplaceAllString(text, ""), "TYPE")
	return number.ReplaceAllString(text, "N")
}
