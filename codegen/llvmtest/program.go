package llvmtest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Program is a process that runs kernels.
type Program struct {
	path string
	fns  []Func
	t    testing.TB
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// Build makes a program of LLVM IR whose functions fns describes. Level is
// the optimization level, "0" to "3".
func Build(t testing.TB, text string, fns []Func, level string) *Program {
	t.Helper()
	clang := tool(t, "clang")
	dir := t.TempDir()
	files := map[string]string{"kernels.ll": text, "driver.c": driver(fns)}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "program")
	// The system's assembler is not needed, but its linker and mathematics
	// library are: fma is in it.
	cmd := exec.Command(clang, "-O"+level, "-Wno-override-module", "-o", path,
		filepath.Join(dir, "kernels.ll"), filepath.Join(dir, "driver.c"), "-lm", "-pthread")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("clang: %v\n%s\n%s", err, msg, numbered(text))
	}
	p := &Program{path: path, fns: fns, t: t}
	t.Cleanup(p.stop)
	return p
}

func (p *Program) start() error {
	p.cmd = exec.Command(p.path)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.out = in, bufio.NewReader(out)
	return p.cmd.Start()
}

// stop ends the process, if there is one, and returns how it ended.
func (p *Program) stop() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	_ = p.cmd.Wait() // the way it ended was reported by Run
	p.cmd = nil
}

// Fault is the error of a kernel that did not return.
type Fault struct{ State string }

// Error implements error.
func (f *Fault) Error() string { return "kernel faulted: " + f.State }

// Run launches a function on a number of blocks. Buffers ([]byte) are changed
// in place; scalars are their bits as uint64. The error is a *Fault if the
// kernel did not return.
func (p *Program) Run(name string, blocks int, args ...any) error {
	p.t.Helper()
	i := slices.IndexFunc(p.fns, func(f Func) bool { return f.Name == name })
	if i < 0 {
		return fmt.Errorf("no function %q", name)
	}
	if want := len(p.fns[i].Params); want != len(args) {
		return fmt.Errorf("function %q takes %d arguments, got %d", name, want, len(args))
	}
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return err
		}
	}
	req := binary.LittleEndian.AppendUint64(nil, uint64(i))
	req = binary.LittleEndian.AppendUint64(req, uint64(blocks))
	for _, a := range args {
		switch a := a.(type) {
		case uint64:
			req = binary.LittleEndian.AppendUint64(req, a)
		case []byte:
			req = binary.LittleEndian.AppendUint64(req, uint64(len(a)))
			req = append(req, a...)
			req = append(req, make([]byte, (8-len(a)%8)%8)...)
		default:
			return fmt.Errorf("argument of type %T", a)
		}
	}
	if _, err := p.in.Write(req); err != nil {
		return p.fault(err)
	}
	for _, a := range args {
		if buf, ok := a.([]byte); ok {
			if _, err := io.ReadFull(p.out, buf); err != nil {
				return p.fault(err)
			}
		}
	}
	return nil
}

// fault collects the process after a request that it did not answer.
func (p *Program) fault(err error) error {
	p.in.Close()
	p.cmd.Wait()
	state := p.cmd.ProcessState
	p.cmd = nil
	if state.Success() {
		return err
	}
	return &Fault{state.String()}
}
