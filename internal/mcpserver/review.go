package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"ptogo/internal/review"
)

// Reviewed are the parameters of the tool review.
type Reviewed struct {
	Source
	Before      string   `json:"before" jsonschema:"the text of the program before the change; program or file is the one after it"`
	TestsBefore string   `json:"tests_before,omitempty" jsonschema:"the text of the tests before the change: commands, a lit file or Python"`
	TestsAfter  string   `json:"tests_after,omitempty" jsonschema:"the text of the tests after the change"`
	Kernel      string   `json:"kernel,omitempty" jsonschema:"the kernel, if the program has several"`
	Args        []string `json:"args,omitempty" jsonschema:"arguments for which the results before and after are compared, in the form of the tool check"`
	Blocks      int      `json:"blocks,omitempty" jsonschema:"number of blocks; the default is 1"`
}

// versions are what the process of a review reads from its standard input.
type versions struct{ Before, After review.Version }

func init() { tools["review"] = reviewTool }

// reviewTool compares two versions. The exit code is 5 if there are findings.
func reviewTool(_ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var v versions
	if err := json.NewDecoder(stdin).Decode(&v); err != nil {
		fmt.Fprintf(stderr, "review: error: %v\n", err)
		return 2
	}
	r := review.Compare(v.Before, v.After)
	io.WriteString(stdout, r.String())
	if len(r.Findings) > 0 {
		return 5
	}
	return 0
}

// review answers a request of the tool review. If the request has arguments of a launch, it
// also decides whether the two programs are equivalent for them.
func (f *files) review(ctx context.Context, p Reviewed) (Answer, error) {
	after := p.Program
	if p.File != "" {
		path, err := f.path(p.File)
		if err != nil {
			return Answer{}, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return Answer{}, errors.New("the file cannot be read")
		}
		after = string(text)
	}
	request, err := json.Marshal(versions{review.Version{Program: p.Before, Tests: p.TestsBefore}, review.Version{Program: after, Tests: p.TestsAfter}})
	if err != nil {
		return Answer{}, err
	}
	a, err := execute(ctx, f.root, string(request), "review", nil)
	if err != nil {
		return Answer{}, err
	}
	switch a.Exit {
	case 0:
		a.Verdict = "nothing found in what was compared"
	case 5:
		a.Verdict = "the tests are weaker"
	}
	if len(p.Args) == 0 {
		a.Text += "the results before and after the change are not compared, as the request has no args\n"
		return a, nil
	}
	before, remove, err := f.temporary(p.Before)
	if err != nil {
		return Answer{}, err
	}
	defer remove()
	same, err := f.launch(ctx, Launch{Source: p.Source, Kernel: p.Kernel, Args: p.Args, Blocks: p.Blocks}, "--equivalent="+before)
	if err != nil {
		return Answer{}, err
	}
	a.Text += "results before and after the change: " + same.Text
	a.Cut = a.Cut || same.Cut
	if a.OK && !same.OK {
		a.OK, a.Exit, a.Verdict = false, same.Exit, "the results are not proved to be equal"
	}
	return a, nil
}
