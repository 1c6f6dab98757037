package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"ptogo/internal/cli/exit"
)

// dapClient is an editor that debugs a kernel in the same process.
type dapClient struct {
	t    *testing.T
	in   io.WriteCloser
	out  chan dap.Message // everything that the adapter sends
	seq  int
	text bytes.Buffer // output events
	last *dap.StoppedEvent
	exit *dap.ExitedEvent
	done chan int
}

func newDAPClient(t *testing.T) *dapClient {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	c := &dapClient{t: t, in: in, out: make(chan dap.Message, 1000), done: make(chan int, 1)}
	go func() {
		defer close(c.out)
		for r := bufio.NewReader(out); ; {
			m, err := dap.ReadProtocolMessage(r)
			if err != nil {
				return
			}
			c.out <- m
		}
	}()
	go func() {
		c.done <- ptoRun([]string{"--dap"}, requests, answers, io.Discard)
		answers.Close()
	}()
	c.call("initialize", map[string]any{"adapterID": "pto"})
	return c
}

// receive reads a message and records events.
func (c *dapClient) receive() dap.Message {
	c.t.Helper()
	m, ok := <-c.out
	if !ok {
		c.t.Fatal("the adapter has ended")
	}
	switch e := m.(type) {
	case *dap.OutputEvent:
		c.text.WriteString(e.Body.Output)
	case *dap.StoppedEvent:
		c.last = e
	case *dap.ExitedEvent:
		c.exit = e
	}
	return m
}

// call sends a request and returns its response.
func (c *dapClient) call(command string, arguments any) dap.ResponseMessage {
	c.t.Helper()
	c.seq++
	text, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := dap.WriteBaseMessage(c.in, text); err != nil {
		c.t.Fatal(err)
	}
	for {
		if r, ok := c.receive().(dap.ResponseMessage); ok && r.GetResponse().RequestSeq == c.seq {
			return r
		}
	}
}

// stop waits for the next stop and requires its reason.
func (c *dapClient) stop(reason string) {
	c.t.Helper()
	for c.last == nil && c.exit == nil {
		c.receive()
	}
	if c.last == nil || c.last.Body.Reason != reason {
		c.t.Fatalf("stop %+v, exit %+v, want a stop because of %s\n%s", c.last, c.exit, reason, &c.text)
	}
	c.last = nil
}

// line returns the line of the only frame.
func (c *dapClient) line() int {
	c.t.Helper()
	frames := c.call("stackTrace", map[string]any{"threadId": 1}).(*dap.StackTraceResponse).Body.StackFrames
	if len(frames) != 1 {
		c.t.Fatalf("%d frames", len(frames))
	}
	return frames[0].Line
}

// evaluate returns the result of an expression.
func (c *dapClient) evaluate(expression, context string) string {
	c.t.Helper()
	r, ok := c.call("evaluate", map[string]any{"expression": expression, "context": context}).(*dap.EvaluateResponse)
	if !ok {
		c.t.Fatalf("evaluate %s is refused", expression)
	}
	return r.Body.Result
}

// variables returns the variables of a reference by name.
func (c *dapClient) variables(ref int) map[string]dap.Variable {
	c.t.Helper()
	byName := map[string]dap.Variable{}
	for _, v := range c.call("variables", map[string]any{"variablesReference": ref}).(*dap.VariablesResponse).Body.Variables {
		byName[v.Name] = v
	}
	return byName
}

const loopKernel = "../../../examples/tutorial/affine.pto"

// A whole session: breakpoints with conditions, values, loops, steps forward and back,
// watched memory, and the end.
func TestDebugAdapterSession(t *testing.T) {
	c := newDAPClient(t)
	path, err := filepath.Abs(loopKernel)
	if err != nil {
		t.Fatal(err)
	}
	c.call("launch", map[string]any{"program": loopKernel, "args": []string{"--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0"}})
	adds := lineWith(t, loopKernel, "pto.tadds")
	set := func(line int, condition string) dap.Breakpoint {
		t.Helper()
		r := c.call("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{map[string]any{"line": line, "condition": condition}}})
		return r.(*dap.SetBreakpointsResponse).Body.Breakpoints[0]
	}
	set(adds, "row=16")
	c.call("configurationDone", nil)
	c.stop("breakpoint")
	if got := c.line(); got != adds {
		t.Errorf("stopped in line %d, want %d", got, adds)
	}
	if threads := c.call("threads", nil).(*dap.ThreadsResponse).Body.Threads; len(threads) == 0 || threads[0].Id != 1 {
		t.Errorf("threads %+v", threads)
	}
	scopes := c.call("scopes", map[string]any{"frameId": 1}).(*dap.ScopesResponse).Body.Scopes
	if len(scopes) != 3 {
		t.Fatalf("scopes %+v", scopes)
	}
	values := c.variables(scopes[0].VariablesReference)
	row, scaled := values["%row"], values["%scaled"]
	if row.Value != "16" || scaled.VariablesReference == 0 || !strings.HasPrefix(scaled.Value, "[2048, 2050, 2052, ") {
		t.Errorf("row %+v, scaled %+v", row, scaled)
	}
	if rows := c.variables(scaled.VariablesReference); !strings.HasPrefix(rows["[1]"].Value, "[2176, 2178, ") {
		t.Errorf("rows %+v", rows)
	}
	if loops := c.variables(scopes[1].VariablesReference); len(loops) != 1 {
		t.Errorf("loops %+v", loops)
	}
	if got := c.evaluate("%row", "hover"); got != "16" {
		t.Errorf("hover %q", got)
	}
	if got := c.evaluate("%scaled", "repl"); !strings.Contains(got, "2048") {
		t.Errorf("print %q", got)
	}
	c.call("next", map[string]any{"threadId": 1})
	c.stop("step")
	if got := c.line(); got <= adds {
		t.Errorf("next stops in line %d", got)
	}
	c.call("stepBack", map[string]any{"threadId": 1})
	c.stop("step")
	if got := c.line(); got != adds {
		t.Errorf("a step back stops in line %d, want %d", got, adds)
	}
	if info := c.call("dataBreakpointInfo", map[string]any{"name": "ub 0 64"}).(*dap.DataBreakpointInfoResponse); info.Body.DataId != "ub 0 64" {
		t.Errorf("watch %+v", info.Body)
	}
	stores := lineWith(t, loopKernel, "pto.tstore")
	if b := set(stores-1, "row=48"); !b.Verified || b.Line != adds {
		t.Errorf("breakpoint %+v", b)
	}
	if b := set(lineWith(t, loopKernel, "return")+1, ""); b.Verified {
		t.Errorf("a breakpoint after the last line is verified: %+v", b)
	}
	set(stores, "")
	c.call("setDataBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"dataId": "gm:1 8192 4"}}})
	for _, reason := range []string{"breakpoint", "breakpoint", "data breakpoint", "breakpoint"} { // rounds 16, 32, 48
		c.call("continue", map[string]any{"threadId": 1})
		c.stop(reason)
	}
	c.call("reverseContinue", map[string]any{"threadId": 1})
	c.stop("step")
	if got := c.line(); got != stores {
		t.Errorf("reverseContinue stops in line %d, want %d", got, stores)
	}
	c.call("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{}})
	c.call("setDataBreakpoints", map[string]any{"breakpoints": []any{}})
	c.call("continue", map[string]any{"threadId": 1})
	for c.exit == nil {
		c.receive()
	}
	if c.exit.Body.ExitCode != exit.OK {
		t.Errorf("exit code %d\n%s", c.exit.Body.ExitCode, &c.text)
	}
	c.call("disconnect", nil)
	if code := <-c.done; code != exit.OK {
		t.Errorf("pto-run --dap ends with code %d", code)
	}
}

// lineWith returns the first line of a file that contains a text.
func lineWith(t *testing.T, path, text string) int {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(file), "\n") {
		if strings.Contains(line, text) {
			return i + 1
		}
	}
	t.Fatalf("%s has no %q", path, text)
	return 0
}

// A kernel that faults ends with its diagnostic as output, and a wrong command line with
// the message of pto-run.
func TestDebugAdapterReportsErrors(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"--arg", "iota=8x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0"}, "'pto.tload' op accesses memory out of bounds: it reads bytes", exit.Fault},
		{[]string{"--arg", "iota=8x64xf32"}, "has 4 parameters", exit.Usage},
	} {
		c := newDAPClient(t)
		c.call("launch", map[string]any{"program": loopKernel, "args": tt.args})
		c.call("configurationDone", nil)
		for c.exit == nil {
			c.receive()
		}
		if !strings.Contains(c.text.String(), tt.want) || c.exit.Body.ExitCode != tt.code {
			t.Errorf("%v: code %d: %s", tt.args, c.exit.Body.ExitCode, &c.text)
		}
		c.call("disconnect", nil)
		<-c.done
	}
}

// Requests out of order, unknown ones and wrong arguments are errors of the request.
func TestDebugAdapterRefuses(t *testing.T) {
	c := newDAPClient(t)
	for _, r := range []struct {
		command   string
		arguments any
	}{
		{"launch", map[string]any{}}, {"stackTrace", map[string]any{"threadId": 1}}, {"continue", map[string]any{"threadId": 1}}, {"nonsense", nil}, {"variables", map[string]any{"variablesReference": 7}},
	} {
		if got := c.call(r.command, r.arguments).GetResponse(); got.Success {
			t.Errorf("%s is not refused", r.command)
		}
	}
	c.call("disconnect", nil)
	<-c.done
}
