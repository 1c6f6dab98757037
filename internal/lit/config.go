// This file defines the configuration of a test run.

package lit

import (
	"io"
	"strings"
	"time"
)

// Tool is a program that runs as a function in this process. The parameter args contains
// its arguments without the name of the program. The parameter env contains NAME=VALUE
// pairs; PWD is the directory for relative file names. The result is the exit status.
type Tool func(args, env []string, stdin io.Reader, stdout, stderr io.Writer) int

// Config configures a test suite: the commands that tests may run, the features, and
// limits.
type Config struct {
	// Tools are commands that run in this process.
	Tools map[string]Tool
	// Programs maps commands to the paths of external programs.
	Programs map[string]string
	// UsePath allows commands on PATH, and commands that are paths, if no other
	// command has the name.
	UsePath bool

	// Features are the values for REQUIRES, UNSUPPORTED, XFAIL and %if.
	Features map[string]bool
	// Substitutions are replaced in RUN lines. The keys start with %.
	Substitutions map[string]string
	// Env is the environment of the commands; nil means only PATH and HOME.
	Env []string

	// Timeout ends a test that hangs; 0 means ten minutes.
	Timeout time.Duration
	// TempDir contains a temporary directory for each test, which is removed
	// afterwards. Empty means the system's default.
	TempDir string
}

// Status is the result of a test.
type Status int

// The results of a test. XFail is a failure of a test that was expected to fail, XPass is
// a test that passed although a failure was expected, and Unresolved is a file that is
// not a correct test.
const (
	Pass Status = iota
	Fail
	Unsupported
	XFail
	XPass
	Unresolved
)

// String returns the name of the result as LLVM's lit prints it.
func (s Status) String() string {
	return [...]string{"PASS", "FAIL", "UNSUPPORTED", "XFAIL", "XPASS", "UNRESOLVED"}[s]
}

// Failed reports whether the result is a failure of the suite.
func (s Status) Failed() bool { return s == Fail || s == XPass || s == Unresolved }

// Result is the result of a test with its output.
type Result struct {
	Status Status
	// Output contains the commands and what they printed, or the reason why none
	// ran.
	Output string
	// Missing contains the features that an unsupported test requires.
	Missing []string
}

// Getenv returns the value of the environment variable with the given name. If several
// pairs have this name, the last one counts.
func Getenv(env []string, name string) string {
	value, _ := lookupEnv(env, name)
	return value
}

// lookupEnv returns the value of the variable with the given name, and whether it is set.
// The last pair with this name counts.
func lookupEnv(env []string, name string) (value string, ok bool) {
	for _, pair := range env {
		if v, found := strings.CutPrefix(pair, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}

// setEnv returns a copy of env in which the variable with the given name has the given
// value.
func setEnv(env []string, name, value string) []string {
	out := unsetEnv(env, name)
	return append(out, name+"="+value)
}

// unsetEnv returns a copy of env without the variable of the given name.
func unsetEnv(env []string, name string) []string {
	out := make([]string, 0, len(env)+1)
	for _, pair := range env {
		if !strings.HasPrefix(pair, name+"=") {
			out = append(out, pair)
		}
	}
	return out
}
