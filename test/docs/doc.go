// Package docs tests the documentation: it runs the code blocks of the README
// and of the pages under docs, and it checks links and words.
//
// The first words after the fence decide what a block must satisfy:
//
//	sh       a shell runs the block, and every command succeeds
//	console  a shell runs the lines that start with "$ "; what they print, and a
//	         last line "[exit code N]" if they fail, equals the rest of the block,
//	         in which a line "..." represents any lines
//	pto      pto-opt accepts the block, or a kernel under examples or test/lit contains it
//	python   Python runs the block with numpy and package ptogo
//	go       a Go file of the project contains the block
//	json     every line is a JSON object
//	text     is not run: a pattern or a format
//
// Words of the form needs=A,B name commands, Python modules (py:NAME, py:NAME>=X.Y) or
// environment variables ($NAME) without which the block is skipped. runs=FILE
// names the script that contains every line of the block and that CI runs.
//
// "go run ./cmd/NAME" is replaced by the tool NAME, which the test builds once.
package docs
