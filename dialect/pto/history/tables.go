// This file reads the tables.

package history

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// Library is the commit of the public tile library, github.com/hw-native-sys/pto-isa,
// that the project follows: generated C++ compiles with it, and tests compare results with
// it.
const Library = "3186c38"

// Kind is the kind of a construct.
type Kind string

// The kinds of constructs.
const (
	KindOp   Kind = "op"
	KindArg  Kind = "arg"
	KindMust Kind = "must"
	KindType Kind = "type"
	KindAttr Kind = "attr"
	KindCase Kind = "case"
	KindPass Kind = "pass"
	KindFlag Kind = "flag"
	KindRule Kind = "rule"
)

// Construct is one construct of the language or one name on the command line.
type Construct struct {
	Kind Kind
	Name string
}

// Op is the operation with a name, such as pto.tadd.
func Op(name string) Construct { return Construct{KindOp, name} }

// Arg is an operand or attribute of an operation.
func Arg(op, arg string) Construct { return Construct{KindArg, op + " " + arg} }

// Must states that programs may not omit an operand or attribute of an operation.
func Must(op, arg string) Construct { return Construct{KindMust, op + " " + arg} }

// Type is the type !pto.NAME.
func Type(name string) Construct { return Construct{KindType, name} }

// Attr is the attribute #pto.NAME.
func Attr(name string) Construct { return Construct{KindAttr, name} }

// Case is a word of an attribute that is an enumeration.
func Case(attr, word string) Construct { return Construct{KindCase, attr + " " + word} }

// Pass is the pass --NAME.
func Pass(name string) Construct { return Construct{KindPass, name} }

// Flag is the option --NAME of ptoas.
func Flag(name string) Construct { return Construct{KindFlag, name} }

// GMOutsideSimt is the rule that an operation may access global memory outside of SIMT
// code.
func GMOutsideSimt(op string) Construct { return Construct{KindRule, op + " gm outside simt"} }

// Release is a version in the tables. The date is that of the last commit of the version,
// or of the thread that announces it. The source is the commit or the thread.
type Release struct {
	Version      Version
	Date, Source string
}

// The tables. Both have the columns kind, name, since and until; later.tsv has a fifth
// column with the public thread. A row of kind version has a date and a source instead, and
// comes before all rows of other kinds. A row of kind args lists arguments with the same versions as their operation.
var (
	//go:embed history.tsv
	generated string
	//go:embed later.tsv
	later string
)

// tables is the content of both tables.
type tables struct {
	spans   map[Construct]Span
	sources map[Construct]string
	// required maps operations to the arguments that not all of their versions require.
	required map[string][]string
}

// releases parses the rows of versions, which --version needs without the rest.
var releases = sync.OnceValue(func() (all []Release) {
	for _, text := range []string{generated, later} {
		for line := range strings.Lines(text) {
			row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if row[0] != "version" && !strings.HasPrefix(line, "#") {
				break
			}
			if row[0] == "version" {
				v, err := Parse(row[1])
				if err != nil {
					panic(err) // the tables are part of the program, and a test reads them
				}
				all = append(all, Release{v, row[2], row[3]})
			}
		}
	}
	return all
})

// load parses the tables when they are first needed: most runs of the tools do not ask.
var load = sync.OnceValue(func() *tables {
	t := &tables{spans: map[Construct]Span{}, sources: map[Construct]string{}, required: map[string][]string{}}
	for _, text := range []string{generated, later} {
		if err := t.read(text); err != nil {
			panic(err) // the tables are part of the program, and a test reads them
		}
	}
	return t
})

// read adds the rows of a table. A row of later.tsv changes the span of a construct that
// history.tsv has: an empty column keeps its value.
func (t *tables) read(text string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		for len(row) < 5 {
			row = append(row, "")
		}
		if row[0] == "version" { // see releases
			continue
		}
		if row[0] == "args" {
			for _, arg := range strings.Fields(row[2]) {
				t.spans[Arg(row[1], arg)] = t.spans[Op(row[1])]
			}
			continue
		}
		c := Construct{Kind(row[0]), row[1]}
		s := t.spans[c]
		for i, at := range []*Version{&s.Since, &s.Until} {
			if row[2+i] == "" {
				continue
			}
			v, err := Parse(row[2+i])
			if err != nil {
				return err
			}
			*at = v
		}
		if s.Since.IsZero() {
			return fmt.Errorf("%s %s has no first version", c.Kind, c.Name)
		}
		t.spans[c] = s
		if op, arg, _ := strings.Cut(c.Name, " "); c.Kind == KindMust {
			t.required[op] = append(t.required[op], arg)
		}
		if row[4] != "" {
			t.sources[c] = row[4]
		}
	}
	return nil
}

// Releases returns the versions in the tables, oldest first.
func Releases() []Release { return releases() }

// First returns the oldest version in the tables.
func First() Version { return releases()[0].Version }

// Last returns the newest version in the tables.
func Last() Version { r := releases(); return r[len(r)-1].Version }

// Lookup returns the versions that have a construct. The result is false if they are not
// known.
func Lookup(c Construct) (Span, bool) {
	s, ok := load().spans[c]
	return s, ok
}

// Source returns the public thread that reports the last change of a construct, or "" if
// the change is in the history of the repository.
func Source(c Construct) string { return load().sources[c] }

// Required returns the arguments of an operation that version v requires and other
// versions do not.
func Required(op string, v Version) []string {
	var all []string
	for _, arg := range load().required[op] {
		if s := load().spans[Must(op, arg)]; s.Has(v) {
			all = append(all, arg)
		}
	}
	return all
}
