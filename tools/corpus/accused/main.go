// Command accused collects the reports of pto-run's checkers about public kernels. These
// kernels are assumed to be correct, so each report must be judged by reading the kernel.
//
// The command replaces pto-run in a script. It adds --check to each run, and appends the
// reports to a log. A run with reports has the exit code of a successful run:
//
//	go build -o accused ./tools/corpus/accused
//	PTO_ACCUSED_LOG=log PTO_ACCUSED_CHECK=all run_golden.py --pto-run ./accused
//
// With options of pto-opt in PTO_ACCUSED_INSERT, such as --enable-insert-sync, it checks
// the output of pto-opt for each kernel. Reports then concern the inserted synchronization,
// or synchronization by hand that no pass replaces.
//
//	PTO_ACCUSED_LOG=log PTO_ACCUSED_CHECK=race,sync PTO_ACCUSED_INSERT=--enable-insert-sync run_golden.py --pto-run ./accused
//
// With -made it runs the kernels with synchronization by hand that are not in the log
// yet, on generated arguments:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR ./accused -made log
//
// Without these options it prints the contents of the log: a line for each class of
// reports and, with -v, a line for each reported location.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if log := os.Getenv("PTO_ACCUSED_LOG"); log != "" {
		os.Exit(standIn(log, os.Args[1:]))
	}
	made := flag.Bool("made", false, "run the kernels that are not in the log")
	verbose := flag.Bool("v", false, "a line for each place")
	flag.Parse()
	if flag.NArg() != 1 {
		stop(fmt.Errorf("expected the name of a log file"))
	}
	log := flag.Arg(0)
	if *made {
		if err := makeUp(log); err != nil {
			stop(err)
		}
	}
	runs, err := readLog(log)
	if err != nil {
		stop(err)
	}
	summarize(runs, *verbose)
}

func stop(err error) {
	fmt.Fprintln(os.Stderr, "accused:", err)
	os.Exit(2)
}
