package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/internal/cli"
	"ptogo/ir"
	"ptogo/tools/corpus"
)

// standIn executes a command line of pto-run with a changed kernel: the synchronization
// of the kernel is removed and pto-insert-sync inserts new synchronization. It checks the
// run, appends a line about it to the file log, and returns the exit code.
func standIn(log string, args []string) int {
	at := slices.IndexFunc(args, func(a string) bool { return filepath.Ext(a) == ".pto" && !strings.HasPrefix(a, "-") })
	if at < 0 {
		return cli.Run(args, os.Stdin, os.Stdout, os.Stderr)
	}
	name := args[at]
	dir, err := os.MkdirTemp("", "resync")
	if err != nil {
		stop(err)
	}
	defer os.RemoveAll(dir)
	given := filepath.Join(dir, filepath.Base(name))
	what, err := resync(name, given)
	switch {
	case err != nil:
		what = err.Error()
	case what != "":
		args = slices.Clone(args)
		args[at] = given
		args = append(args, "--check=race,sync")
	}
	code := cli.Run(args, os.Stdin, os.Stdout, os.Stderr)
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		stop(err)
	}
	defer f.Close()
	if what == "" {
		what = "left as it is"
	}
	fmt.Fprintf(f, "exit code %d\t%s\t%s\n", code, name, what)
	return code
}

// resync reads a kernel from one file (the parameter from), replaces its synchronization,
// and writes it to another file (the parameter to). It returns a description of the
// change, or "" if the kernel has no synchronization or waits for other cores.
func resync(from, to string) (string, error) {
	text, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	p := corpus.Program{Name: from, Text: string(text)}
	m, target := p.Read()
	if m == nil || crosses(m) || units(m).sum() == 0 {
		return "", nil
	}
	hand := units(m)
	if err := insert(m, target); err != nil {
		return "", err
	}
	out, err := os.Create(to)
	if err != nil {
		return "", err
	}
	defer out.Close()
	if err := ir.Print(out, m, ir.PrintOptions{}); err != nil {
		return "", err
	}
	return fmt.Sprintf("units by hand %s, given %s", hand, units(m)), nil
}
