// This file selects executions by instruction, line and condition.

package debug

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Selector selects executions of instructions: by source line, by written value, by
// mnemonic, or all. Conditions restrict the selection to a loop iteration, a rank, a
// block, a core or a work item.
type Selector struct {
	// Line is a source line, from 1; 0 selects any line.
	Line int
	// Value is the name of a value, without %, or "".
	Value string
	// Mnemonic is an instruction name such as tadd, without "pto.", or "".
	Mnemonic string
	// rounds are the conditions on loop iterations, all of which must hold.
	rounds []roundIs
	// block, rank and item are the numbers of a block, a rank and a SIMT work item; -1
	// selects any.
	block int64
	// rank is the number of a rank; -1 selects any.
	rank int64
	item int64
	// core is "cube", the number of a vector core, or "" for any core.
	core string
	// text is the selector in the syntax of the user.
	text string
}

// roundIs is a condition on the current iteration of a loop. It compares the induction
// variable with a value. Without a variable name, it compares the iteration number of the
// innermost loop.
type roundIs struct {
	// variable is the name of an induction variable without %, or "" for the innermost
	// loop.
	variable string
	// value is the value of the variable, or the number of the iteration.
	value int64
}

// ParseSelector parses a selector: LINE, %VALUE, a mnemonic, or all. Conditions can
// follow after @, separated by commas: VARIABLE=N, round=N, rank=N, block=N, core=cube,
// core=N and item=N. The function more, if it is not nil, receives each condition first.
// If it returns true, it has processed the condition, which then does not become a part
// of the selector. If it returns an error, ParseSelector returns this error.
func ParseSelector(text string, more func(key, value string) (known bool, err error)) (Selector, error) {
	s := Selector{block: -1, rank: -1, item: -1, text: text}
	what, conditions, has := strings.Cut(text, "@")
	if err := s.parseWhat(what); err != nil {
		return s, err
	}
	if !has {
		return s, nil
	}
	for _, c := range strings.Split(conditions, ",") {
		key, value, ok := strings.Cut(c, "=")
		if !ok || key == "" || value == "" {
			return s, fmt.Errorf("'%s' is not a condition on instructions: write VARIABLE=N, round=N, rank=N, block=N or core=N", c)
		}
		if more != nil {
			if known, err := more(key, value); err != nil {
				return s, err
			} else if known {
				continue
			}
		}
		if err := s.parseCondition(key, value); err != nil {
			return s, err
		}
	}
	return s, nil
}

// parseWhat parses the parameter what, the text of a selector without its conditions. The
// text is a line number, a value name such as %sum, a mnemonic, or "all". Any other text
// is an error.
func (s *Selector) parseWhat(what string) error {
	switch n, err := strconv.Atoi(what); {
	case what == "all":
	case err == nil && n > 0:
		s.Line = n
	case strings.HasPrefix(what, "%") && len(what) > 1:
		s.Value = what[1:]
	case what == "" || err == nil || strings.ContainsAny(what, " %"):
		return fmt.Errorf("'%s' is not an instruction: write its line (such as 12), its result (such as %%sum), its name (such as tadd) or all", what)
	default:
		s.Mnemonic = strings.TrimPrefix(what, "pto.")
	}
	return nil
}

// parseCondition parses one condition KEY=VALUE. An unknown key is the name of an
// induction variable.
func (s *Selector) parseCondition(key, value string) error {
	if key == "core" {
		if value != "cube" {
			if _, err := strconv.ParseUint(value, 10, 8); err != nil {
				return fmt.Errorf("'core=%s' is not a core: write core=cube, or core=N for vector core N", value)
			}
		}
		s.core = value
		return nil
	}
	n, err := strconv.ParseInt(value, 0, 64)
	if err != nil {
		return fmt.Errorf("expected a whole number after '=' in '%s=%s'", key, value)
	}
	switch key {
	case "block":
		s.block = n
	case "rank":
		s.rank = n
	case "item":
		s.item = n
	case "round":
		s.rounds = append(s.rounds, roundIs{"", n})
	default:
		s.rounds = append(s.rounds, roundIs{strings.TrimPrefix(key, "%"), n})
	}
	return nil
}

// String returns the text from which the selector was parsed.
func (s *Selector) String() string { return s.text }

// Selects reports whether the selector selects op, apart from its conditions. A value
// name selects the operations that write the value.
func (s *Selector) Selects(op *ir.Op) bool {
	switch {
	case s.Line > 0:
		return lineOf(op) == s.Line
	case s.Value != "":
		return slices.ContainsFunc(written(op), func(v *ir.Value) bool { return v.Name() == s.Value })
	case s.Mnemonic != "":
		return strings.TrimPrefix(op.Name(), "pto.") == s.Mnemonic
	}
	return true
}

// Applies reports whether event e satisfies the conditions on rank, block, core, work
// item and loop iterations.
func (s *Selector) Applies(e *runtime.Event) bool {
	switch {
	case s.rank >= 0 && int64(e.Core.Rank) != s.rank,
		s.block >= 0 && int64(e.Core.Block) != s.block,
		s.item >= 0 && int64(e.Item) != s.item,
		s.core != "" && s.core != coreName(e.Core):
		return false
	}
	return !slices.ContainsFunc(s.rounds, func(r roundIs) bool { return !r.holds(e.Rounds) })
}

// holds reports whether a condition on loop iterations is true for an execution. The
// parameter rounds contains the iterations of the enclosing loops. If the condition names
// an induction variable, holds compares the value of the variable. If it does not, holds
// compares the iteration number of the innermost loop.
func (r roundIs) holds(rounds []runtime.Round) bool {
	if r.variable == "" {
		return len(rounds) > 0 && int64(rounds[len(rounds)-1].Round) == r.value
	}
	return slices.ContainsFunc(rounds, func(o runtime.Round) bool {
		return o.Variable() == "%"+r.variable && o.Index == r.value
	})
}

// Check returns an error if the selector cannot select anything in the program: the line
// has no instruction, the value or mnemonic does not exist, or no loop has the induction
// variable.
func (s *Selector) Check(module *ir.Op) error {
	found, next := false, 0
	var names, variables, mnemonics []string
	for op := range module.Walk() {
		found = found || s.Selects(op) && (s.Line == 0 || hasArrays(op))
		// Remember the nearest later line with an instruction, for the error
		// message.
		if n := lineOf(op); n > s.Line && (next == 0 || n < next) && hasArrays(op) {
			next = n
		}
		for _, v := range written(op) {
			names = append(names, v.Name())
		}
		mnemonics = append(mnemonics, strings.TrimPrefix(op.Name(), "pto."))
		if name := (runtime.Round{Loop: op}).Variable(); name != "" {
			variables = append(variables, name[1:])
		}
	}
	for _, r := range s.rounds {
		if r.variable != "" && !slices.Contains(variables, r.variable) {
			return fmt.Errorf("no loop has the variable %%%s%s", r.variable, ir.DidYouMean("%", r.variable, variables))
		}
	}
	switch {
	case found:
		return nil
	case s.Line > 0 && next > 0:
		return fmt.Errorf("there is no instruction in line %d; the next one is in line %d", s.Line, next)
	case s.Line > 0:
		return fmt.Errorf("there is no instruction in line %d or after it", s.Line)
	case s.Value != "":
		return fmt.Errorf("no instruction has the result %%%s%s", s.Value, ir.DidYouMean("%", s.Value, names))
	case s.Mnemonic != "":
		return fmt.Errorf("the program has no instruction '%s'%s", s.Mnemonic, ir.DidYouMean("", s.Mnemonic, mnemonics))
	}
	return nil
}

// lineOf returns the source line of op, or 0 if it is unknown.
func lineOf(op *ir.Op) int {
	src, off := op.Loc().Source()
	if src == nil {
		return 0
	}
	line, _ := src.Position(off)
	return line
}

// coreName returns the name of a core in the syntax of selectors: "cube", or the number
// of a vector core.
func coreName(c *runtime.CoreInfo) string {
	if c.Unit == sem.CubeUnit {
		return "cube"
	}
	return strconv.Itoa(c.Sub)
}
