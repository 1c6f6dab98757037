// Command accused says what the checkers of pto-run report of public kernels,
// which are taken to be right: what is left is to be judged by reading.
//
// As a stand-in for pto-run it adds --check to the kernels that it is asked to
// run, and their reports to a log; a run with reports counts as one that went
// well:
//
//	go build -o accused ./tools/corpus/accused
//	PTO_ACCUSED_LOG=log PTO_ACCUSED_CHECK=all run_golden.py --pto-run ./accused
//
// With options of pto-opt in PTO_ACCUSED_INSERT, such as --enable-insert-sync, it checks
// what pto-opt makes of each kernel: reports are then about what was inserted, or about
// synchronization by hand that no pass replaces.
//
//	PTO_ACCUSED_LOG=log PTO_ACCUSED_CHECK=race,sync PTO_ACCUSED_INSERT=--enable-insert-sync run_golden.py --pto-run ./accused
//
// With -made it does the same to the kernels with synchronization by hand that
// are not in the log yet, on arguments that are made up:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR ./accused -made log
//
// Without it prints what the log holds: a line for each class of reports, and
// with -v one for each place.
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
		stop(fmt.Errorf("takes the name of a log"))
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
