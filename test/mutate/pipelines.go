// This file sends programs with random pipelines to a server.

package mutate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"ptogo/internal/cli"
	"ptogo/lower"
	"ptogo/passes"
)

// server is a pto-run --serve in this process.
type server struct {
	in   io.WriteCloser
	out  *bufio.Reader
	last int
	end  chan int
}

func newServer() *server {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &server{in: inW, out: bufio.NewReader(outR), end: make(chan int, 1)}
	go func() {
		s.end <- cli.Run([]string{"--serve"}, inR, outW, io.Discard)
		outW.Close()
	}()
	return s
}

// close ends the server and returns its exit code.
func (s *server) close() int {
	s.in.Close()
	return <-s.end
}

// ask sends a request and returns the answer.
func (s *server) ask(method string, params any) (answer string, err error) {
	s.last++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params})
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return "", err
	}
	var n int
	if _, err := fmt.Fscanf(s.out, "Content-Length: %d\r\n\r\n", &n); err != nil {
		return "", err
	}
	text := make([]byte, n)
	_, err = io.ReadFull(s.out, text)
	return string(text), err
}

// outputs are options that decide what pto-opt writes.
var outputs = []string{"", "", "--emit=cpp", "--emit=llvm", "--emit=pto-as", "--emit-vpto", "--memory-map=json", "--verify-sync", "--enable-insert-sync", "--mlir-print-op-generic", "--verify-roundtrip"}

// pipeline returns a random command line of pto-opt: up to five passes, and what is
// written.
func (m *mutator) pipeline() []string {
	all := append(append([]*passes.Pass(nil), lower.List...), passes.List...)
	args := []string{"-", "--timeout=5s", "--max-memory=256MiB", "--pto-arch=" + []string{"a2", "a3", "a5", "a5"}[m.rnd.IntN(4)]}
	if m.rnd.IntN(2) == 0 {
		args = append(args, []string{"--pto-bufferize", "--vmi-layout-assignment"}[m.rnd.IntN(2)])
	}
	for range m.rnd.IntN(6) {
		args = append(args, "--"+all[m.rnd.IntN(len(all))].Name)
	}
	if o := outputs[m.rnd.IntN(len(outputs))]; o != "" {
		args = append(args, o)
	}
	return args
}

// served sends a program with a pipeline to the server. It returns a description of a
// defect, or "".
func (s *server) served(text string, args []string) string {
	before := allocated()
	answer, err := s.ask("tool", map[string]any{"name": "pto-opt", "argv": args, "stdin": text, "source": "in.pto"})
	if err != nil {
		return fmt.Sprintf("the server of %s: %v", strings.Join(args, " "), err)
	}
	var got struct {
		Result struct{ Exit int }
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		return fmt.Sprintf("%s: %v in %.300s", strings.Join(args, " "), err, answer)
	}
	switch {
	case got.Error != nil:
		return fmt.Sprintf("%s: %s", strings.Join(args, " "), got.Error.Message)
	case got.Result.Exit != 0 && got.Result.Exit != 1 && got.Result.Exit != 5:
		return fmt.Sprintf("%s: exit code %d: %.600s", strings.Join(args, " "), got.Result.Exit, answer)
	case strings.Contains(answer, "because of a bug in") || strings.Contains(answer, "this is a bug") || strings.Contains(answer, "BUG: ") || strings.Contains(answer, "goroutine "):
		return fmt.Sprintf("%s: %.900s", strings.Join(args, " "), answer)
	}
	if used := allocated() - before; used > 2*maxAllocated {
		return fmt.Sprintf("%s: %d MiB allocated", strings.Join(args, " "), used>>20)
	}
	return ""
}
