// This file executes shell pipelines.

package lit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// crashed is the exit status of a command that did not end normally.
const crashed = -1

// shell is the state that a command can change for the following commands.
type shell struct {
	run *run
	dir string
	env []string
}

// streams are the standard streams of a command. A nil writer means the log of the
// test.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// subshell returns a copy of sh. Changes to the copy do not affect sh.
func (sh *shell) subshell() *shell {
	return &shell{run: sh.run, dir: sh.dir, env: slices.Clone(sh.env)}
}

// exec runs the command line n with the given streams and returns its exit status. If an
// error has already ended the test, exec runs nothing and returns 1.
func (sh *shell) exec(n node, io streams) int {
	if sh.run.stopped() {
		return 1
	}
	switch n := n.(type) {
	case *list:
		return sh.execList(n, io)
	case *pipeline:
		return sh.execPipeline(n, io)
	case *group:
		return sh.execGroup(n, io)
	case *simple:
		return sh.execSimple(n, io)
	}
	panic("BUG: unknown node in a command")
}

// execList runs the left command of the list n. Depending on the operator and the exit
// status of this command, it also runs the right command.
func (sh *shell) execList(n *list, io streams) int {
	status := sh.exec(n.left, io)
	if n.op == "&&" && status != 0 || n.op == "||" && status == 0 {
		return status
	}
	return sh.exec(n.right, io)
}

// execPipeline runs the commands of a pipeline one after the other and returns the exit
// status of the pipeline: the status of the last command that failed, or 0 if every
// command succeeded. If the pipeline starts with !, this status is inverted: it is 0 if a
// command failed, and 1 if every command succeeded.
func (sh *shell) execPipeline(n *pipeline, io streams) int {
	status := 0
	in := io.in
	for i, stage := range n.stages {
		env := sh
		if len(n.stages) > 1 {
			// As in a shell, a stage of a pipeline cannot change the directory or
			// the variables for later commands.
			env = sh.subshell()
		}
		stageIO := streams{in, io.out, io.err}
		var out bytes.Buffer
		if i < len(n.stages)-1 {
			stageIO.out = &out
		}
		if s := env.exec(stage, stageIO); s != 0 {
			status = s
		}
		// Each stage runs to its end before the next one starts. That needs memory
		// for the output, but makes runs deterministic.
		in = &out
	}
	if n.negated {
		if status == 0 {
			return 1
		}
		return 0
	}
	return status
}

// execGroup runs a list of commands in parentheses or braces, with the redirections of
// the group. If the group is in parentheses, changes of the directory and of variables in
// it do not affect the commands after the group.
func (sh *shell) execGroup(n *group, io streams) int {
	inner, done, err := sh.redirect(n.redirs, io)
	defer done()
	if err != nil {
		return sh.complain("redirection", io, err)
	}
	if n.subshell {
		sh = sh.subshell()
	}
	return sh.exec(n.body, inner)
}

// execSimple runs one command and returns its exit code. Assignments before the command
// apply only to this command. Assignments without a command apply to all following
// commands.
func (sh *shell) execSimple(n *simple, io streams) int {
	env := sh.env
	for _, a := range n.assigns {
		env = setEnv(env, a.name, sh.text(a.value))
	}
	args := sh.args(n.words)
	if len(args) == 0 {
		sh.env = env
	}
	inner, done, err := sh.redirect(n.redirs, io)
	defer done()
	if err != nil {
		return sh.complain("redirection", io, err)
	}
	if len(args) == 0 {
		return 0
	}
	return sh.logged(args, env, n.redirs, inner)
}

// logged runs a command with the environment env and the redirections redirs, and returns
// its exit code. It writes the command and its output to the log.
func (sh *shell) logged(args, env []string, redirs []redirection, io streams) int {
	var out, errs bytes.Buffer
	if io.out == nil {
		io.out = &out
	}
	if io.err == nil {
		io.err = &errs
	}
	line := quoteArgs(args)
	for _, r := range redirs {
		line += " " + r.String()
	}
	sh.run.logf("$ %s\n", line)
	c := &command{shell: sh, env: env, streams: io}
	status := c.run(args)
	sh.run.logOutput("stdout", out.Bytes())
	sh.run.logOutput("stderr", errs.Bytes())
	switch {
	case status == crashed:
		sh.run.logf("# the command crashed\n")
	case status != 0:
		sh.run.logf("# exit status %d\n", status)
	}
	return status
}

// complain writes the error err of the shell to standard error and to the log. The
// parameter what is the name of the command or redirection that failed. complain returns
// the exit status 1.
func (sh *shell) complain(what string, io streams, err error) int {
	if io.err != nil {
		fmt.Fprintf(io.err, "%s: %v\n", what, err)
	}
	sh.run.logf("# %s: %v\n", what, err)
	return 1
}

// redirect applies the redirections redirs to the streams io, in order, and returns the
// resulting streams. The caller must call done to close the opened files.
func (sh *shell) redirect(redirs []redirection, io streams) (out streams, done func(), err error) {
	var files []*os.File
	done = func() {
		for _, f := range files {
			f.Close()
		}
	}
	for _, r := range redirs {
		target := sh.text(r.target)
		// The order matters: in 2>&1 >FILE the errors go to the earlier output.
		if r.op == ">&" && (target == "1" || target == "2") {
			io.duplicate(r.fd, target)
			continue
		}
		f, err := sh.open(r.op, target)
		if err != nil {
			return io, done, err
		}
		files = append(files, f)
		both := r.op == "&>" || r.op == "&>>" || r.op == ">&"
		switch {
		case r.fd == 0:
			io.in = f
		case both:
			io.out, io.err = f, f
		case r.fd == 1:
			io.out = f
		default:
			io.err = f
		}
	}
	return io, done, nil
}

// duplicate redirects one output stream to another one. After the call, the stream with
// the number fd (1 for standard output, 2 for standard error) is the same as the stream
// with the number in target, "1" or "2".
func (io *streams) duplicate(fd int, target string) {
	switch {
	case fd == 2 && target == "1":
		io.err = io.out
	case fd == 1 && target == "2":
		io.out = io.err
	}
}

// quoteArgs returns the arguments as a command line that a shell would parse back.
func quoteArgs(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\|&;()<>*?[]$`{}!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		quoted[i] = a
	}
	return strings.Join(quoted, " ")
}
