// Timingcheck predicts published measurements with the timing model and prints the errors
// of the predictions:
//
//	go run ./tools/timingcheck                     all of measured.tsv, and a summary
//	go run ./tools/timingcheck -summary            the summary alone
//	go run ./tools/timingcheck -measured FILE      another table of the same columns
//	go run ./tools/timingcheck -only gemm          rows whose kernel names start with gemm
//	go run ./tools/timingcheck -what-if gm.miss*2  with other constants (several joined by commas)
//	go run ./tools/timingcheck -report             with the report of each launch
//	go run ./tools/timingcheck -ranking            whether pairs of variants are ordered as on the device
//	go run ./tools/timingcheck -write              store the summary, which the test compares
//	go run ./tools/timingcheck -quick -write       the same without large launches, which the test omits
//
// The folder kernels contains the kernels. They were written for this check, with the
// tilings that the sources of the measurements state. In measured.tsv, the rows to which
// constants of the model were fitted are marked; only the other rows test the model.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	path := flag.String("measured", "", "table of measurements, instead of the one of this folder")
	brief := flag.Bool("summary", false, "print the summary alone")
	few := flag.Bool("quick", false, "leave large launches out, as the test does")
	only := flag.String("only", "", "predict only rows whose kernels begin so")
	flag.BoolVar(&report, "report", false, "print the report of each launch")
	changes := flag.String("what-if", "", "change constants, as pto-run --what-if does")
	ranking := flag.Bool("ranking", false, "compare pairs of variants of the same kernel")
	write := flag.Bool("write", false, "write the summary to tools/timingcheck")
	flag.Parse()
	text := measured
	if *path != "" {
		b, err := os.ReadFile(*path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "timingcheck:", err)
			os.Exit(1)
		}
		text = string(b)
	}
	if *few {
		mostBytes = quickBytes
	}
	if *changes != "" {
		whatIf = strings.Split(*changes, ",")
	}
	rows := readRows(text)
	if *ranking {
		rows = slices.DeleteFunc(append(rows, readRows(variants)...), func(r *row) bool {
			return !slices.ContainsFunc(groups, func(g group) bool { return strings.HasPrefix(r.kernel, g.kernel) })
		})
		fmt.Print(rankingText(predictAll(rows)))
		return
	}
	rows = predictAll(slices.DeleteFunc(rows, func(r *row) bool { return !strings.HasPrefix(r.kernel, *only) }))
	if !*brief {
		fmt.Print(tableText(rows))
	}
	summary := summaryText(rows)
	fmt.Print(summary)
	if *write {
		files := map[string]string{"summary.tsv": summary, "quick.tsv": summaryText(quick(rows))}
		if *few {
			delete(files, "summary.tsv")
		}
		for name, text := range files {
			if err := os.WriteFile("tools/timingcheck/"+name, []byte(text), 0o666); err != nil {
				fmt.Fprintln(os.Stderr, "timingcheck:", err)
				os.Exit(1)
			}
		}
	}
}
