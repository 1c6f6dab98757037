// Package serve answers the requests of pto-run --serve: it loads programs, launches them, and
// runs pto-opt and pto-run. Package internal/serve defines the protocol.
package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/opt"
	"ptogo/internal/cli/report"
	"ptogo/internal/cli/run"
	"ptogo/internal/serve"
	"ptogo/internal/temporary"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/kernel"
)

// Requests implements pto-run --serve: it answers requests on standard input until
// the input ends. Package internal/serve defines the protocol.
func Requests(t *files.Console) int {
	if t.In == os.Stdin {
		go endWithParent()
	}
	limit.TuneCollectorForMany()
	s := &session{memory: limit.NewPool()}
	server := serve.Server{Methods: map[string]serve.Handler{
		"initialize": s.initialize, "load": s.load, "run": s.run, "tool": s.tool, "forget": s.forget,
	}}
	defer temporary.OnInterrupt(server.CancelAll)() // interrupts are for the requests that run
	if err := server.Serve(t.In, report.Raw(t.Out)); err != nil {
		return t.Fail("--serve: %v", err)
	}
	return exit.OK
}

// endWithParent ends the process when its parent process has ended. The end of standard
// input is not sufficient, because another child of the parent may still hold the pipe
// open.
func endWithParent() {
	parent := os.Getppid()
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	os.Exit(exit.OK)
}

// session is the state that all requests of a serving process share.
type session struct {
	files    serve.Files
	programs run.Programs
	memory   *limit.Pool
}

func params[T any](raw json.RawMessage) (p T, err error) {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, &serve.Error{Code: serve.CodeInvalidParams, Message: err.Error()}
	}
	return p, nil
}

func (s *session) initialize(_ context.Context, raw json.RawMessage) (any, error) {
	p, err := params[struct {
		Version int `json:"version"`
	}](raw)
	if err == nil && p.Version < 1 {
		err = &serve.Error{Code: serve.CodeInvalidParams, Message: "initialize needs the protocol version"}
	}
	return map[string]any{"version": serve.Version, "tool": version.Text(), "pid": os.Getpid()}, err
}

func (s *session) forget(_ context.Context, raw json.RawMessage) (any, error) {
	p, err := params[struct {
		File string `json:"file"`
	}](raw)
	if err == nil {
		s.files.Forget(p.File)
	}
	return struct{}{}, err
}

// loadResult is the answer to a request that loads a kernel.
type loadResult struct {
	run.Result
	// Program is the id by which later requests refer to the loaded program.
	Program  string      `json:"program,omitempty"`
	Kernel   string      `json:"kernel,omitempty"`
	Arch     string      `json:"arch,omitempty"`
	Params   []loadParam `json:"params,omitempty"`
	Declared int         `json:"declared,omitempty"`
}

type loadParam struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Elem string `json:"elem,omitempty"`
}

func (s *session) load(ctx context.Context, raw json.RawMessage) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, limit.DefaultTimeout)
	defer cancel()
	p, err := params[struct {
		Name, Text, Arch, Kernel string
		SoftLib                  bool `json:"soft_lib"`
		Arguments                int
		MaxMemory                string `json:"max_memory"`
		// Original is the source of which passes have made the text, if they have.
		Original *struct{ Name, Text string }
	}](raw)
	if err != nil {
		return nil, err
	}
	most := limit.DefaultMaxMemory
	if p.MaxMemory != "" {
		if err := most.Set(p.MaxMemory); err != nil {
			return nil, fmt.Errorf("'%s' is not a value for max_memory: %w", p.MaxMemory, err)
		}
	}
	src := &ir.Source{Name: cmp.Or(p.Name, "<string>"), Text: p.Text}
	size := len(p.Text)
	options := kernel.Options{Arch: p.Arch, Kernel: p.Kernel, SoftLib: p.SoftLib, Arguments: p.Arguments}
	if p.Original != nil {
		options.Original = &ir.Source{Name: p.Original.Name, Text: p.Original.Text}
		size += len(p.Original.Text)
	}
	var l *run.Loaded
	r := loadResult{}
	r.Result = unlessCancelled(ctx, "pto-run", func() run.Result {
		c := run.NewRequest(ctx, s.memory)
		c.MaxMemory = limit.MemoryOf(most)
		return c.Result(func() int {
			if int64(size) > int64(c.TextLimit().Bytes) {
				return c.Fail("%v", c.ExplainLimit(limit.TooLarge(c.TextLimit())))
			}
			release, err := c.ReserveText(size)
			if err != nil {
				return c.Fail("%v", err)
			}
			defer release()
			read, err := s.programs.Load(src, options)
			if err != nil {
				return c.Failed(err)
			}
			c.ReportAll(read.Program.Warnings)
			l = read
			return exit.OK
		})
	})
	if r.Exit == exit.OK {
		r.Program, r.Kernel, r.Arch = l.ID, l.Program.Name(), sem.ProfileName(cmp.Or(l.Program.Target, ir.TargetOf(l.Program.Module)))
		r.Declared = l.Program.Declared
		for _, q := range l.Program.Params() {
			param := loadParam{Name: q.Name, Type: q.Type.String()}
			if q.IsPointer() {
				param.Elem = ir.ElementType(q.Type).String()
			}
			r.Params = append(r.Params, param)
		}
	}
	return r, nil
}

// runParams are the parameters of a request that launches a loaded kernel.
type runParams struct {
	Program string
	Args    []json.RawMessage
	Flags   map[string]any
}

func (s *session) run(ctx context.Context, raw json.RawMessage) (any, error) {
	p, err := params[runParams](raw)
	if err != nil {
		return nil, err
	}
	l := s.programs.Get(p.Program)
	if l == nil {
		return nil, &serve.Error{Code: serve.CodeUnknownProgram, Message: "the program is no longer loaded: load it again"}
	}
	c := run.NewRequest(ctx, s.memory)
	return c.Result(func() int {
		return c.RunLoaded(l, p.Flags, func() ([]run.ArgSource, error) { return s.arguments(p.Args) })
	}), nil
}

// tool runs a tool with the command line in a request, and returns the answer.
func (s *session) tool(ctx context.Context, raw json.RawMessage) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, limit.DefaultTimeout)
	defer cancel()
	p, err := params[toolParams](raw)
	if err != nil {
		return nil, err
	}
	if p.Name != "pto-opt" && p.Name != "pto-run" {
		return nil, &serve.Error{Code: serve.CodeInvalidParams, Message: fmt.Sprintf("there is no tool '%s'", p.Name)}
	}
	return unlessCancelled(ctx, p.Name, func() run.Result { return p.run(ctx, s.memory) }), nil
}

// toolParams are the parameters of a request that runs a tool: its name and its command
// line.
type toolParams struct {
	// Name is the name of the tool, Argv its command line, and Stdin its standard input.
	Name  string
	Argv  []string
	Stdin string
	// Source is the name of standard input in diagnostics.
	Source string
}

// The maximum size of the output in an answer, in bytes, and the error for larger
// output.
const (
	mostAnswer      = 128 << 20
	textLargeAnswer = "the output is larger than 128MiB, the limit for an answer; -o writes it to a file"
)

func (p *toolParams) run(ctx context.Context, memory *limit.Pool) run.Result {
	var out, errs bytes.Buffer
	console := files.NewConsole(strings.NewReader(p.Stdin), files.NewLimited(&out, mostAnswer, textLargeAnswer), &errs, p.Name)
	console.InName, console.Serving, console.Pool, console.Cancelled = p.Source, true, memory, ctx.Done()
	argv := append([]string{"--diagnostics=json"}, p.Argv...)
	var r run.Result
	if p.Name == "pto-opt" {
		r.Exit = opt.Command(console, argv)
	} else {
		r.Exit = run.Command(console, Requests, argv)
	}
	r.Stdout = out.String()
	collect := report.NewMachine(p.Name, func(d report.JSONDiag) { r.Diagnostics = append(r.Diagnostics, d) })
	for line := range bytes.Lines(errs.Bytes()) {
		var d report.JSONDiag
		if json.Unmarshal(line, &d) == nil {
			r.Diagnostics = append(r.Diagnostics, d)
			continue
		}
		collect.Write(line) // of a command line that was wrong before its form was known
	}
	return r
}
