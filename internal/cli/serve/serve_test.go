package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/run"
	"ptogo/ir"
	"ptogo/kernel"
)

// served is a pto-run --serve of a test.
type served struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	last int
	end  chan int
}

func startServe(t *testing.T) *served {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &served{t: t, in: inW, out: bufio.NewReader(outR), end: make(chan int, 1)}
	go func() { s.end <- ptoRun([]string{"--serve"}, inR, outW, io.Discard) }()
	t.Cleanup(func() {
		inW.Close()
		if code := <-s.end; code != exit.OK {
			t.Errorf("exit code %d", code)
		}
	})
	return s
}

type servedAnswer struct {
	ID     int
	Result struct {
		loadResult
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (s *served) send(method string, params any) int {
	s.last++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params})
	if err != nil {
		s.t.Fatal(err)
	}
	fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return s.last
}

func (s *served) receive() (a servedAnswer) {
	var n int
	if _, err := fmt.Fscanf(s.out, "Content-Length: %d\r\n\r\n", &n); err != nil {
		s.t.Fatal(err)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(s.out, body); err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(body, &a); err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *served) ask(method string, params any) servedAnswer {
	s.send(method, params)
	return s.receive()
}

// load loads a file and returns the name of its program.
func (s *served) load(path, text string) string {
	if text == "" {
		b, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		text = string(b)
	}
	a := s.ask("load", map[string]any{"name": path, "text": text})
	if a.Result.Exit != exit.OK || a.Result.Program == "" {
		s.t.Fatalf("load: %+v", a)
	}
	return a.Result.Program
}

// sharedFile makes a file of elements.
func sharedFile(t *testing.T, data []byte) string {
	path := filepath.Join(t.TempDir(), "shared")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestServeRun runs a kernel several times on arrays in one shared file.
func TestServeRun(t *testing.T) {
	const n = 32 * 64
	s := startServe(t)
	if a := s.ask("initialize", map[string]any{"version": 1}); a.Error != nil {
		t.Fatal(a.Error)
	}
	program := s.load(clitest.Divide, "")
	x := make([]float32, 2*n)
	for i := range n {
		x[i] = float32(i)
	}
	path := sharedFile(t, clitest.Floats(x...))
	array := func(at int) map[string]any {
		return map[string]any{"file": path, "offset": 4 * at, "bytes": 4 * n, "elem": "f32", "shape": []int{32, 64}, "name": "x"}
	}
	for _, d := range []string{"2.0", "4.0", "8.0"} {
		a := s.ask("run", map[string]any{"program": program, "args": []any{array(0), array(n), d}, "flags": map[string]any{"blocks": 1, "timeout": "60s"}})
		if a.Error != nil || a.Result.Exit != exit.OK {
			t.Fatalf("run: %+v", a)
		}
		data, _ := os.ReadFile(path)
		y := kernel.Slice[float32](&kernel.Array{Elem: ir.F32, Data: data})
		var by float32
		fmt.Sscan(d, &by)
		if y[n+100] != 100/by || y[100] != 100 {
			t.Errorf("%g / %g is %g", y[100], by, y[n+100])
		}
	}
}

// TestServeFailures sends launches that fail, each in its way, and one that does
// not at the end.
func TestServeFailures(t *testing.T) {
	s := startServe(t)
	program := s.load(clitest.Divide, "")
	endless := s.load("endless.pto", `func.func @endless(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %true = arith.constant true
  scf.while : () -> () { scf.condition(%true) } do { scf.yield }
  return
}`)
	path := sharedFile(t, make([]byte, 64))
	good := []any{"rand=32x64xf32", "zeros=32x64xf32", "2.0"}
	for _, x := range []struct {
		program string
		args    []any
		flags   map[string]any
		exit    int
		want    string
	}{
		{program, []any{"rand=4x4xf32", "zeros=32x64xf32", "2.0"}, nil, exit.Fault, "reads bytes 0..255"},
		{program, good[:2], nil, exit.Usage, "has 3 parameters"},
		{program, good, map[string]any{"block": 2}, exit.Usage, "did you mean --blocks?"},
		{program, good, map[string]any{"blocks": 0}, exit.Usage, "--blocks must be between"},
		{program, good, map[string]any{"serve": true}, exit.Usage, "--serve cannot be used in a request"},
		{program, []any{map[string]any{"file": path, "bytes": 65, "elem": "f32"}, good[1], "2.0"}, nil, exit.Usage, "has only 64 bytes"},
		{program, []any{map[string]any{"file": path, "bytes": 64, "elem": "i16"}, good[1], "2.0"}, nil, exit.Usage, "the array has elements of type i16"},
		{program, []any{7, good[1], "2.0"}, nil, exit.Usage, "expected a string or an array"},
		{endless, []any{"zeros=1x1xf32"}, map[string]any{"timeout": "50ms"}, exit.Fault, "--timeout"},
		{endless, []any{"zeros=1x1xf32"}, map[string]any{"max-steps": 1000}, exit.Fault, "steps"},
		{program, good, map[string]any{"check": []any{"init", "mem"}, "gm-slack": 64}, exit.OK, "pto-run: check: "},
	} {
		a := s.ask("run", map[string]any{"program": x.program, "args": x.args, "flags": x.flags})
		text := fmt.Sprintf("%+v", a.Result.Diagnostics)
		if a.Error != nil || a.Result.Exit != x.exit || !strings.Contains(text, x.want) {
			t.Errorf("%v %v: exit %d, %s", x.args, x.flags, a.Result.Exit, text)
		}
	}
	if a := s.ask("run", map[string]any{"program": "none"}); a.Error == nil || a.Error.Code != -32001 {
		t.Errorf("unknown program: %+v", a)
	}
	if a := s.ask("load", map[string]any{"text": "func.func @f() {\n  pto.tadd\n}"}); a.Result.Exit != exit.Diag || a.Result.Diagnostics[0].Line != 3 {
		t.Errorf("load: %+v", a)
	}
	s.send("run", map[string]any{"program": endless, "args": []any{"zeros=1x1xf32"}})
	fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", 52, fmt.Sprintf("%-52s", fmt.Sprintf(`{"method":"$/cancelRequest","params":{"id":%d}}`, s.last)))
	if a := s.receive(); a.Result.Exit != exit.Fault || !strings.Contains(a.Result.Diagnostics[0].Message, "interrupted") {
		t.Errorf("cancelled: %+v", a)
	}
	if a := s.ask("run", map[string]any{"program": program, "args": good}); a.Result.Exit != exit.OK {
		t.Errorf("run: %+v", a)
	}
}

// TestServeTool runs pto-opt.
func TestServeTool(t *testing.T) {
	s := startServe(t)
	a := s.ask("tool", map[string]any{"name": "pto-opt", "argv": []string{"--pto-arch=a5", "-"}, "stdin": "func.func @f() { return }"})
	if a.Result.Exit != exit.OK || !strings.Contains(a.Result.Stdout, "func.func @f()") {
		t.Errorf("%+v", a)
	}
	a = s.ask("tool", map[string]any{"name": "pto-opt", "argv": []string{"--pto-arc=a5"}})
	if a.Result.Exit != exit.Usage || !strings.Contains(a.Result.Diagnostics[0].Message, "did you mean --pto-arch") {
		t.Errorf("%+v", a)
	}
	if a := s.ask("tool", map[string]any{"name": "rm"}); a.Error == nil {
		t.Errorf("%+v", a)
	}
}

func TestServeAlone(t *testing.T) {
	if code, _, err := runKernel("--serve", clitest.Divide); code != exit.Usage || !strings.Contains(err, "--serve accepts no other options") {
		t.Errorf("code %d: %s", code, err)
	}
}

// ptoRun runs pto-run with the server of this package.
func ptoRun(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run.Main(Requests, args, stdin, stdout, stderr)
}

// runKernel runs pto-run without standard input.
func runKernel(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = ptoRun(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}
