package lit_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/filecheck"
	"ptogo/internal/lit"
	"ptogo/tools/outside"
)

// agreeing runs our FileCheck and LLVM's on the same input and wants the same
// exit status. Ours always runs; what LLVM's says of the same patterns and the
// same input is kept from run to run, since to start it 800 times takes longer
// than all the tests.
func agreeing(t *testing.T, llvm string, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	input, err := io.ReadAll(stdin)
	if err != nil {
		t.Errorf("reading the input of FileCheck: %v", err)
	}
	dir := lit.Getenv(env, "PWD")
	status := filecheck.RunIn(dir, args, bytes.NewReader(input), stdout, stderr)

	q := outside.Question{Tool: llvm, Stdin: string(input), Files: map[string]string{}}
	for _, arg := range args {
		q.Args = append(q.Args, inQuestion(dir, arg, q.Files))
	}
	theirs, err := outside.Ask(q)
	if err != nil {
		t.Errorf("running LLVM's FileCheck: %v", err)
	} else if theirs.Status != status {
		t.Errorf("FileCheck %q: our status is %d, LLVM's %d\n%s%s", args, status, theirs.Status, theirs.Stdout, theirs.Stderr)
	}
	return status
}

// inQuestion returns an argument of FileCheck under which a file that it names
// is part of a question: the pattern file stands alone, the input after
// --input-file=. Where there is no such file, FileCheck shall say so.
func inQuestion(dir, arg string, files map[string]string) string {
	option, path := "", arg
	if strings.HasPrefix(arg, "-") {
		name, value, _ := strings.Cut(arg, "=")
		if strings.TrimLeft(name, "-") != "input-file" {
			return arg
		}
		option, path = name+"=", value
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return arg
	}
	name := fmt.Sprintf("%d-%s", len(files), filepath.Base(path))
	files[name] = string(text)
	return option + name
}
