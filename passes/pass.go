package passes

import "ptogo/ir"

// Pass is one transformation. It is made at start-up and never changes.
type Pass struct {
	Name  string // as flags and pipelines spell it
	Title string // as reports spell it
	Doc   string // one sentence
	// Anchor is the operation that Run is given: "builtin.module",
	// "func.func", or "" for whatever the pipeline around it runs on.
	Anchor  string
	Options []Option
	Stats   []Stat
	// Run changes op and what is below it. Passes on functions run side by
	// side, so Run looks at nothing outside op that another one may change.
	Run func(c *Context, op *ir.Op) error
	// After checks what must hold when the pass is done.
	After func(op *ir.Op) error
}

// Option is a choice that the user of a pass has.
type Option struct {
	Name    string
	Doc     string
	Kind    Kind
	Default string
	Choices []string // legal words of a Word; nil allows all
}

// Kind says how the value of an option is written.
type Kind uint8

// A Flag is true or false, a Number a decimal integer, a Word any text, and
// Words are texts with commas in between.
const (
	Flag Kind = iota
	Number
	Word
	words
)

// Stat is something a pass counts.
type Stat struct{ Name, Doc string }

// title returns the name for reports.
func (p *Pass) title() string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}

// option returns the number of the option name, or -1.
func (p *Pass) option(name string) int {
	for i := range p.Options {
		if p.Options[i].Name == name {
			return i
		}
	}
	return -1
}

// stat returns the number of the statistic name, or -1.
func (p *Pass) stat(name string) int {
	for i := range p.Stats {
		if p.Stats[i].Name == name {
			return i
		}
	}
	return -1
}
