// Command golden counts in how many public kernels with golden data each
// instruction occurs, and writes the counts to tools/docs/golden.tsv:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR go run ./tools/docs/golden
//
// A kernel has golden data if its folder contains the script that generates the data.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/tools/corpus"
)

func main() {
	counts := map[string]int{}
	for _, variable := range corpus.Variables {
		root := os.Getenv(variable)
		if root == "" {
			log.Fatalf("set %s to a checkout", variable)
		}
		programs, err := corpus.Folder(root)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range programs {
			if hasGolden(filepath.Join(root, filepath.Dir(p.Name))) {
				count(p, counts)
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%s\t%d\n", name, counts[name])
	}
	if err := os.WriteFile(filepath.Join("tools", "docs", "golden.tsv"), []byte(b.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}

// hasGolden reports whether a folder has a script that generates golden data.
func hasGolden(dir string) bool {
	for _, name := range []string{"golden.py", "gen_data.py"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// count updates the map counts with the kernels of program p. For each instruction, it
// adds the number of kernels in p that use the instruction.
func count(p corpus.Program, counts map[string]int) {
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: p.Name, Text: p.Text}, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
	if m == nil {
		return
	}
	for _, f := range fn.Functions(m) {
		used := map[*ir.Def]bool{}
		for op := range f.Walk() {
			if pto.InfoOf(op.Def()) != nil {
				used[op.Def()] = true
			}
		}
		for d := range used {
			counts[d.Name]++
		}
	}
}
