package main

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/internal/cli"
)

// faultCode is the exit code of pto-run for a kernel that ends with a fault. reportsCode
// is the exit code for a kernel about which checkers have reports.
const (
	faultCode   = 4
	reportsCode = 5
)

// run describes one launch of a kernel, with the checkers' reports about it. The log file
// has one line for each launch.
type run struct {
	File    string   `json:"file"`
	Code    int      `json:"code"`
	Reports []report `json:"reports"`
}

// report holds the fields of a checker's report that this tool needs. pto-run
// --check-json writes them.
type report struct {
	Check    string `json:"check"`
	Severity string `json:"severity"`
	Class    string `json:"class"`
	At       string `json:"at"`
	Text     string `json:"text"`
}

// standIn executes a command line of pto-run with the checkers enabled. It appends the
// run to the log file and returns the exit code. If the checkers report mistakes, the
// exit code is nevertheless that of a successful run.
func standIn(log string, args []string) int {
	at := slices.IndexFunc(args, func(a string) bool { return filepath.Ext(a) == ".pto" && !strings.HasPrefix(a, "-") })
	if at < 0 || slices.Contains(args, "--list-kernels") {
		return cli.Run(args, os.Stdin, os.Stdout, os.Stderr)
	}
	code, err := checked(log, args[at], args, os.Stdout)
	if err != nil {
		stop(err)
	}
	if code == reportsCode {
		return 0
	}
	return code
}

// checked runs the kernel in the given file under the checkers, and appends a record of
// the run to a file, whose path is the parameter log. The output of pto-run goes to
// stdout. checked returns the exit code of pto-run.
func checked(log, file string, args []string, stdout io.Writer) (int, error) {
	out, err := os.CreateTemp("", "accused*.json")
	if err != nil {
		return 0, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	args = append(slices.Clone(args), "--check="+cmp.Or(os.Getenv("PTO_ACCUSED_CHECK"), "all"), "--check-json="+out.Name())
	r := run{File: file}
	if options := os.Getenv("PTO_ACCUSED_INSERT"); options != "" {
		made, code, err := inserted(file, strings.Fields(options), args)
		if err != nil || code != 0 {
			return code, err
		}
		defer os.Remove(made)
		args[slices.Index(args, file)] = made
	}
	r.Code = cli.Run(args, os.Stdin, stdout, os.Stderr)
	text, err := os.ReadFile(out.Name())
	if err != nil {
		return 0, err
	}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &r); err != nil {
			return 0, err
		}
	}
	return r.Code, r.add(log)
}

// inserted runs pto-opt with the given options on a program, whose path is the parameter
// file. It takes the target profile from args, the arguments of pto-run. It returns the
// name of a new file with the output of pto-opt, and the exit code.
func inserted(file string, options, args []string) (name string, code int, err error) {
	out, err := os.CreateTemp("", "accused*.pto")
	if err != nil {
		return "", 0, err
	}
	out.Close()
	command := append([]string{file, "-o", out.Name()}, options...)
	for _, a := range args {
		if strings.HasPrefix(a, "--pto-arch=") {
			command = append(command, a)
		}
	}
	if code = cli.Opt(command, os.Stdin, os.Stdout, os.Stderr); code != 0 {
		os.Remove(out.Name())
	}
	return out.Name(), code, nil
}

// add appends the run to a file, whose path is the parameter log. Several processes may
// write this file concurrently.
func (r *run) add(log string) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}

// readLog returns the runs in a log file. A missing file counts as empty.
func readLog(name string) (runs []run, err error) {
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var r run
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}
