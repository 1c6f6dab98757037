// Package lit runs tests in the format of LLVM's lit: RUN lines in a file contain
// the commands that test the rest of the file. The package implements lit's
// built-in commands, and tools run as functions in this process, so no external
// program is needed. Only sed, grep, sort and similar text tools come from the
// system.
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
//	builtin_*.go  their implementations, by subject
//	splitfile.go, difftool.go  the larger ones
//
// # The shell
//
// The package interprets RUN lines itself, without a shell: pipes, `&&`, `||`, `;`,
// `!`, groups in parentheses and braces, quotes, redirections, assignments before a
// command, globs, and $NAME for variables that are set. A pipeline fails if any of
// its commands fails. Here documents, background commands and command substitution
// are reported as unsupported.
//
// An unknown command makes the test fail in any context: `not misspelled-tool` must
// not pass. A tool that panics counts as crashed, which `not` rejects and `not
// --crash` requires.
//
// The commands of a pipeline run one after the other, with the output buffered in
// between, so that the result never depends on timing.
package lit
