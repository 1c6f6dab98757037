// This file answers the requests of a debug session.

package dap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/go-dap"

	"ptogo/ir"
	"ptogo/kernel/debug"
)

// Launch is a function that runs a kernel. The parameter args contains the command line:
// the options and the kernel. Launch writes the output of the kernel and the tool to out,
// and returns the exit code. Before the run begins, it calls attach with the stepper,
// which controls the run for the debugger, and with the module of the program.
type Launch func(args []string, out io.Writer, attach func(s *debug.Stepper, module *ir.Op)) (exit int)

// session is the state of one client of the Debug Adapter Protocol.
type session struct {
	// launch runs the kernel.
	launch Launch

	// mu guards out and seq.
	mu sync.Mutex
	// out is the connection to the client.
	out io.Writer
	// seq is the sequence number of the last message.
	seq int

	// args are the arguments of the command line.
	args []string
	// stopOnEntry makes the run stop before its first operation.
	stopOnEntry bool

	// run guards the following fields, which the goroutines of the client and of the
	// kernel's run share.
	run sync.Mutex
	// breaks are the breakpoints that the client has set.
	breaks []dap.SourceBreakpoint
	// ids is the number of breakpoints that have received an id.
	ids int
	// module is the program, or nil before the launch.
	module *ir.Op
	// watches are the memory ranges whose change stops the run.
	watches []string
	// changed reports whether breaks are newer than those of the stepper.
	changed bool
	// stopped reports whether the run waits for work.
	stopped bool
	// finished reports whether the run has ended.
	finished bool
	// work carries functions to the goroutine of the run. Each returns whether the run
	// should resume.
	work chan func(s *stop) (resume bool)
	// pause makes the run stop before its next operation.
	pause atomic.Bool
}

// Serve answers the requests of a client until it disconnects or the input ends. The
// function launch runs a kernel for a launch request.
func Serve(in io.Reader, out io.Writer, launch Launch) error {
	s := &session{launch: launch, out: out, work: make(chan func(*stop) bool)}
	r := bufio.NewReader(in)
	for {
		m, err := dap.ReadProtocolMessage(r)
		var unknown *dap.DecodeProtocolMessageFieldError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &unknown):
			s.refuseUnknown(unknown)
			continue
		case err != nil:
			return err
		}
		if req, ok := m.(dap.RequestMessage); ok && s.handle(req) {
			return nil
		}
	}
}

// send writes the message m to the client. number points to a field of m, the sequence
// number of the message, which send sets before it writes. The goroutines of the client
// and of the run both call send.
func (s *session) send(m dap.Message, number *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	*number = s.seq
	dap.WriteProtocolMessage(s.out, m) // a client that is gone ends the reader, too
}

// answer returns a response that reports success for a request. The caller adds the
// results to it.
func answer(req *dap.Request) dap.Response {
	return dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: req.Seq, Success: true, Command: req.Command}
}

// event returns the common fields of an event message.
func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

// refuse sends an error response to the request req, with a formatted message.
func (s *session) refuse(req *dap.Request, format string, args ...any) {
	r := &dap.ErrorResponse{Response: answer(req)}
	r.Success, r.Message = false, "failed"
	r.Body.Error = &dap.ErrorMessage{Id: 1, Format: ir.Visible(fmt.Sprintf(format, args...)), ShowUser: true}
	s.send(r, &r.Seq)
}

// refuseUnknown sends an error response to a request whose command is not part of the
// protocol.
func (s *session) refuseUnknown(unknown *dap.DecodeProtocolMessageFieldError) {
	r := &dap.ErrorResponse{Response: dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: unknown.Seq, Message: unknown.Error()}}
	s.send(r, &r.Seq)
}

// acknowledge sends a successful response without a result to the request req.
func (s *session) acknowledge(req *dap.Request) {
	r := &dap.ConfigurationDoneResponse{Response: answer(req)}
	s.send(r, &r.Seq)
}

// launchArguments is the configuration of a run by the client.
type launchArguments struct {
	Program string `json:"program"`
	// Args are options of pto-run, such as --arg, rand=32x64xf32.
	Args        []string `json:"args"`
	StopOnEntry bool     `json:"stopOnEntry"`
}

// handle answers a request and reports whether the session ends.
func (s *session) handle(m dap.RequestMessage) (ends bool) {
	head := m.GetRequest()
	switch req := m.(type) {
	case *dap.InitializeRequest:
		r := &dap.InitializeResponse{Response: answer(head), Body: dap.Capabilities{
			SupportsConfigurationDoneRequest: true, SupportsConditionalBreakpoints: true, SupportsEvaluateForHovers: true,
			SupportsStepBack: true, SupportsDataBreakpoints: true, SupportsSteppingGranularity: true, SupportsReadMemoryRequest: true,
			SupportsTerminateRequest: true,
		}}
		s.send(r, &r.Seq)
	case *dap.LaunchRequest:
		var a launchArguments
		if err := json.Unmarshal(req.Arguments, &a); err != nil || a.Program == "" {
			s.refuse(head, "a launch needs \"program\", the file of a kernel, and \"args\", a list of arguments of pto-run")
			return false
		}
		s.args, s.stopOnEntry = append([]string{a.Program}, a.Args...), a.StopOnEntry
		s.acknowledge(head)
		e := &dap.InitializedEvent{Event: event("initialized")}
		s.send(e, &e.Seq)
	case *dap.SetBreakpointsRequest:
		s.setBreakpoints(head, &req.Arguments)
	case *dap.SetDataBreakpointsRequest:
		s.setWatches(head, req.Arguments.Breakpoints)
	case *dap.SetExceptionBreakpointsRequest:
		s.acknowledge(head)
	case *dap.ConfigurationDoneRequest:
		s.acknowledge(head)
		if s.args == nil {
			s.refuse(head, "there is nothing to run: expected a launch request before")
			return false
		}
		go s.execute()
	case *dap.PauseRequest:
		s.pause.Store(true)
		s.acknowledge(head)
	case *dap.TerminateRequest, *dap.DisconnectRequest:
		s.acknowledge(head)
		return true
	case *dap.ThreadsRequest:
		s.threads(head)
	default:
		s.atStop(head, func(st *stop) bool { return st.handle(m) })
	}
	return false
}

// atStop executes f on the goroutine of the run and waits until it returns. If the run is
// not stopped, it refuses the request instead. f returns whether the run resumes.
func (s *session) atStop(req *dap.Request, f func(st *stop) bool) {
	s.run.Lock()
	stopped := s.stopped
	s.run.Unlock()
	if !stopped {
		s.refuse(req, "the kernel is not stopped")
		return
	}
	done := make(chan struct{})
	s.work <- func(st *stop) bool {
		defer close(done)
		resume := f(st)
		if resume {
			s.run.Lock()
			s.stopped = false
			s.run.Unlock()
		}
		return resume
	}
	<-done
}

// execute runs the kernel and reports its end to the client.
func (s *session) execute() {
	exit := s.launch(s.args, outputWriter{s}, s.attach)
	s.run.Lock()
	s.finished = true
	s.run.Unlock()
	e := &dap.ExitedEvent{Event: event("exited"), Body: dap.ExitedEventBody{ExitCode: exit}}
	s.send(e, &e.Seq)
	t := &dap.TerminatedEvent{Event: event("terminated")}
	s.send(t, &t.Seq)
}

// outputWriter sends the text that is written to it to the client as output events.
type outputWriter struct{ s *session }

// Write sends the bytes as an output event to the client of the debugger, which displays
// them as standard output of the program. It implements io.Writer and never returns an
// error.
func (w outputWriter) Write(b []byte) (int, error) {
	e := &dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: "stdout", Output: string(b)}}
	w.s.send(e, &e.Seq)
	return len(b), nil
}

// setBreakpoints replaces the breakpoints of a file. A run uses them from its next
// operation on. Before a run they are reported as unverified, because the program has not
// been read yet.
func (s *session) setBreakpoints(req *dap.Request, a *dap.SetBreakpointsArguments) {
	s.run.Lock()
	defer s.run.Unlock()
	if s.args != nil && a.Source.Path != "" && filepath.Base(a.Source.Path) != filepath.Base(s.args[0]) {
		s.refuse(req, "%s is not the program that runs", filepath.Base(a.Source.Path))
		return
	}
	s.breaks, s.changed = slices.Clone(a.Breakpoints), true
	r := &dap.SetBreakpointsResponse{Response: answer(req)}
	r.Body.Breakpoints = []dap.Breakpoint{}
	for i := range s.breaks {
		s.ids++
		b := dap.Breakpoint{Id: s.ids, Line: s.breaks[i].Line, Verified: true}
		if s.module != nil {
			if _, err := s.selector(&s.breaks[i]); err != nil {
				b.Verified, b.Message = false, err.Error()
			}
			b.Line = s.breaks[i].Line
		}
		r.Body.Breakpoints = append(r.Body.Breakpoints, b)
	}
	s.send(r, &r.Seq)
}

// selector converts a breakpoint of the debugger client to a breakpoint of the stepper.
// It moves the breakpoint to the first line, at or after the requested one, with an
// instruction. The condition of the breakpoint has the syntax of a selector, such as
// i=3,block=1. selector returns an error if the condition is malformed, or if there is no
// such line.
func (s *session) selector(b *dap.SourceBreakpoint) (sel debug.Selector, err error) {
	for _, line := range linesFrom(s.module, b.Line) {
		text := fmt.Sprint(line)
		if b.Condition != "" {
			text += "@" + b.Condition
		}
		if sel, err = debug.ParseSelector(text, nil); err != nil {
			return sel, err
		}
		if err = sel.Check(s.module); err == nil {
			b.Line = line
			return sel, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("there is no instruction in line %d or after it", b.Line)
	}
	return sel, err
}

// linesFrom returns the numbers of all source lines with operations from the given line
// on, in ascending order.
func linesFrom(module *ir.Op, line int) (lines []int) {
	for op := range module.Walk() {
		if l := debug.Line(op); l >= line {
			lines = append(lines, l)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// setWatches replaces the watched memory ranges, which have the form "ub 0 64": memory,
// first byte and number of bytes. A running kernel uses them after its next stop.
func (s *session) setWatches(req *dap.Request, list []dap.DataBreakpoint) {
	s.run.Lock()
	defer s.run.Unlock()
	s.watches = nil
	r := &dap.SetDataBreakpointsResponse{Response: answer(req)}
	r.Body.Breakpoints = []dap.Breakpoint{}
	for _, b := range list {
		s.ids++
		s.watches = append(s.watches, b.DataId)
		r.Body.Breakpoints = append(r.Body.Breakpoints, dap.Breakpoint{Id: s.ids, Verified: true})
	}
	s.send(r, &r.Seq)
}

// threads lists the cores of the launch. Before the launch it lists one thread, since
// clients expect at least one.
func (s *session) threads(req *dap.Request) {
	r := &dap.ThreadsResponse{Response: answer(req)}
	r.Body.Threads = []dap.Thread{{Id: 1, Name: "kernel"}}
	s.run.Lock()
	stopped := s.stopped
	s.run.Unlock()
	if stopped {
		s.atStop(req, func(st *stop) bool {
			r.Body.Threads = st.threads()
			return false
		})
	}
	s.send(r, &r.Seq)
}
