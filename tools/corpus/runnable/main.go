// Command runnable says how many public kernels the runtime can plan and the
// code generator can write, and what keeps the others back:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR go run ./tools/corpus/runnable
//
// Nothing is executed: a kernel counts as planned if every operation it
// reaches has a meaning that the runtime executes.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"

	"ptogo/codegen/llvm"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/tools/corpus"
)

func main() {
	filter := flag.String("filter", "", "only programs whose names match this regular expression")
	llvm := flag.Bool("llvm", false, "ask the code generator instead of the runtime")
	top := flag.Int("top", 40, "how many causes to show")
	flag.Parse()
	wanted, err := regexp.Compile(*filter)
	if err != nil {
		stop(err)
	}
	programs, err := corpus.Programs()
	if err != nil {
		stop(err)
	}
	c := counter{causes: map[string]*cause{}, try: plan}
	if *llvm {
		c.try = write
	}
	for _, p := range programs {
		if wanted.MatchString(p.Name) {
			c.program(p)
		}
	}
	fmt.Printf("%d legal programs: %d kernels go, %d do not, %d programs do not lower; %d programs are not legal or have no kernel\n",
		c.legal, c.good, c.bad, c.unlowered, c.other)
	c.report(*top)
}

func stop(err error) {
	fmt.Fprintln(os.Stderr, "runnable:", err)
	os.Exit(2)
}

// counter counts kernels, and those that do not go by cause.
type counter struct {
	try                                func(module *ir.Op, kernel *ir.Op, target ir.Target, diags *ir.Diags)
	legal, good, bad, unlowered, other int
	causes                             map[string]*cause
}

// cause is a message, without its numbers, and who gets it.
type cause struct {
	kernels int
	example string
}

func (c *counter) program(p corpus.Program) {
	m, target := p.Read()
	if m == nil || len(runtime.Kernels(m)) == 0 {
		c.other++
		return
	}
	c.legal++
	var diags ir.Diags
	if !corpus.Lower(m, target, &diags) {
		c.unlowered++
		c.blame(p.Name, &diags)
		return
	}
	for _, k := range runtime.Kernels(m) {
		var diags ir.Diags
		c.try(m, k, target, &diags)
		if diags.HasErrors() {
			c.bad++
			c.blame(p.Name, &diags)
		} else {
			c.good++
		}
	}
}

var (
	number = regexp.MustCompile(`\d+`)
	tile   = regexp.MustCompile(`!pto\.\w+(<[^<>]*(<[^<>]*>[^<>]*)*>)?`)
	symbol = regexp.MustCompile(`@\w+`)
)

// blame counts the first error, and each kind of error once.
func (c *counter) blame(name string, diags *ir.Diags) {
	seen := map[string]bool{}
	for _, d := range diags.All() {
		if d.Severity != ir.Error {
			continue
		}
		text := tile.ReplaceAllString(d.Text, "TYPE")
		text = symbol.ReplaceAllString(number.ReplaceAllString(text, "N"), "@F")
		if seen[text] {
			continue
		}
		seen[text] = true
		if c.causes[text] == nil {
			c.causes[text] = &cause{example: name}
		}
		c.causes[text].kernels++
	}
}

func (c *counter) report(top int) {
	texts := slices.SortedFunc(maps.Keys(c.causes), func(a, b string) int {
		return cmp.Or(c.causes[b].kernels-c.causes[a].kernels, cmp.Compare(a, b))
	})
	for _, t := range texts[:min(top, len(texts))] {
		fmt.Printf("%5d  %s  (%s)\n", c.causes[t].kernels, t, c.causes[t].example)
	}
}

// plan asks the runtime.
func plan(m, kernel *ir.Op, target ir.Target, diags *ir.Diags) {
	runtime.Plan(m, []*ir.Op{kernel}, runtime.Options{Target: target}, diags)
}

// write asks the code generator, which always takes the whole program.
func write(m, _ *ir.Op, target ir.Target, diags *ir.Diags) {
	llvm.Emit(io.Discard, m, llvm.Options{Target: target}, diags)
}
