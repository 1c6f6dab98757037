package lit

import (
	"io"
	"strings"
	"time"
)

// Tool is a program run in process. The arguments do not include its name;
// env holds NAME=VALUE pairs, among them PWD, the directory relative file
// names refer to.
type Tool func(args, env []string, stdin io.Reader, stdout, stderr io.Writer) int

// Config says what tests find around them.
type Config struct {
	// Tools are commands that run in process.
	Tools map[string]Tool
	// Programs are commands that run the external program at the path.
	Programs map[string]string
	// UsePath lets commands be looked up on PATH when nothing else is known
	// by the name, and be given as paths.
	UsePath bool

	// Features decide over REQUIRES, UNSUPPORTED, XFAIL and %if.
	Features map[string]bool
	// Substitutions are replaced in RUN lines; keys begin with %.
	Substitutions map[string]string
	// Env is the environment of the commands; nil means PATH and HOME only.
	Env []string

	// Timeout ends a test that hangs; 0 means ten minutes.
	Timeout time.Duration
	// TempDir is where each test gets a directory of its own, removed
	// afterwards; empty means the system's.
	TempDir string
}

// Status is the outcome of a test.
type Status int

// The outcomes. XFail is an expected failure, XPass a test that passed
// although it should not. Unresolved is a file that is no proper test.
const (
	Pass Status = iota
	Fail
	Unsupported
	XFail
	XPass
	Unresolved
)

func (s Status) String() string {
	return [...]string{"PASS", "FAIL", "UNSUPPORTED", "XFAIL", "XPASS", "UNRESOLVED"}[s]
}

// Failed reports whether the outcome is one to be looked at.
func (s Status) Failed() bool { return s == Fail || s == XPass || s == Unresolved }

// Result is what became of a test.
type Result struct {
	Status Status
	// Output is the commands with what they printed, or the reason why none
	// was run.
	Output string
	// Missing names the features an unsupported test asks for.
	Missing []string
}

// Getenv returns the value of a variable in NAME=VALUE pairs, the last one
// when there are several.
func Getenv(env []string, name string) string {
	value, _ := lookupEnv(env, name)
	return value
}

// lookupEnv is Getenv that tells an empty variable from an unset one.
func lookupEnv(env []string, name string) (value string, ok bool) {
	for _, pair := range env {
		if v, found := strings.CutPrefix(pair, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}

// setEnv returns env with one more value. The slice given is not changed.
func setEnv(env []string, name, value string) []string {
	out := unsetEnv(env, name)
	return append(out, name+"="+value)
}

// unsetEnv returns env without the variable.
func unsetEnv(env []string, name string) []string {
	out := make([]string, 0, len(env)+1)
	for _, pair := range env {
		if !strings.HasPrefix(pair, name+"=") {
			out = append(out, pair)
		}
	}
	return out
}
