// Command engines stands in for pto-run and runs every kernel on both engines:
//
//	go build -o both ./tools/corpus/engines
//	PTO_ENGINES_LOG=log run_golden.py --pto-run ./both ...
//	./both -report log
//
// The outputs are those of the Go engine. A line of the log says whether the
// LLVM engine gave the same bytes, other ones, or could not run the kernel and
// why.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/internal/cli"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "-report" {
		os.Exit(report(os.Args[2]))
	}
	os.Exit(both(os.Args[1:]))
}

// both runs a command line on both engines and logs how they compare.
func both(args []string) int {
	files := changed(args)
	before := files.read()
	if code := cli.Run(args, os.Stdin, os.Stdout, os.Stderr); code != 0 {
		note("go fails", args, "")
		return code
	}
	want := files.read()
	before.write()
	var msg bytes.Buffer
	code := cli.Run(append(slices.Clone(args), "--engine=llvm"), os.Stdin, io.Discard, &msg)
	got := files.read()
	want.write()
	_, why, other := strings.Cut(msg.String(), "--engine=go: ")
	switch difference := want.differs(got); {
	case other:
		note("unsupported", args, strings.TrimSpace(why))
	case code != 0:
		note("differ", args, fmt.Sprintf("exit code %d: %s", code, strings.TrimSpace(msg.String())))
	case difference == nans:
		note("agree but for bits of NaNs", args, "")
	case difference != "":
		note("differ", args, difference)
	default:
		note("agree", args, "")
	}
	return 0
}

// contents are files with what is in them; nil for a file that is not there.
type contents map[string][]byte

// paths are files that a command line writes.
type paths []string

// changed returns the files that a command line writes.
func changed(args []string) paths {
	var all paths
	for i, a := range args {
		spec, ok := strings.CutPrefix(a, "--arg=")
		if !ok && i > 0 && args[i-1] == "--arg" {
			spec = a
		}
		if path, ok := strings.CutPrefix(spec, "inout="); ok {
			all = append(all, path)
		}
		if path, ok := strings.CutPrefix(spec, "out="); ok {
			path, _, _ = strings.Cut(path, ":")
			all = append(all, path)
		}
	}
	return all
}

func (ps paths) read() contents {
	c := contents{}
	for _, p := range ps {
		c[p], _ = os.ReadFile(p) // nil says that it is not there
	}
	return c
}

func (c contents) write() {
	for p, data := range c {
		err := os.Remove(p)
		if data != nil {
			err = os.WriteFile(p, data, 0o600)
		}
		if err != nil && !os.IsNotExist(err) {
			fmt.Fprintln(os.Stderr, "engines:", err)
		}
	}
}

// nans says that files differ only in words that are f32 NaNs on both sides.
const nans = "NaNs"

// differs says where the first difference is, or that there are only NaNs.
func (c contents) differs(other contents) string {
	how := ""
	for p, want := range c {
		got := other[p]
		if bytes.Equal(want, got) {
			continue
		}
		if len(want) != len(got) {
			return fmt.Sprintf("%s has %d bytes instead of %d", filepath.Base(p), len(got), len(want))
		}
		n, first := 0, 0
		for i := 0; i < len(want); i += 4 {
			end := min(i+4, len(want))
			g, w := got[i:end], want[i:end]
			if bytes.Equal(g, w) || isNaN(g) && isNaN(w) {
				continue
			}
			if n++; n == 1 {
				first = i
			}
		}
		if n > 0 {
			end := min(first+8, len(want))
			return fmt.Sprintf("%s: %d of %d words, the first at byte %d: % x instead of % x", filepath.Base(p), n, (len(want)+3)/4, first,
				got[first:end], want[first:end])
		}
		how = nans
	}
	return how
}

func isNaN(word []byte) bool {
	return len(word) == 4 && math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(word))))
}

// note appends a line to the log.
func note(outcome string, args []string, why string) {
	log, err := os.OpenFile(os.Getenv("PTO_ENGINES_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "engines: PTO_ENGINES_LOG names no file to write:", err)
		return
	}
	defer log.Close()
	why = strings.Join(strings.Fields(why), " ")
	fmt.Fprintf(log, "%s\t%s\t%s\n", outcome, strings.Join(args, " "), why)
}
