// This file runs tests.

package lit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	// defaultTimeout is for tests that hang. It is far longer than any test needs,
	// so that no test fails because the machine is busy.
	defaultTimeout = 10 * time.Minute
	// programDelay is how long the children of a killed program may keep its output
	// open.
	programDelay = time.Second
	// maxLogged is the maximal number of bytes that one command adds to the log.
	maxLogged = 64 << 10
)

// run is the state of one running test.
type run struct {
	// cfg is the configuration of the suite.
	cfg *Config
	// ctx ends at the time limit of the test.
	ctx context.Context
	// log is the output of the test so far.
	log bytes.Buffer
	// err is the error that ended the test, or nil.
	err error
}

// RunFile runs the test in a file, in a new temporary directory, and returns its result.
func RunFile(cfg Config, path string) Result {
	source, err := filepath.Abs(path)
	if err != nil {
		return unresolved(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return unresolved(err)
	}
	s, err := parseScript(string(text))
	if err != nil {
		return unresolved(err)
	}
	if result, decided := s.selectTest(cfg.Features); decided {
		return result
	}
	// XFAIL conditions are evaluated before the test, because an invalid one makes
	// the test unresolved.
	held, _, err := all(s.xfail, cfg.Features)
	if err != nil {
		return unresolved(err)
	}
	return execute(&cfg, s, source).expecting(len(held) > 0)
}

// unresolved returns the result for a file that is not a correct test.
func unresolved(err error) Result { return Result{Status: Unresolved, Output: err.Error() + "\n"} }

// selectTest decides from the directives of the test whether the test can run with the
// given features. If it must not run, selectTest returns a result and true.
func (s *script) selectTest(features map[string]bool) (Result, bool) {
	if len(s.steps) == 0 {
		return unresolved(fmt.Errorf("the test must have a RUN line")), true
	}
	_, missing, err := all(s.requires, features)
	if err != nil {
		return unresolved(err), true
	}
	if len(missing) > 0 {
		return Result{Unsupported, "missing: " + strings.Join(missing, ", ") + "\n", missing}, true
	}
	held, _, err := all(s.unsupported, features)
	if err != nil {
		return unresolved(err), true
	}
	if len(held) > 0 {
		return Result{Status: Unsupported, Output: "unsupported with: " + strings.Join(held, ", ") + "\n"}, true
	}
	return Result{}, false
}

// expecting returns the result r if failure is not set. If failure is set, the test is
// expected to fail. A result Fail then becomes XFail (expected failure), and a result
// Pass becomes XPass (unexpected success).
func (r Result) expecting(failure bool) Result {
	switch {
	case failure && r.Status == Fail:
		r.Status = XFail
	case failure && r.Status == Pass:
		r.Status = XPass
	}
	return r
}

// execute runs the RUN lines of the script s, up to the first one that fails. The
// parameter source is the path of the file that contains the script.
func execute(cfg *Config, s *script, source string) Result {
	dir, err := os.MkdirTemp(cfg.TempDir, "lit-")
	if err != nil {
		return unresolved(err)
	}
	defer os.RemoveAll(dir)
	timeout := cfg.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	r := &run{cfg: cfg, ctx: ctx}
	sh := &shell{run: r, dir: dir, env: environment(cfg, dir)}
	status, err := r.steps(sh, s.steps, newSubstitutions(cfg, source, dir))
	switch {
	case err != nil:
		r.logf("%v\n", err)
		return Result{Status: Unresolved, Output: r.log.String()}
	case r.err != nil:
		r.logf("# %v\n", r.err)
		return Result{Status: Fail, Output: r.log.String()}
	case status != 0:
		return Result{Status: Fail, Output: r.log.String()}
	}
	return Result{Status: Pass, Output: r.log.String()}
}

// environment returns the initial environment of the commands of a test, as a list of
// NAME=VALUE pairs. The result contains little of the environment of the process, so that
// tests do not depend on it.
func environment(cfg *Config, dir string) []string {
	env := cfg.Env
	if env == nil {
		for _, name := range []string{"PATH", "HOME"} {
			if value, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+value)
			}
		}
	}
	return setEnv(setEnv(env, "TMPDIR", dir), "PWD", dir)
}

// steps executes the RUN and DEFINE directives in order, and returns the exit status. The
// error reports a directive that cannot be parsed.
func (r *run) steps(sh *shell, steps []directive, subst *substitutions) (status int, err error) {
	ran := false
	for _, d := range steps {
		if d.keyword != "RUN:" {
			if err := subst.define(d); err != nil {
				return 0, err
			}
			continue
		}
		line, err := subst.apply(d.text)
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", d.line, err)
		}
		n, err := parseCommand(line)
		if err != nil {
			return 0, fmt.Errorf("line %d: %w\n  %s", d.line, err, line)
		}
		if n == nil {
			continue
		}
		ran = true
		r.logf("RUN: at line %d: %s\n", d.line, line)
		if status = sh.exec(n, streams{in: strings.NewReader("")}); status != 0 || r.err != nil {
			return status, nil
		}
	}
	if !ran {
		return 0, fmt.Errorf("the test must have a RUN line with a command")
	}
	return 0, nil
}

// stop ends the test with the error err. If the test has already ended with an error, the
// earlier error remains. The result is the exit code 1.
func (r *run) stop(err error) int {
	if r.err == nil {
		r.err = err
	}
	return 1
}

// stopped reports whether the test has ended, by an error or by its time limit.
func (r *run) stopped() bool {
	if r.err == nil && r.ctx.Err() != nil {
		r.stop(r.timeout())
	}
	return r.err != nil
}

// timeout returns the error for a test that exceeds its time limit.
func (r *run) timeout() error {
	timeout := r.cfg.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	return fmt.Errorf("the test took longer than %v", timeout)
}

// logf writes to the log of the test.
func (r *run) logf(format string, args ...any) { fmt.Fprintf(&r.log, format, args...) }

// logOutput writes the output of a command to the log, under the given name and up to
// maxLogged bytes.
func (r *run) logOutput(name string, text []byte) {
	if len(text) == 0 {
		return
	}
	r.logf("# %s:\n", name)
	if len(text) > maxLogged {
		r.log.Write(text[:maxLogged])
		r.logf("\n# ... %d bytes more", len(text)-maxLogged)
	} else {
		r.log.Write(text)
	}
	if text[len(text)-1] != '\n' {
		r.logf("\n")
	}
}

// guarded is a writer that forwards writes to w. After it has been closed, it discards
// writes. It protects the log from a tool that is still running after its test has ended.
type guarded struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes p to the underlying writer. If g has been closed because its test has
// ended, Write discards p and reports success, so that a tool that still runs does not
// fail.
func (g *guarded) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.w == nil {
		return len(p), nil
	}
	return g.w.Write(p)
}

// close ends the forwarding of writes to the underlying writer. If a call of Write is
// running, close waits for its end. After close, no tool writes to the underlying writer
// any more, so that its owner can read it safely.
func (g *guarded) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.w = nil
}
