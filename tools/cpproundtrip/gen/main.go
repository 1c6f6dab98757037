// The command gen makes the round trip of the examples and lit tests through C++, and
// writes the page about it and about the instructions:
//
//	go run ./tools/cpproundtrip/gen -table programs.tsv
//	go test ./test/diff -run TestRoundTripInstructions -timeout 60m -round-trip-uses 3 -round-trip-table instructions.tsv
//	go run ./tools/cpproundtrip/gen -page docs/measurements/cpp-roundtrip.md -note TEXT programs=programs.tsv instructions=instructions.tsv
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"ptogo/tools/cpproundtrip"
)

func main() {
	match := flag.String("files", ".", "regular expression for names of files")
	table := flag.String("table", "", "write the cases as a table of tab-separated columns to this file")
	validate := flag.String("validate", "", "check the C++ of all programs below this folder as docs/ptoas-check.md describes, instead of the examples and lit tests")
	page := flag.String("page", "", "write the page of the documentation to this file; the arguments are tables, as NAME=FILE")
	note := flag.String("note", "", "with -page: date and machine, as a paragraph")
	flag.Parse()
	err := error(nil)
	if *page != "" {
		err = writePage(*page, *note, flag.Args())
	} else if *validate != "" {
		err = runValidation(*validate, *match, *table)
	} else {
		err = run(*match, *table)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writePage writes the page about tables of earlier runs. The examples and the lit tests
// of one table are groups of their own.
func writePage(path, note string, tables []string) error {
	var groups []cpproundtrip.Group
	for _, t := range tables {
		name, file, _ := strings.Cut(t, "=")
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		all, err := cpproundtrip.ReadTable(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		var examples, others []cpproundtrip.Case
		for _, c := range all {
			if strings.HasPrefix(c.Program, "examples/") {
				examples = append(examples, c)
			} else {
				others = append(others, c)
			}
		}
		if examples != nil {
			groups = append(groups, cpproundtrip.Group{Name: "examples", Cases: examples})
			name = "lit tests"
		}
		groups = append(groups, cpproundtrip.Group{Name: name, Cases: others})
	}
	return os.WriteFile(path, []byte(cpproundtrip.Page(groups, note)), 0o644)
}

// run compares the programs in files whose names match, and prints the cases.
func run(match, table string) error {
	wanted, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	files, err := cpproundtrip.Files("examples", "test/lit")
	if err != nil {
		return err
	}
	var all []cpproundtrip.Case
	for _, f := range files {
		if !wanted.MatchString(f) {
			continue
		}
		cases, err := cpproundtrip.File(f)
		if err != nil {
			return err
		}
		fmt.Print(cpproundtrip.Table(cases))
		all = append(all, cases...)
	}
	if table == "" {
		return nil
	}
	return os.WriteFile(table, []byte(cpproundtrip.Table(all)), 0o644)
}

// runValidation checks the C++ of the programs below a folder whose names match, and
// prints the number of cases of each outcome and reason.
func runValidation(folder, match, table string) error {
	wanted, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	files, err := cpproundtrip.Files(folder)
	if err != nil {
		return err
	}
	var proofs, syncs []cpproundtrip.Case
	for _, f := range files {
		if !wanted.MatchString(f) {
			continue
		}
		p, s, err := cpproundtrip.Validate(f)
		if err != nil {
			return err
		}
		fmt.Fprint(os.Stderr, cpproundtrip.Table(p), cpproundtrip.Table(s))
		proofs, syncs = append(proofs, p...), append(syncs, s...)
	}
	fmt.Print(cpproundtrip.Summary("pto-run --equivalent", proofs), "\n", cpproundtrip.Summary("pto-opt --verify-sync=strict", syncs))
	if table == "" {
		return nil
	}
	return os.WriteFile(table, []byte(cpproundtrip.Table(append(proofs, syncs...))), 0o644)
}
