// Command device replaces pto-run in scripts that run public kernels. It lowers the
// program by pto-opt --enable-insert-sync and executes the result under
// --check=race,sync. It writes a line for each launch to the log that PTO_DEVICE_LOG
// names:
//
//	go build -o device ./tools/corpus/device
//	PTO_DEVICE_LOG=log run_golden.py --pto-run ./device --filter '^gym/'
//	./device -table log
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/internal/cli"
)

// launch describes one launch of a kernel. The log has one line for each.
type launch struct {
	File string   `json:"file"`
	Args []string `json:"args"`
	Code int      `json:"code"`
	// Reports holds the reports of the checkers, or another error.
	Reports []string `json:"reports"`
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "-table" {
		if err := table(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(standIn(os.Getenv("PTO_DEVICE_LOG"), os.Args[1:]))
}

// standIn executes a command line of pto-run and appends the launch to the file log.
// Reports of the checkers do not change the exit code, so that the caller still compares
// the results.
func standIn(log string, args []string) int {
	at := slices.IndexFunc(args, func(a string) bool { return filepath.Ext(a) == ".pto" && !strings.HasPrefix(a, "-") })
	if at < 0 || log == "" || slices.Contains(args, "--list-kernels") {
		return cli.Run(args, os.Stdin, os.Stdout, os.Stderr)
	}
	l := launch{File: args[at], Args: args}
	var said bytes.Buffer
	args = append(slices.Clone(args), "--check=race,sync")
	dir, err := os.MkdirTemp("", "device")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	args[at] = filepath.Join(dir, filepath.Base(l.File))
	ready := append(arch(args), l.File, "--enable-insert-sync", "-o", args[at])
	if l.Code = cli.Opt(ready, nil, io.Discard, &said); l.Code == 0 {
		said.Reset()
		l.Code = cli.Run(args, os.Stdin, os.Stdout, io.MultiWriter(os.Stderr, &said))
	}
	for _, line := range strings.Split(said.String(), "\n") {
		for _, severity := range []string{": error: ", ": warning: "} {
			if _, text, found := strings.Cut(line, severity); found {
				l.Reports = append(l.Reports, severity[2:]+text)
			}
		}
	}
	if err := l.add(log); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if l.Code == 5 {
		return 0
	}
	return l.Code
}

// arch returns those of the command-line arguments args that choose the target, with the
// option --pto-arch.
func arch(args []string) (list []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "--pto-arch=") {
			list = append(list, a)
		}
	}
	return list
}

func (l *launch) add(log string) error {
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewEncoder(f).Encode(l)
}

// table prints how many launches of the log file have each exit code. It then lists the
// launches that have reports or errors.
func table(log string) error {
	f, err := os.Open(log)
	if err != nil {
		return err
	}
	defer f.Close()
	counts, d := map[int]int{}, json.NewDecoder(f)
	for d.More() {
		var l launch
		if err := d.Decode(&l); err != nil {
			return err
		}
		if counts[l.Code]++; l.Code != 0 {
			fmt.Printf("%d\t%s\t%s\n", l.Code, l.File, strings.Join(l.Reports, "; "))
		}
	}
	fmt.Printf("%d silent, %d with reports, %d stop at a fault, %d not lowered\n", counts[0], counts[5], counts[4], counts[1]+counts[2])
	return nil
}
