// This file starts the process of a compiled kernel and exchanges arguments and
// results with it.

package jit

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"ptogo/dialect/pto"
)

// Program is a compiled program, which runs kernels in a separate process. The first
// launch starts the process.
type Program struct {
	// driver is the path of the executable that runs kernels. kernels is the path of the
	// shared object that contains them.
	driver, kernels string

	fns     []Func
	sandbox Sandbox
	// Confined reports that the process runs in a sandbox. It is valid once the process
	// has started.
	Confined bool
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	// lifeline is the write end of a pipe. The kernel process ends when this end is
	// closed, which also happens if the current process is killed.
	lifeline *os.File
	// msg is the text that the kernel process has written to standard error.
	msg boundedText
}

// Launch describes a launch of a kernel.
type Launch struct {
	Kernel string
	Blocks int
	// Workers is the number of blocks that may run in parallel; 0 means 1.
	Workers int
	// Limit is the maximum duration of the launch; 0 means no limit.
	Limit time.Duration
	// Stop ends the launch when it is closed. It may be nil.
	Stop <-chan struct{}
	// Args are the arguments: buffers ([]byte), which the launch changes in place, the
	// bits of scalars (uint64), and Same for a buffer that is also an earlier argument.
	// Two buffers must not overlap.
	Args []any
	// Offsets, if not nil, has for each argument the distance in bytes from the start of
	// the buffer to the address that the kernel receives. The kernel can access the whole
	// buffer.
	Offsets []int
	// Parts, if not nil, has for each argument the distance in bytes between the sections
	// of the buffer that consecutive blocks use. It is 0 for a buffer that all blocks
	// share.
	Parts []int
	// Out receives what the kernel prints, in the order of the blocks. nil discards it.
	// An error of Out ends the launch.
	Out io.Writer
}

// Same is the argument of a launch that has the same buffer as an earlier argument, whose
// index it contains. The kernel receives both addresses in one memory, so it sees through
// one of them what it writes through the other.
type Same int

// Fault is the error of a kernel that crashed.
type Fault struct{ Text string }

// Error implements error.
func (f *Fault) Error() string { return "kernel faulted: " + f.Text }

// Ended is the error of a launch that was ended before it was complete: by its time
// limit, or by the channel Stop, with which the caller of the launch can end it.
type Ended struct {
	// Late means that the time limit ended the launch.
	Late bool
	// Words is the recorded position of each block that was running, to be decoded by
	// llvm.Places. It is empty if the process did not report it.
	Words [][]int64
}

// Error implements error.
func (e *Ended) Error() string {
	if e.Late {
		return "the kernel did not finish within its limit"
	}
	return "the kernel was interrupted"
}

// Run launches a kernel and returns the run time of its blocks. It returns a *Fault if
// the kernel crashed, and an *Ended if the launch was ended early. In both cases, buffers
// are unchanged.
func (p *Program) Run(l Launch) (time.Duration, error) {
	i := slices.IndexFunc(p.fns, func(f Func) bool { return f.Name == l.Kernel })
	if i < 0 {
		return 0, fmt.Errorf("the module has no function %q", l.Kernel)
	}
	if want := len(p.fns[i].Params); want != len(l.Args) {
		return 0, fmt.Errorf("function %q needs %d arguments, but got %d", l.Kernel, want, len(l.Args))
	}
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return 0, err
		}
	}
	ended := p.endEarly(l)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = p.send(uint64(i), l) // what fails here shows in the answer
	}()
	took, err := p.receive(l, sent)
	why := ended()
	if err != nil {
		err = p.fault(err)
	}
	<-sent
	switch {
	case why != nil && err == nil: // the answer was faster than the end
		p.Close()
	case why != nil:
		why.Words = placeWords(p.msg.kept.String())
		err = why
	}
	return took, err
}

// endEarly starts a goroutine that ends the kernel process when the time limit of the
// launch has passed or Stop is closed. The returned function stops this goroutine; it
// returns why the process was ended, or nil if it was not.
func (p *Program) endEarly(l Launch) func() *Ended {
	ctx, returned := context.WithCancel(context.Background())
	why := make(chan *Ended, 1)
	var limit <-chan time.Time
	if l.Limit > 0 {
		limit = time.After(l.Limit)
	}
	process, lifeline := p.cmd.Process, p.lifeline
	go func() {
		defer close(why)
		select {
		case <-ctx.Done():
			return
		case <-limit:
			why <- &Ended{Late: true}
		case <-l.Stop:
			why <- &Ended{}
		}
		_, _ = lifeline.Write([]byte{0}) // asks where it is; it may just have ended
		select {
		case <-ctx.Done():
		case <-time.After(patienceToTell):
		}
		_ = process.Kill() // it may have ended
	}()
	return func() *Ended {
		returned()
		return <-why
	}
}

// patienceToTell is the time that a process has to report the positions of its blocks
// before it is killed.
const patienceToTell = 2 * time.Second

// placeWords parses text in which the kernel process reports the positions of its blocks
// in the program. The text has one line per block. A line is a list of decimal integers,
// the words of the array in which compiled code records a position. placeWords returns
// the words of each line, or nil if the text is malformed.
func placeWords(text string) [][]int64 {
	var all [][]int64
	for line := range strings.Lines(text) {
		var words []int64
		for _, field := range strings.Fields(line) {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return nil
			}
			words = append(words, n)
		}
		all = append(all, words)
	}
	slices.SortFunc(all, func(a, b []int64) int { return slices.Compare(a[1:], b[1:]) })
	return all
}

// Close ends the kernel process, if it was started.
func (p *Program) Close() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	_ = p.cmd.Wait() // how it ended was reported by Run
	p.lifeline.Close()
	p.cmd = nil
}

// start starts the kernel process and reads from it whether it is confined in a sandbox.
func (p *Program) start() error {
	p.msg.kept.Reset()
	cmd := exec.Command(p.driver, string(p.sandbox), p.kernels)
	cmd.Env = []string{} // nothing in it concerns a kernel
	tie(cmd)
	cmd.Stderr = &p.msg
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	// The process ends when the write end of the lifeline closes, which happens
	// when this process ends, however it does.
	life, lifeline, err := os.Pipe()
	if err != nil {
		return err
	}
	defer life.Close()
	cmd.ExtraFiles = []*os.File{life}
	if err := cmd.Start(); err != nil {
		lifeline.Close()
		return err
	}
	p.cmd, p.in, p.out, p.lifeline = cmd, in, bufio.NewReaderSize(out, 1<<16), lifeline
	confined, err := p.word()
	if err != nil {
		return p.fault(err)
	}
	if p.Confined = confined != 0; !p.Confined && p.sandbox == SandboxRequired {
		p.Close()
		return ErrNoSandbox
	}
	return nil
}

// send writes the request for a launch of the kernel with the given number to the kernel
// process.
func (p *Program) send(number uint64, l Launch) error {
	w := bufio.NewWriterSize(p.in, 1<<16)
	put := func(x uint64) { w.Write(binary.LittleEndian.AppendUint64(nil, x)) }
	put(number)
	put(uint64(max(l.Blocks, 1)))
	put(uint64(max(l.Workers, 1)))
	put(uint64((l.Limit + time.Second - 1) / time.Second))
	place := func(i int) {
		for _, distances := range [][]int{l.Parts, l.Offsets} {
			if distances == nil {
				put(0)
			} else {
				put(uint64(distances[i]))
			}
		}
	}
	for i, a := range l.Args {
		switch a := a.(type) {
		case uint64:
			put(a)
		case Same:
			put(same)
			put(uint64(a))
			place(i)
		case []byte:
			put(uint64(len(a)))
			place(i)
			if len(a) > lazyBytes {
				continue
			}
			w.Write(a)
			w.Write(make([]byte, (8-len(a)%8)%8))
		default:
			panic(fmt.Sprintf("BUG: an argument of type %T", a))
		}
	}
	return w.Flush() // it keeps the first error
}

// receive reads the response to a launch request. It changes buffers only after the
// channel sent is closed. The process responds as soon as it has read the buffers, but
// the goroutine that sends the buffers may not have finished yet.
func (p *Program) receive(l Launch, sent <-chan struct{}) (time.Duration, error) {
	if err := p.heard(l); err != nil {
		return 0, err
	}
	<-sent
	took, err := p.word()
	if err != nil {
		return 0, err
	}
	for _, a := range l.Args {
		buf, ok := a.([]byte)
		if !ok {
			continue
		}
		read := p.changes
		if len(buf) <= lazyBytes {
			read = func(buf []byte) error { _, err := io.ReadFull(p.out, buf); return err }
		}
		if err := read(buf); err != nil {
			return 0, err
		}
	}
	return time.Duration(took), nil
}

// changes reads the chunks of a large buffer that the kernel may have changed from the
// kernel process, and stores them in buf.
func (p *Program) changes(buf []byte) error {
	for {
		chunk, err := p.chunk(buf)
		if len(chunk) == 0 || err != nil {
			return err
		}
		if _, err := io.ReadFull(p.out, chunk); err != nil {
			return err
		}
	}
}

// chunk reads an offset and a length in bytes from the kernel process and returns that
// range of buf.
func (p *Program) chunk(buf []byte) ([]byte, error) {
	off, err := p.word()
	if err != nil {
		return nil, err
	}
	n, err := p.word()
	if err != nil {
		return nil, err
	}
	if size := uint64(len(buf)); off > size || n > size-off {
		return nil, fmt.Errorf("BUG: the compiled kernel requested bytes %d to %d of a buffer of %d bytes", off, off+n, size)
	}
	return buf[off : off+n], nil
}

// same is the word that precedes, in place of the size of a buffer, the index of an earlier
// argument with the same buffer.
const same = math.MaxUint64

// ask is the word with which the kernel process requests the next chunk of a large
// buffer.
const ask = math.MaxUint64

// supply answers a request of the kernel process for a chunk of a buffer. It reads the
// request, which contains the number of the argument and the chunk, and sends the bytes
// of this chunk. l contains the arguments of the launch.
func (p *Program) supply(l Launch) error {
	i, err := p.word()
	if err != nil {
		return err
	}
	if i >= uint64(len(l.Args)) {
		return fmt.Errorf("BUG: the compiled kernel requested argument %d, but there are only %d arguments", i, len(l.Args))
	}
	buf, _ := l.Args[i].([]byte)
	chunk, err := p.chunk(buf)
	if err == nil {
		_, err = p.in.Write(chunk)
	}
	return err
}

// heard processes the messages of the kernel process until the launch ends. It sends the
// chunks of buffers that the process requests, and formats what the kernel prints. If
// writing to l.Out fails, it ends the process.
func (p *Program) heard(l Launch) error {
	for {
		n, err := p.word()
		if n == 0 || err != nil {
			return err
		}
		if n == ask {
			if err := p.supply(l); err != nil {
				return err
			}
			continue
		}
		format := make([]byte, n-1)
		if _, err := io.ReadFull(p.out, format); err != nil {
			return err
		}
		bits, err := p.word()
		if err != nil {
			return err
		}
		if l.Out == nil {
			continue
		}
		if _, err := io.WriteString(l.Out, pto.Printf(string(format), bits)); err != nil {
			_ = p.cmd.Process.Kill() // it may just have ended
			return &outError{err}
		}
	}
}

// outError is an error of Launch.Out.
type outError struct{ error }

// word reads a 64-bit little-endian integer from the process.
func (p *Program) word() (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(p.out, b[:])
	return binary.LittleEndian.Uint64(b[:]), err
}

// fault waits for the end of the kernel process after the communication with it has
// failed. err is the error of the communication. fault returns the reason why the process
// ended, or err if the process ended normally.
func (p *Program) fault(err error) error {
	p.in.Close()
	_ = p.cmd.Wait()
	p.lifeline.Close()
	state := p.cmd.ProcessState
	p.cmd = nil
	text := strings.TrimSpace(p.msg.kept.String())
	_, unheard := errors.AsType[*outError](err)
	switch {
	case unheard || state.Success():
		return err
	case text == "":
		text = state.String()
	}
	return &Fault{text}
}
