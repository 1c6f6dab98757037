// Package mcpserver is a server of the Model Context Protocol (MCP), with which agents
// check, run, prove, compare, time and improve PTO kernels.
//
//	server.go   the tools, their parameters and their answers
//	review.go   the comparison of a kernel and its tests before and after a change
//	execute.go  the processes that execute pto-opt and pto-run
//	files.go    the files that a request may name
//
// Each request starts a process of its own, so a kernel that exceeds a limit ends with an
// error of this request only.
package mcpserver

import (
	"context"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"ptogo/internal/version"
)

// Source are the parameters that name a program.
type Source struct {
	Program string `json:"program,omitempty" jsonschema:"the text of the program in MLIR syntax (.pto)"`
	File    string `json:"file,omitempty" jsonschema:"instead of program: a file in the folder of the server, .pto or C++"`
	Target  string `json:"target,omitempty" jsonschema:"a3 (A2/A3) or a5; the default is what the program states, else a3"`
}

// Launch are the parameters of tools that run a kernel.
type Launch struct {
	Source
	Kernel string   `json:"kernel,omitempty" jsonschema:"the kernel, if the program has several"`
	Args   []string `json:"args" jsonschema:"one for each parameter: rand=32x64xf32,seed=1 or zeros=32x64xf32 or ones=, iota=, fill=1.5,32x64xf32 for pointers, in=x.npy or out=y.npy:32x64xf32 for files, 2.0 for scalars"`
	Blocks int      `json:"blocks,omitempty" jsonschema:"number of blocks; the default is 1"`
}

// Checked are the parameters of the tool check.
type Checked struct {
	Launch
	Checks string `json:"checks,omitempty" jsonschema:"checkers with commas between them: race, sync, init, mem, device, output, redundant; the default is all but redundant"`
	Orders int    `json:"orders,omitempty" jsonschema:"number of further runs, each with another order of the pipes"`
}

// Ran are the parameters of the tool run.
type Ran struct {
	Launch
	Expect []string `json:"expect,omitempty" jsonschema:"comparisons with reference files, such as 1=want.npy,rtol=1e-5"`
	Print  bool     `json:"print,omitempty" jsonschema:"whether the answer contains the arrays after the run"`
}

// Advised are the parameters of the tool advise.
type Advised struct {
	Launch
	Write  bool   `json:"write,omitempty" jsonschema:"whether the answer contains the faster program after the report"`
	Tries  int    `json:"tries,omitempty" jsonschema:"maximum number of variants to predict; the default is 200"`
	Modulo string `json:"modulo,omitempty" jsonschema:"reassociation: sums may have another order"`
}

// Compared are the parameters of the tool equivalence.
type Compared struct {
	Launch
	Other  string `json:"other" jsonschema:"the text of the other program, with the same kernel"`
	Modulo string `json:"modulo,omitempty" jsonschema:"reassociation: sums may have another order"`
}

// Explained are the parameters of the tool explain.
type Explained struct {
	Name string `json:"name" jsonschema:"an instruction such as tadd, a pass, a code such as PTO1601, or a word to search for"`
}

// Answer is the result of each tool.
type Answer struct {
	OK      bool   `json:"ok" jsonschema:"whether the exit code is 0"`
	Exit    int    `json:"exit" jsonschema:"0 done, 1 the program is wrong, 2 the request is wrong, 3 results differ, 4 the kernel faulted, 5 a checker or the proof has a report"`
	Verdict string `json:"verdict" jsonschema:"the exit code in words"`
	Text    string `json:"text" jsonschema:"what the tool printed"`
	Cut     bool   `json:"cut,omitempty" jsonschema:"whether the text is longer than the answer; the first errors are in it"`
}

// instructions is the text about the server that clients pass to their model.
const instructions = `Tools for kernels of the PTO tile ISA (Ascend NPUs), which run without hardware.
Work in this order: check until there are no reports, run with expect against a reference from another
implementation than the kernel, prove for all arguments, then time and advise. Review each change of a test. A passing check is about the arguments of that run only. Each
error has a place, and most have a note with the way out. Use explain for the operands and types of an instruction.`

// New returns the server. The programs and arrays of its requests are in the folder root.
func New(root string) (*mcp.Server, error) {
	files, err := openFiles(root)
	if err != nil {
		return nil, err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "pto-mcp", Version: version.Text()}, &mcp.ServerOptions{Instructions: instructions})
	add(s, "check", "Runs a kernel under checkers: races, synchronization, uninitialised memory, bounds, results.", func(ctx context.Context, p Checked) (Answer, error) {
		checks := p.Checks
		if checks == "" {
			checks = "all"
		}
		more := []string{"--check=" + checks}
		if p.Orders > 0 {
			more = append(more, fmt.Sprintf("--schedule=random:%d", p.Orders))
		}
		return files.launch(ctx, p.Launch, more...)
	})
	add(s, "run", "Runs a kernel and compares its results with reference files.", func(ctx context.Context, p Ran) (Answer, error) {
		var more []string
		for _, e := range p.Expect {
			if err := files.inside(e); err != nil {
				return Answer{}, err
			}
			more = append(more, "--expect="+e)
		}
		if p.Print {
			more = append(more, "--print")
		}
		return files.launch(ctx, p.Launch, more...)
	})
	add(s, "time", "Predicts the time of a kernel on the device, with its critical path and what would shorten it.", func(ctx context.Context, p Launch) (Answer, error) {
		return files.launch(ctx, p, "--timing")
	})
	add(s, "advise", "Makes a kernel faster: tries passes and numbers of blocks, verifies each step, and reports what each step brought.", func(ctx context.Context, p Advised) (Answer, error) {
		more := []string{"--advise"}
		if p.Write {
			more = append(more, "-o", "-")
		}
		if p.Tries > 0 {
			more = append(more, fmt.Sprintf("--advise-tries=%d", p.Tries))
		}
		if p.Modulo != "" {
			more = append(more, "--advise-modulo="+p.Modulo)
		}
		return files.launch(ctx, p.Launch, more...)
	})
	add(s, "equivalence", "Proves that two programs compute the same bytes for all data of these shapes, or shows a difference.", func(ctx context.Context, p Compared) (Answer, error) {
		other, remove, err := files.temporary(p.Other)
		if err != nil {
			return Answer{}, err
		}
		defer remove()
		more := []string{"--equivalent=" + other}
		if p.Modulo != "" {
			more = append(more, "--modulo="+p.Modulo)
		}
		return files.launch(ctx, p.Launch, more...)
	})
	add(s, "verify", "Checks a program for a target without running it, and names the way out of each error.", func(ctx context.Context, p Source) (Answer, error) {
		return files.examine(ctx, p, "-o", "/dev/null")
	})
	add(s, "prove", "Proves for all arguments that no access of a kernel races, or names the hazard or what is not checked.", func(ctx context.Context, p Source) (Answer, error) {
		return files.examine(ctx, p, "--verify-sync", "-o", "/dev/null")
	})
	add(s, "synchronize", "Writes the program with addresses and with the flags and barriers that it needs.", func(ctx context.Context, p Source) (Answer, error) {
		return files.examine(ctx, p, "--enable-insert-sync")
	})
	add(s, "review", "Compares a kernel and its tests before and after a change, and names what makes the tests weaker.", files.review)
	add(s, "explain", "Explains an instruction, a pass or a code of a message.", func(ctx context.Context, p Explained) (Answer, error) {
		return execute(ctx, files.root, "", "pto-opt", []string{"--explain=" + p.Name})
	})
	return s, nil
}

// add adds a tool whose answer is an Answer. The answer is text too, for clients without
// structured results.
func add[In any](s *mcp.Server, name, doc string, f func(context.Context, In) (Answer, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: doc}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Answer, error) {
		a, err := f(ctx, in)
		if err != nil {
			return nil, a, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.Verdict + "\n" + a.Text}}}, a, nil
	})
}

// Main runs the server on standard input and output until the client ends it, and returns
// the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 1 && args[0] == toolFlag {
		return tools[args[1]](args[2:], stdin, stdout, stderr)
	}
	fs := pflag.NewFlagSet("pto-mcp", pflag.ContinueOnError)
	fs.SetOutput(stderr)
	root := fs.String("root", ".", "folder of the programs and arrays that requests may name")
	showVersion := fs.Bool("version", false, "print the version and exit")
	fs.Usage = func() {
		fmt.Fprintf(stderr, "pto-mcp is a server of the Model Context Protocol on standard input and output\n(docs/agents.md).\n\nUsage: pto-mcp [--root DIR]\n\n%s", fs.FlagUsages())
	}
	if err := fs.Parse(args); err == pflag.ErrHelp {
		return 0
	} else if err != nil {
		fmt.Fprintf(stderr, "pto-mcp: error: %v\n", err)
		return 2
	}
	if *showVersion {
		fmt.Fprintln(stdout, version.Text())
		return 0
	}
	s, err := New(*root)
	if err == nil {
		err = s.Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(stdin), Writer: nopCloser{stdout}})
	}
	if err != nil {
		fmt.Fprintf(stderr, "pto-mcp: error: %v\n", err)
		return 1
	}
	return 0
}

// nopCloser is a writer whose Close does nothing.
type nopCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }
