// Command interop checks on public programs that the generic form is one
// language, whether we write it or mlir-opt does:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR go run ./tools/corpus/interop
//
// mlir-opt must take what we print of a legal program, and reading what it
// prints must give the same program. The names of values do not survive
// mlir-opt, so they do not count. Programs that mlir-opt cannot hold, however
// they are written, are counted on their own. The exit code is 1 if any
// program fails, 2 if nothing could be checked.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"ptogo/ir"
	"ptogo/tools/corpus"
)

func main() {
	tool := flag.String("mlir-opt", "mlir-opt-19", "the mlir-opt to compare with")
	filter := flag.String("filter", "", "only programs whose names match this regular expression")
	verbose := flag.Bool("v", false, "name also the programs that mlir-opt cannot hold")
	jobs := flag.Int("j", runtime.NumCPU(), "programs checked at a time")
	flag.Parse()
	path, err := exec.LookPath(*tool)
	if err != nil {
		stop(err)
	}
	wanted, err := regexp.Compile(*filter)
	if err != nil {
		stop(err)
	}
	programs, err := corpus.Programs()
	if err != nil {
		stop(err)
	}
	c := checker{mlirOpt: path, verbose: *verbose}
	var group sync.WaitGroup
	queue := make(chan corpus.Program)
	for range max(1, *jobs) {
		group.Go(func() {
			for p := range queue {
				c.check(p)
			}
		})
	}
	for _, p := range programs {
		if wanted.MatchString(p.Name) {
			queue <- p
		}
	}
	close(queue)
	group.Wait()
	fmt.Printf("%d programs are legal: %d agree, %d fail, %d are beyond mlir-opt; %d others are not looked at\n",
		c.agree+c.fail+c.beyond, c.agree, c.fail, c.beyond, c.illegal)
	switch {
	case c.fail > 0:
		os.Exit(1)
	case c.agree == 0:
		os.Exit(2)
	}
}

func stop(err error) {
	fmt.Fprintln(os.Stderr, "interop:", err)
	os.Exit(2)
}

// limits are what mlir-opt says to programs of a dialect it does not know:
//   - a memref takes only elements of dialects that are loaded, whatever
//     --allow-unregistered-dialect says;
//   - func.call looks for its function no further than the next operation with
//     one region, since an unknown operation might be a symbol table.
var limits = regexp.MustCompile(`^mlir-opt rejects .*\n.*error: ` +
	`(invalid memref element type|'func\.call' op '.*' does not reference a valid function)`)

// checker counts what becomes of programs.
type checker struct {
	mlirOpt string
	verbose bool

	mu                           sync.Mutex
	agree, fail, beyond, illegal int
}

func (c *checker) check(p corpus.Program) {
	m, target := p.Read()
	var why string
	if m != nil {
		why = c.compare(m, target)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case m == nil:
		c.illegal++
	case why == "":
		c.agree++
	case limits.MatchString(why):
		c.beyond++
		if c.verbose {
			fmt.Printf("%s: %s\n", p.Name, why)
		}
	default:
		c.fail++
		fmt.Printf("%s: %s\n", p.Name, why)
	}
}

// compare sends a program through mlir-opt and says how it comes back
// changed, or nothing.
func (c *checker) compare(m *ir.Op, target ir.Target) string {
	generic := ir.Bytes(m, ir.PrintOptions{Generic: true, Sequential: true})
	cmd := exec.Command(c.mlirOpt, "--allow-unregistered-dialect", "--mlir-print-op-generic")
	cmd.Stdin = bytes.NewReader(generic)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return fmt.Sprintf("mlir-opt rejects our generic form: %v\n%s", err, head(errs.String(), 3))
	}
	again, message := corpus.Read(out.String(), target)
	if again == nil {
		return "we reject mlir-opt's generic form: " + message
	}
	return difference(nameless(m), nameless(again))
}

// nameless prints a program with numbers for names.
func nameless(m *ir.Op) string {
	for op := range m.Walk() {
		for _, v := range op.Results() {
			v.SetName("")
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					v.SetName("")
				}
			}
		}
	}
	return string(ir.Bytes(m, ir.PrintOptions{Sequential: true}))
}

// difference shows the first lines that are not the same.
func difference(before, after string) string {
	if before == after {
		return ""
	}
	bs, as := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range min(len(bs), len(as)) {
		if bs[i] != as[i] {
			return fmt.Sprintf("line %d comes back changed\nbefore: %s\nafter:  %s", i+1, bs[i], as[i])
		}
	}
	return fmt.Sprintf("%d lines come back as %d", len(bs), len(as))
}

// head returns the first lines of a text.
func head(text string, lines int) string {
	all := strings.SplitAfter(text, "\n")
	return strings.Join(all[:min(lines, len(all))], "")
}
