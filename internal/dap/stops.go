// This file describes where the program has stopped.

package dap

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/go-dap"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/kernel/debug"
	"ptogo/runtime"
)

// stop is the state while the run is stopped. Only the goroutine of the run uses it.
type stop struct {
	*session
	// stepper has stopped the run.
	stepper *debug.Stepper
	// event describes the operation that will execute next.
	event *runtime.Event
	// values are the values of the current function. They are valid if known is true.
	values []debug.NamedArray
	// known reports whether values has been computed.
	known bool
}

// attach connects the stepper of a run with the session, before the run begins.
func (s *session) attach(stepper *debug.Stepper, module *ir.Op) {
	s.run.Lock()
	s.module, s.changed = module, true
	s.run.Unlock()
	entered := false
	stepper.Poll = func() bool {
		s.refresh(stepper)
		return s.pause.Swap(false)
	}
	stepper.Stopped = func(e *runtime.Event, why string) {
		if !entered {
			entered = true
			if why == "step" && !s.stopOnEntry {
				return
			}
			if why == "step" {
				why = "entry"
			}
		}
		s.wait(&stop{session: s, stepper: stepper, event: e}, why)
	}
	stepper.Ended = func(f *runtime.Fault) {
		if f != nil {
			outputWriter{s}.Write([]byte(f.Diag().Format()))
		}
	}
}

// refresh passes changed breakpoints and watches to the stepper, which controls the run.
// If a breakpoint is not valid, refresh prints a message on the console of the client.
func (s *session) refresh(stepper *debug.Stepper) {
	s.run.Lock()
	defer s.run.Unlock()
	if !s.changed {
		return
	}
	s.changed = false
	var breaks []debug.Selector
	for i := range s.breaks {
		sel, err := s.selector(&s.breaks[i])
		if err != nil {
			outputWriter{s}.Write([]byte(fmt.Sprintf("the breakpoint of line %d never stops: %v\n", s.breaks[i].Line, err)))
			continue
		}
		breaks = append(breaks, sel)
	}
	stepper.SetBreaks(breaks)
}

// watchMemory passes the memory ranges that the client watches to the stepper. The run
// must be stopped at an operation, because the sizes of memories are known only during a
// run.
func (st *stop) watchMemory() {
	st.run.Lock()
	watches := st.watches
	st.run.Unlock()
	st.stepper.ClearWatches()
	for _, w := range watches {
		if _, err := st.stepper.Command(st.event, "watch "+w); err != nil {
			outputWriter{st.session}.Write([]byte(err.Error() + "\n"))
		}
	}
}

// wait informs the debugger client that the run has stopped, and executes requests of the
// client until one of them resumes the run. The parameter why is the reason that the
// client shows.
func (s *session) wait(st *stop, why string) {
	s.run.Lock()
	s.stopped = true
	s.run.Unlock()
	e := &dap.StoppedEvent{Event: event("stopped"), Body: dap.StoppedEventBody{
		Reason: why, ThreadId: st.thread(st.event.Core), AllThreadsStopped: true,
		Description: fmt.Sprintf("before operation %d%s", st.stepper.Number(), in(st.event.Where())),
	}}
	s.send(e, &e.Seq)
	for f := range s.work {
		if f(st) {
			st.watchMemory()
			return
		}
	}
}

// in returns the end of a message about a stop: a comma, a blank and the text in the
// parameter where, which is the position of the stop. It returns "" if this text is
// empty.
func in(where string) string {
	if where == "" {
		return ""
	}
	return ", " + where
}

// thread returns the number of a core, counted from 1. The debugger client treats cores
// as threads and identifies them by this number.
func (st *stop) thread(c *runtime.CoreInfo) int {
	launch := st.stepper.Launch()
	for i := range launch.Cores {
		if &launch.Cores[i] == c {
			return i + 1
		}
	}
	return 1
}

// threads returns the cores of the launch.
func (st *stop) threads() []dap.Thread {
	launch := st.stepper.Launch()
	var list []dap.Thread
	for i := range launch.Cores {
		list = append(list, dap.Thread{Id: i + 1, Name: launch.CoreName(&launch.Cores[i])})
	}
	return list
}

// resume answers a request that continues the run. command is the debugger command that
// determines the next stop; "" continues to the next breakpoint. It returns true if the
// run continues. If the stepper rejects the command, resume refuses the request and
// returns false.
func (st *stop) resume(req *dap.Request, command string) bool {
	if command != "" {
		if _, err := st.stepper.Command(st.event, command); err != nil {
			st.refuse(req, "%v", err)
			return false
		}
	}
	st.acknowledge(req)
	return true
}

// handle answers a request that requires a stopped run, and reports whether the run
// resumes. A step over a line stays on its core; a step into executes one operation of
// any core; a step out continues to the next iteration of the loop.
func (st *stop) handle(m dap.RequestMessage) (resume bool) {
	head := m.GetRequest()
	switch req := m.(type) {
	case *dap.ContinueRequest:
		r := &dap.ContinueResponse{Response: answer(head), Body: dap.ContinueResponseBody{AllThreadsContinued: true}}
		st.send(r, &r.Seq)
		return true
	case *dap.NextRequest:
		if req.Arguments.Granularity == "instruction" {
			return st.resume(head, "step")
		}
		st.stepper.StepLine(st.event)
		return st.resume(head, "")
	case *dap.StepInRequest:
		return st.resume(head, "step")
	case *dap.StepOutRequest:
		return st.resume(head, "round")
	case *dap.StepBackRequest:
		return st.resume(head, "back")
	case *dap.ReverseContinueRequest:
		st.stepper.BackToBreak()
		return st.resume(head, "")
	case *dap.StackTraceRequest:
		st.stackTrace(head, req.Arguments.ThreadId)
	case *dap.ScopesRequest:
		st.scopes(head)
	case *dap.VariablesRequest:
		st.variables(head, req.Arguments.VariablesReference)
	case *dap.EvaluateRequest:
		return st.evaluate(head, &req.Arguments)
	case *dap.DataBreakpointInfoRequest:
		st.watchInfo(head, &req.Arguments)
	case *dap.ReadMemoryRequest:
		st.readMemory(head, &req.Arguments)
	default:
		st.refuse(head, "this adapter does not have the request '%s'", head.Command)
	}
	return false
}

// stackTrace reports the next operation of the stopped core to the client. The trace has
// one frame, because called functions are inlined. If the parameter thread identifies
// another core, the trace is empty.
func (st *stop) stackTrace(req *dap.Request, thread int) {
	r := &dap.StackTraceResponse{Response: answer(req)}
	r.Body.StackFrames = []dap.StackFrame{}
	if thread == st.thread(st.event.Core) {
		r.Body.StackFrames = append(r.Body.StackFrames, st.frame())
	}
	r.Body.TotalFrames = len(r.Body.StackFrames)
	st.send(r, &r.Seq)
}

// frame returns the stack frame that shows the next operation.
func (st *stop) frame() dap.StackFrame {
	op := st.event.Op
	f := dap.StackFrame{Id: 1, Name: op.Name()}
	for p := op; p != nil; p = p.Parent() {
		if p.Is(fn.Func) {
			f.Name = ir.Visible(fn.Name(p)) + ": " + op.Name()
		}
	}
	if src, off := op.Loc().Source(); src != nil {
		path, err := filepath.Abs(src.Name)
		if err != nil {
			path = src.Name
		}
		f.Source = &dap.Source{Name: filepath.Base(src.Name), Path: path}
		f.Line, f.Column = src.Position(off)
		f.EndLine, f.EndColumn = src.Position(ir.TokenEnd(src.Text, off))
	}
	return f
}

// evaluate shows the value of an expression such as %sum, or executes a command of the
// stepper, such as "flags" or "memory ub 0 64". It reports whether the run resumes.
func (st *stop) evaluate(req *dap.Request, a *dap.EvaluateArguments) (resume bool) {
	line := strings.TrimSpace(a.Expression)
	if strings.HasPrefix(line, "%") {
		if v, ok := st.value(line[1:]); ok && a.Context == "hover" {
			r := &dap.EvaluateResponse{Response: answer(req), Body: dap.EvaluateResponseBody{Result: summary(v.Array), Type: typeName(v.Array)}}
			st.send(r, &r.Seq)
			return false
		}
		line = "print " + line
	}
	if a.Context == "hover" {
		st.refuse(req, "only values have a hover")
		return false
	}
	out := st.stepper.Out
	var text bytes.Buffer
	st.stepper.Out = &text
	goOn, err := st.stepper.Command(st.event, line)
	st.stepper.Out = out
	if err != nil {
		st.refuse(req, "%v", err)
		return false
	}
	r := &dap.EvaluateResponse{Response: answer(req), Body: dap.EvaluateResponseBody{Result: strings.TrimSuffix(text.String(), "\n")}}
	st.send(r, &r.Seq)
	return goOn || st.stepper.Again() || st.stepper.Quit()
}
