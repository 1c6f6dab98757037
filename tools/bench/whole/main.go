// Command whole measures the time from the text of a kernel to its result, on both engines:
//
//	go run ./tools/bench/whole [-engine go|llvm] [-level 0..3] [-largest N] DIR
//	go run ./tools/bench/whole -checked [-largest N] DIR
//
// DIR has a folder for each kernel, with kernel.pto, the bits of its arguments as
// in0.npy, in1.npy, ..., and case.json, which names the kernel and the profile.
// Other kernels below DIR, each in a file NAME.pto, have no arguments. They are planned or
// compiled, but not executed. The command prints the total time of each stage, and the
// times of the largest texts.
//
// Each kernel runs through all stages several times, and the fastest time counts. With
// -level, each kernel is compiled once at that level, into a cache that is empty at first.
// With -checked, the command instead compares launches with all checkers and without them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ptogo/codegen/jit"
	"ptogo/kernel"
	"ptogo/runtime"
)

func main() {
	engine := flag.String("engine", "go", "engine that executes: go or llvm")
	largest := flag.Int("largest", 20, "how many of the largest texts to list")
	rounds := flag.Int("n", 3, "how often each kernel is taken through all parts")
	checked := flag.Bool("checked", false, "compare launches with all checkers and without them, on the Go engine")
	level := flag.String("level", "", "optimization level of -engine llvm, 0 to 3, for kernels that are in no cache")
	flag.Parse()
	if flag.NArg() != 1 || *engine != "go" && *engine != "llvm" {
		fmt.Fprintln(os.Stderr, "usage: whole [-engine go|llvm] [-level 0..3] [-largest N] [-n ROUNDS] DIR")
		os.Exit(2)
	}
	if *checked {
		listCosts(kernels(flag.Arg(0)), *rounds, *largest)
		return
	}
	var compile jit.Options
	if *level != "" { // compiling is what is measured
		cache, err := os.MkdirTemp("", "whole")
		if err != nil {
			fmt.Fprintln(os.Stderr, "whole:", err)
			os.Exit(1)
		}
		defer os.RemoveAll(cache)
		compile, *rounds = jit.Options{Level: *level, Cache: cache}, 1
	}
	var all []result
	for _, path := range kernels(flag.Arg(0)) {
		r, err := measure(path, *engine, *rounds, compile)
		if err != nil {
			fmt.Fprintf(os.Stderr, "whole: %s: %v\n", path, err)
			continue
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		fmt.Fprintln(os.Stderr, "whole: no kernel was executed")
		os.Exit(1)
	}
	total(all)
	slices.SortFunc(all, func(a, b result) int { return b.size - a.size })
	list(all[:min(*largest, len(all))])
}

// kernels returns the paths of all .pto files below a folder.
func kernels(dir string) (paths []string) {
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".pto" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "whole:", err)
	}
	return paths
}

// The stages whose time the benchmark measures, from the source text to the result.
const (
	parse  = iota
	verify // and lower
	plan   // or compile
	run
	parts
)

var partNames = [parts]string{"parse", "verify and lower", "plan or compile", "run"}

// result holds the times of all stages for one kernel.
type result struct {
	name string
	// size is the size of the source text in bytes.
	size         int
	instructions int
	took         [parts]time.Duration
}

func (r *result) sum() (t time.Duration) {
	for _, d := range r.took {
		t += d
	}
	return t
}

// input is a kernel with its arguments, as read from its folder.
type input struct {
	name, text, kernel, arch string
	runs                     bool
	args                     [][]byte
	compile                  jit.Options
}

func read(path string) (*input, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	in := &input{name: strings.TrimSuffix(filepath.Base(path), ".pto"), text: string(text)}
	data, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return in, nil
	}
	var c struct {
		Kernel, Arch string
		Args         []json.RawMessage
	}
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return nil, err
	}
	in.name, in.kernel, in.arch, in.runs = filepath.Base(dir), c.Kernel, c.Arch, true
	for i := range c.Args {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("in%d.npy", i)))
		if err != nil {
			return nil, err
		}
		a, err := kernel.ReadNpy(data)
		if err != nil {
			return nil, err
		}
		in.args = append(in.args, a.Data)
	}
	return in, nil
}

// measure runs the kernel in the file at the given path through all stages of the tools,
// as many times as rounds states, and returns the shortest time of each stage. compile
// holds the options of the compiler.
func measure(path, engine string, rounds int, compile jit.Options) (result, error) {
	in, err := read(path)
	if err != nil {
		return result{}, err
	}
	in.compile = compile
	best := result{name: in.name, size: len(in.text)}
	if in.runs {
		if best.instructions, err = count(in); err != nil {
			return best, err
		}
	}
	execute := onGo
	if engine == "llvm" {
		execute = onLLVM
	}
	for i := range rounds {
		took, err := once(in, execute)
		if err != nil {
			return best, err
		}
		for part, d := range took {
			if i == 0 || d < best.took[part] {
				best.took[part] = d
			}
		}
	}
	return best, nil
}

// once runs the kernel that the parameter in describes through all stages once, and
// returns the time of each stage. The function execute plans or compiles the kernel and
// runs it. It returns one time for planning or compiling and one for running.
func once(in *input, execute func(*kernel.Program, *input) (plan, run time.Duration, err error)) (took [parts]time.Duration, err error) {
	p, parsing, checking, err := in.load()
	if err != nil {
		return took, err
	}
	took[parse], took[verify] = parsing, checking
	took[plan], took[run], err = execute(p, in)
	return took, err
}

// total prints the total size, instruction count and times of all kernels.
func total(all []result) {
	var sum result
	for _, r := range all {
		sum.size += r.size
		sum.instructions += r.instructions
		for part, d := range r.took {
			sum.took[part] += d
		}
	}
	fmt.Printf("%d kernels, %d KB of text, %d instructions executed\n\n", len(all), sum.size/1000, sum.instructions)
	fmt.Println("| | ms | share |\n|---|---|---|")
	for part, d := range sum.took {
		fmt.Printf("| %s | %.1f | %.0f%% |\n", partNames[part], d.Seconds()*1e3, 100*d.Seconds()/sum.sum().Seconds())
	}
	fmt.Printf("| kernels per second, from text to result | %.0f | |\n", float64(len(all))/sum.sum().Seconds())
	if sum.instructions == 0 {
		fmt.Println()
		return
	}
	fmt.Printf("| instructions per second, running alone | %.2f million | |\n\n", float64(sum.instructions)/sum.took[run].Seconds()/1e6)
}

// list prints a table with the time of each stage, one row for each kernel.
func list(rs []result) {
	fmt.Println("| kernel | KB | instructions | parse | verify and lower | plan or compile | run | ms in all |\n|---|---|---|---|---|---|---|---|")
	for _, r := range rs {
		fmt.Printf("| %s | %d | %d |", r.name, r.size/1000, r.instructions)
		for _, d := range r.took {
			fmt.Printf(" %.0f%% |", 100*d.Seconds()/r.sum().Seconds())
		}
		fmt.Printf(" %.2f |\n", r.sum().Seconds()*1e3)
	}
}

// counter is a listener that counts the executed instructions of all pipes.
type counter struct{ n int }

func (*counter) Begin(*runtime.Launch) {}
func (*counter) End(*runtime.Fault)    {}
func (c *counter) Event(e *runtime.Event) {
	if e.Kind == runtime.Instruction {
		c.n++
	}
}
