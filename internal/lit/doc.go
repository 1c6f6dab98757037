// Package lit runs tests in the form of LLVM's lit: a file says in RUN lines
// how to test what it holds. The commands that LLVM's lit has built in are built
// in here as well, and tools run as functions in process, so that no external
// program is needed. A test that asks for sed, grep, sort and similar gets
// those of the system.
//
//	config.go     Config, Tool, Status, Result
//	run.go        RunFile
//	discover.go   Discover
//	script.go     RUN, REQUIRES, XFAIL and the other keywords of a file
//	feature.go    boolean expressions over features
//	subst.go      %s, %t, %{name}, %if and similar
//	lex.go, parse.go  a RUN line to a syntax tree
//	expand.go     quotes, variables and globs to arguments
//	exec.go       lists, pipelines, redirections
//	command.go    finding and running one command
//	builtin.go    the table of built-in commands
//	builtin_*.go  what they do, by subject
//	splitfile.go, difftool.go  the larger ones
//
// # The shell
//
// RUN lines are understood here, not by a shell: pipes, `&&`, `||`, `;`, `!`,
// groups in parentheses and braces, quotes, redirections, assignments before
// a command, globs and $NAME for variables that are set. A pipeline fails when
// any of its commands fails. Here documents, background commands and command
// substitution are reported as unsupported.
//
// A command that does not exist makes the test fail whatever surrounds it:
// `not misspelled-tool` must not pass. A tool that panics counts as crashed,
// which `not` does not accept and `not --crash` asks for.
//
// Commands of a pipeline run one after the other with the output held in
// between, so that the outcome never depends on timing.
package lit
