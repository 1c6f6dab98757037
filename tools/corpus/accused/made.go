package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/tools/corpus"
)

// The constants determine the arguments of a kernel for which no input data is known. A
// pointer argument receives a buffer of as many elements as the constant elements states.
// A scalar argument receives the number in the constant scalar.
const (
	elements = 1 << 18
	scalar   = "2"
)

// byHand maps each environment variable that names a checkout of public kernels to
// folders of this checkout, or to "" for the complete checkout. The authors of the
// kernels in these folders have placed flags and barriers themselves.
var byHand = map[string][]string{"PTO_GYM": {""}, "PTO_PTOAS": {"test/vpto", "test/kernel-test", "test/samples"}}

// makeUp runs those public kernels that contain hand-written synchronization, on
// generated arguments and under the checkers. It skips kernels for which the log file
// already contains a run. It appends the result of each run to the log file.
func makeUp(log string) error {
	runs, err := readLog(log)
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, r := range runs {
		done[r.File] = true
	}
	files, err := filesByHand()
	if err != nil {
		return err
	}
	for _, file := range files {
		if done[file] {
			continue
		}
		if err := launchAll(log, file); err != nil {
			return err
		}
	}
	return nil
}

// filesByHand returns the paths of all .pto files in the folders of public kernels that
// byHand lists. The authors of these kernels have placed flags and barriers themselves.
// Checkouts whose environment variable is not set are omitted.
func filesByHand() (files []string, err error) {
	for name, folders := range byHand {
		root := os.Getenv(name)
		if root == "" {
			continue
		}
		for _, folder := range folders {
			err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
				if err == nil && filepath.Ext(path) == ".pto" {
					files = append(files, path)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if files == nil {
		return nil, corpus.ErrNone
	}
	return files, nil
}

// launchAll runs the kernels of the program in a file if the program orders pipes
// explicitly, for example by flags. The kernels receive generated arguments, and checkers
// observe the runs. The first parameter is the path of a file to which launchAll appends
// a record of each run. launchAll returns an error if a file cannot be read or written.
// If a kernel cannot be compiled, launchAll prints the reason and continues with the next
// kernel.
func launchAll(log, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p := corpus.Program{Name: file, Text: string(text)}
	m, target := p.Read()
	if m == nil || !synchronizes(m) {
		return nil
	}
	for _, k := range runtime.Kernels(m) {
		built, err := kernel.Build(m.Clone(map[*ir.Value]*ir.Value{}), kernel.Options{Arch: sem.ProfileName(target), Kernel: fn.Name(k)})
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: @%s: %v\n", file, fn.Name(k), err)
			continue
		}
		args := []string{file, "--kernel=" + fn.Name(k), "--pto-arch=" + sem.ProfileName(target), "--timeout=20s"}
		for _, param := range built.Params() {
			args = append(args, "--arg="+argument(param))
		}
		if _, err := checked(log, file, args, io.Discard); err != nil {
			return err
		}
	}
	return nil
}

// argument returns a generated argument for the parameter p in the syntax of pto-run:
// random floats, and zeros for integers, which may be offsets.
func argument(p kernel.Param) string {
	if !p.IsPointer() {
		return scalar
	}
	elem := ir.ElementType(p.Type)
	how := "rand"
	if ir.Is[ir.IntegerType](elem) {
		how = "zeros"
	}
	return fmt.Sprintf("%s=%dx%s", how, elements, strings.TrimPrefix(elem.String(), "!pto."))
}

// ordering lists the instructions with which a program orders pipes explicitly. If a
// program contains none of them, but only queues or signals between ranks, the pass for
// synchronization must still order its pipes.
var ordering = []*ir.Def{
	isasync.SetFlag, isasync.SetFlagDyn, isasync.RecordEvent, isasync.GetBuf, isasync.GetBufDyn, isasync.Barrier, isasync.BarrierSync, isasync.TSync, isasync.MemBar,
	isasync.SyncSet, isasync.SetIntraBlock, isasync.SetCrossBlock, isasync.SetCrossCore,
}

// synchronizes reports whether a program orders pipes explicitly.
func synchronizes(m *ir.Op) bool {
	for op := range m.Walk() {
		if slices.ContainsFunc(ordering, op.Is) {
			return true
		}
	}
	return false
}
