// This file runs commands.

package lit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// command is a running command. Built-in commands may change the state of the shell.
type command struct {
	*shell
	// env is the environment, including the assignments that precede the command.
	env []string
	streams
}

// exitNotFound is the exit status of shells for an unknown command.
const exitNotFound = 127

// run runs the command args, whose first word is a name, and returns the exit code. It
// searches the name in this order: tools, built-in commands, configured programs, and
// text tools of the system or programs on PATH.
func (c *command) run(args []string) int {
	if c.shell.run.stopped() {
		return 1
	}
	name := args[0]
	if tool, ok := c.shell.run.cfg.Tools[name]; ok {
		return c.runTool(name, tool, args[1:])
	}
	if f, ok := builtins[name]; ok {
		return f(c, args[1:])
	}
	if path, ok := c.shell.run.cfg.Programs[name]; ok {
		return c.runProgram(path, args)
	}
	path, err := c.lookPath(name)
	if err != nil {
		return c.shell.run.stop(err)
	}
	return c.runProgram(path, args)
}

// lookPath returns the path of the external program with the given name, if the
// configuration allows it.
func (c *command) lookPath(name string) (string, error) {
	if !c.shell.run.cfg.UsePath && !slices.Contains(systemText, name) {
		return "", fmt.Errorf("command not found: %s", name)
	}
	if strings.ContainsRune(name, filepath.Separator) {
		name = c.path(name)
		if !executable(name) {
			return "", fmt.Errorf("no such program: %s", name)
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(Getenv(c.env, "PATH")) {
		if path := filepath.Join(c.path(dir), name); dir != "" && executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("command not found: %s", name)
}

// executable reports whether path is an executable file.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// runTool runs a tool as a function in this process and returns its exit status. A panic
// counts as a crash. A function cannot be stopped, so after the time limit the tool is
// abandoned, and its further output is discarded.
func (c *command) runTool(name string, tool Tool, args []string) int {
	out, errs := &guarded{w: c.out}, &guarded{w: c.err}
	if c.out == c.err {
		errs = out
	}
	env := setEnv(c.env, "PWD", c.dir)
	ended := make(chan int, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprintf(errs, "%s: panic: %v\n%s", name, p, debug.Stack())
				ended <- crashed
			}
		}()
		ended <- tool(slices.Clone(args), env, c.input(), out, errs)
	}()
	select {
	case status := <-ended:
		return status
	case <-c.shell.run.ctx.Done():
		out.close()
		errs.close()
		return c.shell.run.stop(c.shell.run.timeout())
	}
}

// runProgram runs an external program and returns its exit status.
func (c *command) runProgram(path string, args []string) int {
	cmd := exec.CommandContext(c.shell.run.ctx, path)
	cmd.Args = args
	cmd.Dir = c.dir
	cmd.Env = setEnv(c.env, "PWD", c.dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.input(), c.out, c.err
	cmd.WaitDelay = programDelay
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case c.shell.run.ctx.Err() != nil:
		return c.shell.run.stop(c.shell.run.timeout())
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		fmt.Fprintf(c.err, "%s: %v\n", args[0], exit)
		return crashed
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintf(c.err, "%s: %v\n", args[0], err)
		return exitNotFound - 1 // found, but not executable
	}
	return 0
}
