// Command pair measures two commands alternately and prints a comparison:
//
//	go run ./tools/bench/pair -n 7 'pto-opt big.mlir -o /dev/null' 'mlir-opt big.mlir -o /dev/null'
//
// Runs alternate, so that a change in the speed of the machine affects both alike. The
// output of the commands is discarded. With -title, the command prints rows of a Markdown
// table: the time or memory of A and of B, and their ratio.
//
// With -against, the command compares the tools of this tree with those of another commit
// on ten fixed programs. It fails if a program needs more than -most times the processor
// time:
//
//	go run ./tools/bench/pair -against v0.1.0
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	n := flag.Int("n", 7, "runs of each command, after one that does not count")
	title := flag.String("title", "", "print rows of a Markdown table, each with this title")
	ref := flag.String("against", "", "compare the tools of this tree with those of the `COMMIT`, on ten fixed programs")
	most := flag.Float64("most", 1.05, "with -against: the greatest permitted ratio of processor times")
	flag.Parse()
	if *ref != "" && flag.NArg() == 0 {
		ok, err := against(*ref, *n, *most)
		if err != nil {
			fmt.Fprintln(os.Stderr, "pair:", err)
		}
		if !ok {
			os.Exit(1)
		}
		return
	}
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: pair [-n RUNS] 'COMMAND A' 'COMMAND B'\n       pair [-n RUNS] [-most RATIO] -against COMMIT")
		os.Exit(2)
	}
	var runs [2][]sample
	for i := range *n + 1 {
		for k := range runs {
			s, err := measure(strings.Fields(flag.Arg(k)))
			if err != nil {
				fmt.Fprintf(os.Stderr, "pair: %s: %v\n", flag.Arg(k), err)
				os.Exit(1)
			}
			if i > 0 {
				runs[k] = append(runs[k], s)
			}
		}
	}
	row := "%-14s %10.1f %-2[4]s %10.1[3]f %-2[4]s %11.2[5]fx\n"
	if *title != "" {
		row = "| " + strings.ReplaceAll(*title, "%", "%%") + ": %s | %.1f %[4]s | %.1[3]f %[4]s | %.1[5]fx |\n"
	}
	for _, f := range figures {
		a, b := median(runs[0], f.of), median(runs[1], f.of)
		fmt.Printf(row, f.name, a, b, f.unit, b/a)
	}
}

// sample holds the resources that one run used: wall time and CPU time in milliseconds,
// and memory in MB.
type sample struct{ wall, cpu, mem float64 }

var figures = []struct {
	name, unit string
	of         func(sample) float64
}{
	{"clock", "ms", func(s sample) float64 { return s.wall }},
	{"processor time", "ms", func(s sample) float64 { return s.cpu }},
	{"memory", "MB", func(s sample) float64 { return s.mem }},
}

// measure runs a command and returns the resources that it used.
func measure(args []string) (sample, error) {
	cmd := exec.Command(args[0], args[1:]...)
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start).Seconds() * 1e3
	if err != nil {
		return sample{}, err
	}
	ru := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return sample{wall, cpu.Seconds() * 1e3, float64(ru.Maxrss) / 1e3}, nil
}

func median(s []sample, of func(sample) float64) float64 {
	xs := make([]float64, len(s))
	for i := range s {
		xs[i] = of(s[i])
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}
