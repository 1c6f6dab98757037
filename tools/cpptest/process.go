package cpptest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
)

// process is a running program that executes the kernels of a unit (shared/process.hpp).
type process struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	messages bytes.Buffer
}

// start starts the program at the given path.
func start(program string) (*process, error) {
	p := &process{cmd: exec.Command(program)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out, p.cmd.Stderr = in, bufio.NewReader(out), &p.messages
	return p, p.cmd.Start()
}

// end ends the program.
func (p *process) end() error {
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %.300s", err, &p.messages)
	}
	return nil
}

// run executes one kernel and returns the contents of its buffers, and what it wrote to
// standard error. number is the index of the kernel in the program. The case k contains
// the arguments.
func (p *process) run(number int, k *Case) (bufs [][]byte, messages string, err error) {
	if _, err := p.in.Write(k.request(number)); err != nil {
		return nil, "", err
	}
	var head struct{ Status, Messages uint64 }
	if err := binary.Read(p.out, binary.LittleEndian, &head); err != nil {
		return nil, "", err
	}
	text := make([]byte, head.Messages)
	if _, err := io.ReadFull(p.out, text); err != nil {
		return nil, "", err
	}
	for _, a := range k.Args {
		if a.Data == nil {
			continue
		}
		buf := make([]byte, len(a.Data))
		if _, err := io.ReadFull(p.out, buf); err != nil {
			return nil, "", err
		}
		bufs = append(bufs, buf)
	}
	messages = string(text)
	switch signal, code := syscall.Signal(head.Status&0x7f), head.Status>>8&0xff; {
	case signal == syscall.SIGALRM:
		return nil, messages, errors.New("does not end within a minute")
	case signal != 0:
		return nil, messages, fmt.Errorf("signal: %v: %.300s", signal, strings.TrimSpace(messages))
	case code == assertedCode:
		return bufs, messages, errAsserted
	case code != 0:
		return nil, messages, fmt.Errorf("exit status %d: %.300s", code, strings.TrimSpace(messages))
	}
	return bufs, messages, nil
}

// assertedCode is the exit code of a kernel that has results although an assertion of the
// library failed. The method run then returns the results and errAsserted.
const assertedCode = 3

var errAsserted = errors.New("an assertion failed")

// request returns the bytes that request a launch of the kernel with the given number.
func (c *Case) request(number int) []byte {
	a5 := uint64(0)
	if c.Source.Arch == "a5" {
		a5 = 1
	}
	var b []byte
	for _, n := range []uint64{uint64(number), uint64(max(c.Blocks, 1)), a5, uint64(len(c.Args))} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	for _, a := range c.Args {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(a.Data)))
		if a.Data == nil {
			b = binary.LittleEndian.AppendUint64(b, a.Bits)
		}
		b = append(b, a.Data...)
	}
	return b
}
