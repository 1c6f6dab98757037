// Command ptogo runs a PTO kernel from a clone of the repository: go run . FILE --arg ...
//
// It accepts the command lines of pto-run and prints the same output, but it links only
// what the execution of a small kernel needs, so that the first command in a fresh clone
// compiles in about half the time. Everything else is a task for pto-run: ptogo starts
// the pto-run in its own folder, or else compiles and runs ./cmd/pto-run.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"ptogo/internal/quick"
)

func main() {
	if !quick.Run(os.Args[1:], os.Stdout) {
		os.Exit(delegate(os.Args[1:]))
	}
}

// delegate executes a command line with pto-run and returns its exit code.
func delegate(args []string) int {
	cmd := exec.Command(beside("pto-run"), args...)
	if _, err := os.Stat(cmd.Path); err != nil {
		var failed error
		if cmd, failed = built("ptogo/cmd/pto-run", args); failed != nil {
			fmt.Fprintf(os.Stderr, "ptogo: error: %v\n", failed)
			return 1
		}
		defer os.RemoveAll(filepath.Dir(cmd.Path))
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(ended.ExitCode(), 1)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ptogo: error: pto-run cannot be started: %v\n", err)
		return 1
	}
	return 0
}

// built compiles a command of this module to a temporary folder and returns a call of it.
// "go run" would replace the exit codes of the command by 1.
func built(pkg string, args []string) (*exec.Cmd, error) {
	dir, err := os.MkdirTemp("", "ptogo")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(dir, "pto-run"+suffix()), args...)
	build := exec.Command("go", "build", "-o", cmd.Path, pkg)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("pto-run, which has the options and messages, is not in the folder of this program and cannot be compiled here: %w", err)
	}
	return cmd, nil
}

// beside returns the path of a program in the folder of this program.
func beside(name string) string {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return filepath.Join(filepath.Dir(self), name+suffix())
}

// suffix returns the end of names of executable files.
func suffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
