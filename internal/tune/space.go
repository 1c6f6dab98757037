// This file reads descriptions of searches and lists their candidates.

package tune

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Space describes a search for the fastest variant of a kernel. It is the JSON content of
// the file given to pto-run --tune.
type Space struct {
	// File is the path of the program template. Text, if not empty, is the template
	// itself.
	File string `json:"file"`
	Text string `json:"text"`
	// Kernel, Arch and Chip have the same meaning as the pto-run options of these names.
	Kernel string `json:"kernel"`
	Arch   string `json:"arch"`
	Chip   string `json:"chip"`
	// Params lists the possible values of each parameter.
	Params map[string][]int64 `json:"params"`
	// Let defines further names in the form "NAME = EXPRESSION". A definition may use
	// earlier ones.
	Let []string `json:"let"`
	// Where lists constraints as expressions. A combination of parameters is skipped if
	// one of them is 0.
	Where []string `json:"where"`
	// Sizes lists the problem sizes of the rounds, with the smallest first. Each size
	// assigns values to further names. Without sizes, the search has one round.
	Sizes []Values `json:"sizes"`
	// Blocks is an expression for the number of blocks; the default is 1.
	Blocks string `json:"blocks"`
	// Args are the arguments of the kernel in the syntax of pto-run --arg. They may
	// contain expressions.
	Args []string `json:"args"`
	// Passes lists additional passes, each with an optional condition, such as
	// "pto-multi-buffer{factor=${BUFFERS}} if BUFFERS > 1". A pass that belongs to the
	// device path runs at its position in that path; another pass runs before the path.
	Passes []string `json:"passes"`
	// Baseline holds the parameters of the candidate with which all other candidates are
	// compared. Its results are the reference for the results of the best candidates.
	//
	// Reference is the path of a separate template for the baseline, such as a kernel
	// written by hand, and ReferenceKernel names the kernel in it.
	Baseline        Values `json:"baseline"`
	Reference       string `json:"reference"`
	ReferenceKernel string `json:"reference_kernel"`
	// Best is the number of candidates that are executed in the end, by default 3. Keep is
	// the divisor of the number of candidates from round to round, by default 4.
	Best int `json:"best"`
	Keep int `json:"keep"`
	// Samples limits the number of candidates to a random sample with Seed; 0 means all.
	Samples int    `json:"samples"`
	Seed    uint64 `json:"seed"`
	// Texts are programs by candidate and size, for programs that a function has made
	// instead of a template. Candidates are their parameters.
	Texts      [][]string `json:"texts"`
	Candidates []Values   `json:"candidates"`

	// referenceText is the text of Reference.
	referenceText string
}

// mostCandidates limits the number of parameter combinations of a search.
const mostCandidates = 1 << 20

// ReadSpace parses the JSON description of a search. It reports an error if the
// description is incomplete or contradictory. The function read returns the contents of a
// file that the description names.
func ReadSpace(text []byte, read func(path string) ([]byte, error)) (*Space, error) {
	s := &Space{Best: 3, Keep: 4, Seed: 1}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	switch {
	case len(s.Texts) != len(s.Candidates):
		return nil, fmt.Errorf("'texts' and 'candidates' must have the same length, but have %d and %d", len(s.Texts), len(s.Candidates))
	case len(s.Texts) == 0 && s.File == "" && s.Text == "":
		return nil, fmt.Errorf("expected 'file', the path of a template")
	case len(s.Texts) == 0 && len(s.Params) == 0:
		return nil, fmt.Errorf("expected 'params', the values of each parameter")
	case s.Best < 1 || s.Keep < 2:
		return nil, fmt.Errorf("'best' must be at least 1, and 'keep' at least 2")
	case s.Reference != "" && s.Baseline == nil:
		return nil, fmt.Errorf("'reference' needs 'baseline', the parameters of the reference")
	}
	if len(s.Sizes) == 0 {
		s.Sizes = []Values{{}}
	}
	for i, texts := range s.Texts {
		if len(texts) != len(s.Sizes) {
			return nil, fmt.Errorf("candidate %d has %d texts, but requires one for each of the %d sizes", i, len(texts), len(s.Sizes))
		}
	}
	for _, f := range []struct {
		path string
		to   *string
	}{{s.File, &s.Text}, {s.Reference, &s.referenceText}} {
		if f.path == "" {
			continue
		}
		text, err := read(f.path)
		if err != nil {
			return nil, err
		}
		*f.to = string(text)
	}
	if s.Blocks == "" {
		s.Blocks = "1"
	}
	return s, nil
}

// names returns the values of all names for a candidate at one problem size: the size,
// the parameters and the definitions of Let.
func (s *Space) names(params Values, size int) (Values, error) {
	all := maps.Clone(s.Sizes[size])
	if all == nil {
		all = Values{}
	}
	maps.Copy(all, params)
	for _, text := range s.Let {
		name, expr, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("expected \"NAME = EXPRESSION\" in 'let', found '%s'", text)
		}
		x, err := evaluate(expr, all)
		if err != nil {
			return nil, err
		}
		all[strings.TrimSpace(name)] = x
	}
	return all, nil
}

// fits reports whether the parameters satisfy all constraints at all problem sizes.
func (s *Space) fits(params Values) (bool, error) {
	for size := range s.Sizes {
		names, err := s.names(params, size)
		if err != nil {
			return false, err
		}
		for _, text := range s.Where {
			x, err := evaluate(text, names)
			if err != nil || x == 0 {
				return false, err
			}
		}
	}
	return true, nil
}

// candidates returns the parameter combinations that satisfy the constraints, and the
// total number of combinations. The order is fixed, with the baseline first.
func (s *Space) candidates() (list []Values, total int, err error) {
	if len(s.Texts) > 0 {
		return s.Candidates, len(s.Candidates), nil
	}
	names := slices.Sorted(maps.Keys(s.Params))
	total = 1
	for _, n := range names {
		total *= len(s.Params[n])
		if total > mostCandidates || total == 0 {
			return nil, 0, fmt.Errorf("'params' have %d combinations: expected 1 to %d", total, mostCandidates)
		}
	}
	for i := range total {
		v, rest := Values{}, i
		for _, n := range names {
			v[n] = s.Params[n][rest%len(s.Params[n])]
			rest /= len(s.Params[n])
		}
		ok, err := s.fits(v)
		if err != nil {
			return nil, 0, err
		}
		if ok && !s.isBaseline(v) {
			list = append(list, v)
		}
	}
	if s.Samples > 0 && s.Samples < len(list) {
		r := rand.New(rand.NewPCG(s.Seed, 44))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:s.Samples]
	}
	if s.Baseline != nil {
		list = slices.Insert(list, 0, s.Baseline)
	}
	return list, total, nil
}

// isBaseline reports whether v are the parameters of the baseline.
func (s *Space) isBaseline(v Values) bool { return s.Baseline != nil && maps.Equal(v, s.Baseline) }

// key returns the values as text, sorted by name, such as "TK=64 TM=128". Searches use it
// to identify a candidate.
func (v Values) key() string {
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(v)) {
		parts = append(parts, fmt.Sprintf("%s=%d", n, v[n]))
	}
	return strings.Join(parts, " ")
}
