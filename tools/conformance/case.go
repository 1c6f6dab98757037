package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Case is one requirement with a program that shows whether an implementation meets it.
// The schema in conformance/schema.json describes the same fields.
type Case struct {
	// ID is unique in the suite: the profile, the group and a number, as in "a3/pto.tadd/1".
	ID string `json:"id"`
	// Requires states the requirement, and Source names the documents that define it.
	Requires string   `json:"requires"`
	Source   []string `json:"source"`
	// Profile is the target profile: a3 or a5.
	Profile string `json:"profile"`
	Program string `json:"program"`
	// Verdict is what an implementation must find about the program: one of the constants
	// below.
	Verdict string `json:"verdict"`
	// Kernel and Blocks are the launch.
	Kernel string `json:"kernel,omitempty"`
	Blocks int    `json:"blocks,omitempty"`
	// Ranks is the number of ranks of the launch. 0 means one rank, without a communication
	// context.
	Ranks int `json:"ranks,omitempty"`
	// Args are the arguments of the kernel, in the order of its parameters.
	Args []Arg `json:"args,omitempty"`
	// Witnesses are the independent implementations that gave the result or the verdict.
	Witnesses []string `json:"witnesses"`
}

// Arg is an argument: a buffer, if Scalar is nil, or a scalar.
type Arg struct {
	// Type is the type of the elements of the buffer or of the scalar, as in MLIR.
	Type string `json:"type"`
	// Before holds the bytes of a buffer before the launch, and After those that it must have
	// after the launch. After is nil if the launch must not change the buffer. In JSON, both
	// are in base64. With several ranks, they are the bytes of the buffers of all ranks, all
	// of one size, in the order of the ranks.
	Before []byte `json:"before,omitempty"`
	After  []byte `json:"after,omitempty"`
	// Scalar holds the bits of a scalar, as an unsigned integer.
	Scalar *uint64 `json:"scalar,omitempty"`
	// Window is the number of elements of a window: memory of each rank, zero before the
	// launch, that all ranks can access. Its bytes after the launch are not compared.
	Window int `json:"window,omitempty"`
	// Context is set for the communication context of the rank.
	Context bool `json:"context,omitempty"`
}

// isBuffer reports whether the argument is a buffer that the case initializes and compares.
func (a *Arg) isBuffer() bool { return a.Scalar == nil && a.Window == 0 && !a.Context }

// Verdicts of a case.
const (
	// Results means that the program is legal and computes the expected bytes.
	Results = "results"
	// Rejected means that an implementation must reject the program before it runs.
	Rejected = "rejected"
	// Synchronized means that flags and barriers order all conflicting accesses of the
	// program, Hazard that they do not.
	Synchronized = "synchronized"
	Hazard       = "hazard"
)

// verdicts are all verdicts, each with the first argument with which it calls an adapter.
var verdicts = map[string]string{Results: "run", Rejected: "verify", Synchronized: "sync", Hazard: "sync"}

// check returns an error if a field of the case has a wrong value.
func (c *Case) check() error {
	switch {
	case c.ID == "", c.Requires == "", c.Program == "", len(c.Source) == 0:
		return errors.New("id, requires, source and program must not be empty")
	case c.Profile != "a3" && c.Profile != "a5":
		return fmt.Errorf("profile must be a3 or a5, but is %q", c.Profile)
	case verdicts[c.Verdict] == "":
		return fmt.Errorf("verdict must be results, rejected, synchronized or hazard, but is %q", c.Verdict)
	case len(c.Witnesses) < 2:
		return errors.New("a case needs two witnesses")
	case c.Verdict == Results && (c.Kernel == "" || c.Blocks < 1):
		return errors.New("a case with results needs a kernel and a number of blocks")
	case c.Verdict == Results && !slices.ContainsFunc(c.Args, func(a Arg) bool { return a.After != nil }):
		return errors.New("a case with results must change at least one buffer")
	}
	for i, a := range c.Args {
		switch {
		case !a.isBuffer() && (a.Before != nil || a.After != nil), a.After != nil && len(a.After) != len(a.Before):
			return fmt.Errorf("argument %d must be a scalar, a window, the context, or a buffer of one size", i)
		case c.Ranks == 0 && (a.Window > 0 || a.Context):
			return fmt.Errorf("argument %d is of a launch with ranks, but the case has none", i)
		case len(a.Before)%max(c.Ranks, 1) != 0:
			return fmt.Errorf("argument %d must have as many bytes on each of the %d ranks, but has %d", i, c.Ranks, len(a.Before))
		}
	}
	return nil
}

// mostLine is the maximum length of a line of a file of cases.
const mostLine = 16 << 20

// Read returns all cases of the suite in a folder, sorted by ID. It reads the files with
// the extension .jsonl in all folders below it. Each line is a case.
func Read(folder string) ([]*Case, error) {
	var cases []*Case
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, mostLine)
		for n := 1; lines.Scan(); n++ {
			c := &Case{}
			d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			d.DisallowUnknownFields()
			if err := errors.Join(d.Decode(c), c.check()); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
			cases = append(cases, c)
		}
		return lines.Err()
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(cases, func(a, b *Case) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	for i, c := range cases {
		if i > 0 && cases[i-1].ID == c.ID {
			return nil, fmt.Errorf("two cases have the ID %s", c.ID)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s has no cases", folder)
	}
	return cases, nil
}

// Write writes cases to a file, one in each line.
func Write(file string, cases []*Case) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, c := range cases {
		if err := errors.Join(c.check(), e.Encode(c)); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}
