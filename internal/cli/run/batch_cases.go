// This file reads the cases of a batch.

package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ptogo/ir"
)

// batchCase is one case of a batch, a line of the batch file: a kernel with arguments,
// which runs once or once for each of several seeds.
type batchCase struct {
	// ID identifies the case in results. The default is the number of the line.
	ID string `json:"id"`
	// File is the path of the program. Alternatively, Text is the program itself.
	File string `json:"file"`
	Text string `json:"text"`
	// Kernel, Arch, Args and Expect have the meaning of the options --kernel, --pto-arch,
	// --arg and --expect.
	Kernel string     `json:"kernel"`
	Arch   string     `json:"arch"`
	Args   []batchArg `json:"args"`
	Expect []any      `json:"expect"` // strings
	// Flags are the values of other options of pto-run, by name.
	Flags map[string]any `json:"flags"`
	// Seeds are the seeds of the runs: a number N, which means 0 to N-1, or a list. If
	// it is nil, the case runs once.
	Seeds *batchSeeds `json:"seeds"`
	// Digest requests that the result contains the SHA-256 of each array after the run.
	Digest bool `json:"digest"`
}

// batchArg is a kernel argument of a case, in the syntax of --arg: one text for all
// ranks (simulated devices), or a text for each rank.
type batchArg struct {
	texts []string
	// each means that texts has one text for each rank.
	each bool
}

// UnmarshalJSON accepts a string, or a list with a string for each rank.
func (a *batchArg) UnmarshalJSON(b []byte) error {
	a.texts = []string{""}
	if json.Unmarshal(b, &a.texts[0]) == nil {
		return nil
	}
	a.each = true
	if json.Unmarshal(b, &a.texts) != nil {
		return errors.New("an argument must be a string, or a list with a string for each rank")
	}
	return nil
}

// source returns the source of the argument for a launch: the function that creates the
// argument from its text.
func (a batchArg) source() ArgSource {
	if !a.each {
		return TextArg(a.texts[0])
	}
	list := make(RankedArg, len(a.texts))
	for i, text := range a.texts {
		list[i] = TextArg(text)
	}
	return list
}

// seeded returns the argument with every {seed} in its texts replaced by seed.
func (a batchArg) seeded(seed string) batchArg {
	own := batchArg{make([]string, len(a.texts)), a.each}
	for i, text := range a.texts {
		own.texts[i] = strings.ReplaceAll(text, seedMark, seed)
	}
	return own
}

// batchSeeds is the list of seeds for which a case runs.
type batchSeeds []uint64

// mostSeeds is the maximum number of seeds of a case.
const mostSeeds = 1 << 20

// UnmarshalJSON accepts a number N, which means the seeds 0 to N-1, or a list of seeds.
func (s *batchSeeds) UnmarshalJSON(b []byte) error {
	var n uint64
	if json.Unmarshal(b, &n) == nil {
		if n > mostSeeds {
			return fmt.Errorf("expected at most %d seeds, found %d", mostSeeds, n)
		}
		*s = make(batchSeeds, n)
		for i := range *s {
			(*s)[i] = uint64(i)
		}
		return nil
	}
	return json.Unmarshal(b, (*[]uint64)(s))
}

// batchKey identifies a run of a batch by its case and its seed.
type batchKey struct {
	ID   string `json:"id"`
	Seed uint64 `json:"seed"`
}

// String returns the name of the run in reports.
func (k batchKey) String() string { return fmt.Sprintf("%s, seed %d", k.ID, k.Seed) }

// batchRun is one run of a batch: a case with one of its seeds.
type batchRun struct {
	key batchKey
	*batchCase
}

// seedMark is a text in the arguments, expected results and options of a case. In each
// run of the case, it is replaced by the seed of the run.
const seedMark = "{seed}"

// readCases parses a batch file and returns its runs. It returns an error if two runs
// have the same case ID and seed.
func readCases(src *ir.Source) ([]batchRun, error) {
	var runs []batchRun
	seen := map[batchKey]int{}
	line := 0
	for text := range strings.Lines(src.Text) {
		line++
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		c, err := readCase(text, line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", src.Name, line, err)
		}
		for _, r := range c.runs() {
			if before := seen[r.key]; before > 0 {
				return nil, fmt.Errorf("%s:%d: the id %q must be unique, but the case in line %d has the same id", src.Name, line, r.ID, before)
			}
			seen[r.key] = line
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s contains no cases", src.Name)
	}
	return runs, nil
}

// readCase parses text, one line of a batch file that contains a JSON object, and returns
// the case that it describes. The parameter line is the number of the line. It becomes
// the ID of the case if the object contains none.
func readCase(text string, line int) (*batchCase, error) {
	c := &batchCase{}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(c); err != nil {
		return nil, fmt.Errorf("expected a batch case, a JSON object: %w", err)
	}
	if dec.More() {
		return nil, errors.New("unexpected text after the case: each case must be on its own line")
	}
	if (c.File == "") == (c.Text == "") {
		return nil, errors.New("a case needs either \"file\" or \"text\", which holds its program")
	}
	for _, e := range c.Expect {
		if _, ok := e.(string); !ok {
			return nil, errors.New("expect must be a list of strings, such as \"1=want.npy,rtol=1e-5\"")
		}
	}
	if c.Seeds != nil && !strings.Contains(text, seedMark) {
		return nil, fmt.Errorf("the case has seeds, but no argument contains %s: expected an argument such as rand=32x64xf32,seed=%s", seedMark, seedMark)
	}
	if c.ID == "" {
		c.ID = strconv.Itoa(line)
	}
	if c.File != "" && c.Text == "" {
		return c, nil
	}
	c.File = "<text of " + c.ID + ">"
	return c, nil
}

// runs returns the runs that a case describes, one for each seed.
func (c *batchCase) runs() []batchRun {
	if c.Seeds == nil {
		return []batchRun{{batchKey{ID: c.ID}, c}}
	}
	runs := make([]batchRun, len(*c.Seeds))
	for i, seed := range *c.Seeds {
		runs[i] = batchRun{batchKey{c.ID, seed}, c}
	}
	return runs
}

// seeded returns the case with {seed} replaced by the seed of the run.
func (r batchRun) seeded() *batchCase {
	if r.Seeds == nil {
		return r.batchCase
	}
	c := *r.batchCase
	seed := strconv.FormatUint(r.key.Seed, 10)
	c.Args = make([]batchArg, len(r.Args))
	for i, a := range r.Args {
		c.Args[i] = a.seeded(seed)
	}
	c.Expect, _ = withSeed(r.Expect, seed).([]any)
	c.Flags, _ = withSeed(r.Flags, seed).(map[string]any)
	return &c
}

// withSeed replaces {seed} by seed in all strings of a JSON value, including nested
// ones.
func withSeed(value any, seed string) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(v, seedMark, seed)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = withSeed(e, seed)
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = withSeed(e, seed)
		}
		return m
	}
	return value
}
