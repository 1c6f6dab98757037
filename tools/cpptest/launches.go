package cpptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"ptogo/ir"
	"ptogo/kernel"
)

// FrontendVariable is the environment variable that names a folder with kernels of a
// frontend.
const FrontendVariable = "PTO_FRONTEND"

// Launches reads the kernels below a folder that have arguments. Each folder contains
// kernel.pto, case.json and the arrays in0.npy, in1.npy and so on.
//
// It replaces floats by small numbers, whose sums are equal in any order. The C++ is
// generated with inserted synchronization and compiled for each kind of core.
func Launches(root string) ([]*Case, error) {
	files, err := filepath.Glob(filepath.Join(root, "*", "case.json"))
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for i, file := range files {
		dir := filepath.Dir(file)
		c, err := launch(dir, rand.New(rand.NewPCG(uint64(i), 5)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		if Filter().MatchString(c.Name) {
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// asFrontend returns the options with which the frontend calls the public compiler:
// level2 if the compiler assigns the addresses, otherwise level3.
func asFrontend(text string) []string {
	level := "level2"
	if strings.Contains(text, "addr =") {
		level = "level3"
	}
	return []string{"--as-ptoas", "--enable-insert-sync", "--pto-level=" + level}
}

func launch(dir string, r *rand.Rand) (*Case, error) {
	var says struct {
		Kernel, Arch string
		Args         []struct{ Type string }
	}
	text, err := os.ReadFile(filepath.Join(dir, "kernel.pto"))
	if err != nil {
		return nil, err
	}
	about, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err == nil {
		err = json.Unmarshal(about, &says)
	}
	if err != nil {
		return nil, err
	}
	name := filepath.Base(dir)
	source := &Source{Name: name, Text: string(text), Arch: says.Arch, Flags: asFrontend(string(text)), EachCore: true}
	c := &Case{Name: name, Kernel: says.Kernel, Source: source}
	prog, err := c.prepare()
	if err != nil {
		return nil, err
	}
	for i, p := range prog.Params() {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("in%d.npy", i)))
		if errors.Is(err, fs.ErrNotExist) && !p.IsPointer() {
			c.Args = append(c.Args, Arg{Elem: p.Type})
			continue
		}
		if err != nil {
			return nil, err
		}
		array, err := kernel.ReadNpy(data)
		if err != nil {
			return nil, err
		}
		elem := ir.ElementType(p.Type)
		if f, ok := formatOf(elem); ok && !f.IsInt() {
			array.Data = calmData(r, elem, len(array.Data))
		}
		c.Args = append(c.Args, Arg{Elem: elem, Data: array.Data})
	}
	return c, nil
}
