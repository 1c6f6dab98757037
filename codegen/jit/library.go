// This file compiles kernels in a process that loads LLVM as a library.

package jit

import (
	"bufio"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// compilerText is the C source of a program that compiles LLVM IR by the C interface of
// the LLVM library, one text after the other. It generates the code that clang generates.
// Starting clang needs more time than compiling a short kernel: clang also loads its own
// library, and only for one text.
//
//go:embed compiler.c.txt
var compilerText string

// findLibrary returns the path of the LLVM library that belongs to a tool, or an empty
// string if there is none. tool is the path of the tool.
func findLibrary(tool string) string {
	real, err := filepath.EvalSymlinks(tool)
	if err != nil || runtime.GOOS != "linux" {
		return ""
	}
	prefix := filepath.Dir(filepath.Dir(real))
	for _, pattern := range []string{"lib/libLLVM.so.*", "lib64/libLLVM.so.*", "lib/libLLVM-*.so", "lib64/libLLVM-*.so"} {
		// The tools of two versions in one folder have two libraries, and it is unknown
		// which belongs to which.
		if found, _ := filepath.Glob(filepath.Join(prefix, pattern)); len(uniqueFiles(found)) == 1 {
			return found[0]
		}
	}
	return ""
}

// uniqueFiles returns the files to which paths refer, without repetitions.
func uniqueFiles(paths []string) map[string]bool {
	files := map[string]bool{}
	for _, p := range paths {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			files[real] = true
		}
	}
	return files
}

// compileCompiler compiles dir/compiler.c to an executable in dir.
func (t *toolchain) compileCompiler(dir string, w watch) (path string, err error) {
	path = filepath.Join(dir, "compiler")
	return path, w.run(cmp.Or(t.cc, t.clang), "-o", path, filepath.Join(dir, "compiler.c"), "-ldl")
}

// compiler returns the path in the cache of the program with the source compilerText, and
// builds it if necessary.
func (t *toolchain) compiler(o Options, w watch) (string, error) {
	path := filepath.Join(o.Cache, key(t.identity(), runtime.GOARCH, compilerText))
	defer alone(path)()
	if o.touch(path) {
		return path, nil
	}
	return path, inFolder(path, "compiler.c", compilerText, func(dir string) (string, error) { return t.compileCompiler(dir, w) })
}

// compileByLibrary compiles the LLVM IR in the file from to an object file, at the
// optimization level of o, with the limits of the watch w. library is the path of the
// LLVM library. A process that waits for work compiles the text, or a new one.
func (t *toolchain) compileByLibrary(library, from, object string, o Options, w watch) error {
	path, err := t.compiler(o, w)
	if err != nil {
		return err
	}
	if s := takeService(path, library); s != nil {
		if err := s.compile(from, object, o.Level, w); !errors.Is(err, errGone) {
			return err
		}
	}
	s, err := startService(path, library)
	if err != nil {
		return err
	}
	return s.compile(from, object, o.Level, w)
}

// service is a process that compiles texts. It ends with this process, or after some
// seconds without a request.
type service struct {
	path, llvm string
	cmd        *exec.Cmd
	in         io.WriteCloser
	out        *bufio.Reader
	msg        boundedText
}

// services are the processes that wait for work.
var services struct {
	sync.Mutex
	idle []*service
}

// takeService removes a waiting process with the given program and library from services
// and returns it. The result is nil if there is none.
func takeService(path, library string) *service {
	services.Lock()
	defer services.Unlock()
	for i, s := range services.idle {
		if s.path == path && s.llvm == library {
			services.idle = append(services.idle[:i], services.idle[i+1:]...)
			return s
		}
	}
	return nil
}

// startService starts the program at path, which loads the LLVM library.
func startService(path, library string) (*service, error) {
	s := &service{path: path, llvm: library, cmd: exec.Command(path, library)}
	s.cmd.Env = []string{}
	s.cmd.Stderr = &s.msg
	tie(s.cmd)
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReader(out)
	return s, s.cmd.Start()
}

// errGone is the error of a process that ended without an answer. A waiting process may
// have ended before the request.
var errGone = errors.New("the compiler has ended")

// compile compiles the LLVM IR in the file from to the file object. Afterwards, the
// process waits for further work, or has ended if there was an error.
func (s *service) compile(from, object, level string, w watch) error {
	left := w.limit - *w.used
	seconds := max(1, int64((left+time.Second-1)/time.Second))
	if _, err := fmt.Fprintf(s.in, "%d\x00%s\x00%s\x00%s\x00", seconds, level, from, object); err != nil {
		return s.fault(left, w)
	}
	answered := make(chan struct{})
	var spent, failure string
	var err error
	go func() {
		defer close(answered)
		if spent, err = s.out.ReadString(0); err == nil {
			failure, err = s.out.ReadString(0)
		}
	}()
	late := time.NewTimer(time.Until(w.until))
	defer late.Stop()
	select {
	case <-answered:
	case <-w.stop:
		s.end()
		<-answered
		return ErrStopped
	case <-late.C:
		s.end()
		<-answered
		return &TimeoutError{filepath.Base(s.llvm), w.limit}
	}
	if err != nil {
		return s.fault(left, w)
	}
	microseconds, _ := strconv.ParseInt(strings.TrimSuffix(spent, "\x00"), 10, 64)
	*w.used += time.Duration(microseconds) * time.Microsecond
	services.Lock()
	services.idle = append(services.idle, s)
	services.Unlock()
	if failure != "\x00" {
		return fmt.Errorf("%s: %s", filepath.Base(s.llvm), strings.TrimSuffix(failure, "\x00"))
	}
	return nil
}

// fault returns the reason why the process ended instead of answering. left is the
// processor time that it was allowed to use.
func (s *service) fault(left time.Duration, w watch) error {
	s.end()
	state := s.cmd.ProcessState
	spent := state.UserTime() + state.SystemTime()
	*w.used += spent
	switch {
	case spent >= left/2:
		return &TimeoutError{filepath.Base(s.llvm), w.limit}
	case w.stopped():
		return ErrStopped
	}
	return fmt.Errorf("%s: %w: %s: %s", filepath.Base(s.llvm), errGone, state, strings.TrimSpace(s.msg.kept.String()))
}

// end ends the process.
func (s *service) end() {
	s.in.Close()
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
}
