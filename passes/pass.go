// This file defines Pass, the description of a transformation with its options.

package passes

import "ptogo/ir"

// Pass is one transformation. Passes are package variables that never change.
type Pass struct {
	// Name is the name of the pass in command-line flags and in pipelines.
	Name string
	// Title is the name in reports, as MLIR shows it.
	Title string
	// Doc describes the pass in one sentence.
	Doc string
	// Anchor is the name of the operation that Run receives, such as
	// "builtin.module" or "func.func". If it is "", Run receives the operations of
	// the enclosing pipeline.
	Anchor string
	// Options are the options with their defaults.
	Options []Option
	// Stats are the statistics that the pass counts with Context.Count.
	Stats []Stat
	// Run transforms op and the operations in its regions. Passes on functions run in
	// parallel, so Run must not read anything outside op that a pass on another function
	// may change.
	Run func(c *Context, op *ir.Op) error
	// After, if not nil, checks the condition that must hold after the pass.
	After func(op *ir.Op) error
}

// Option describes an option of a pass: its name, its legal values and its default.
type Option struct {
	// Name is the name of the option in the text of a pipeline.
	Name string
	Doc  string
	// Kind determines which values are legal.
	Kind Kind
	// Default is the value if the option is not given.
	Default string
	// Choices are the legal values of an option of kind Word; nil allows any text.
	Choices []string
}

// Kind is the type of the value of a pass option: a flag, a number, a word, or a list of
// words.
type Kind uint8

// These are the kinds of option values. Flag is true or false. Number is a decimal
// integer. Word is any text. The kind words is a list of texts, separated by commas.
const (
	Flag Kind = iota
	Number
	Word
	words
)

// Stat is a number that a pass counts, with a description for reports.
type Stat struct{ Name, Doc string }

// title returns the name of the pass in reports.
func (p *Pass) title() string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}

// option returns the index in p.Options of the option with the given name, or -1 if p
// does not declare it.
func (p *Pass) option(name string) int {
	for i := range p.Options {
		if p.Options[i].Name == name {
			return i
		}
	}
	return -1
}

// stat returns the index in p.Stats of the statistic with the given name, or -1 if p does
// not declare it.
func (p *Pass) stat(name string) int {
	for i := range p.Stats {
		if p.Stats[i].Name == name {
			return i
		}
	}
	return -1
}

// Clock predicts durations in cycles for passes that reorder or combine instructions.
// runtime/timing implements it. Package passes does not import the timing model, so the
// caller of Pipeline.Run provides the clock.
type Clock interface {
	// Cycles returns for how many cycles the instruction op occupies its pipe, and how many
	// cycles later its result arrives.
	Cycles(op *ir.Op) (busy, rest float64)
	// Delay returns the number of cycles from the issue of the vector instruction op to the
	// earliest issue of the instruction user, which uses a result of op.
	Delay(op, user *ir.Op) float64
}
