// This file writes examples at all levels.

package example

import (
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/refpage"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/ptoas"
	"ptogo/passes"
)

// The levels in which tile instructions have different syntax.
const (
	level1 = "Level 1"
	level2 = "Level 2"
	ptoAS  = "PTO-AS"
)

// Spellings returns the examples of an instruction, each with its program level (Level 1,
// Level 2 or PTO-AS). The examples of the definition come first. If the definition has an
// example in Level 1, Spellings also derives examples for the missing levels: it lowers
// the Level 1 example to Level 2, and writes it as PTO-AS.
func Spellings(d *ir.Def) []refpage.Spelling {
	var list []refpage.Spelling
	for _, text := range d.Examples {
		list = append(list, refpage.Spelling{Level: levelOf(d, text), Text: text})
	}
	first := func(level string) int {
		return slices.IndexFunc(list, func(s refpage.Spelling) bool { return s.Level == level })
	}
	i := first(level1)
	if i < 0 {
		return list
	}
	text := list[i].Text
	if first(level2) < 0 {
		list = add(list, level2, onLevel2(d, text))
	}
	return add(list, ptoAS, asPTOAS(d, text))
}

// add appends an example with the given level and text to the list, unless the text is
// empty.
func add(list []refpage.Spelling, level, text string) []refpage.Spelling {
	if text == "" {
		return list
	}
	return append(list, refpage.Spelling{Level: level, Text: text})
}

// levelOf returns the level of the program syntax in which an example is written. It
// returns "" if the instruction has the same syntax on all levels.
func levelOf(d *ir.Def, text string) string {
	if m, _ := Read(d, text); m != nil {
		switch Find(m, d).Form().Level {
		case ir.SSA:
			return level1
		case ir.DPS:
			return level2
		}
	}
	return ""
}

// onLevel2 returns the text of a Level 1 example after bufferization, which
// replaces tile values by buffers. It uses the first target on which the example is
// legal.
func onLevel2(d *ir.Def, text string) string {
	for _, t := range []ir.Target{sem.A3, sem.A5} {
		m, _ := Read(d, text)
		var diags ir.Diags
		p := passes.NewPipeline()
		if ir.Verify(m, ir.VerifyOptions{Target: t, Sequential: true}, &diags) &&
			p.Add(bufferize.Bufferize, "", &diags) && p.Run(m, passes.RunOptions{Target: t, Diags: &diags}) {
			var b strings.Builder
			ir.Print(&b, m, ir.PrintOptions{})
			return lineWith(b.String(), d.Name+" ")
		}
	}
	return ""
}

// asPTOAS returns the text of a Level 1 example in PTO-AS, the assembly syntax, or "" if
// PTO-AS cannot express it.
func asPTOAS(d *ir.Def, text string) string {
	m, _ := Read(d, text)
	var b strings.Builder
	var diags ir.Diags
	if !ptoas.WriteAS(&b, m, &diags) {
		return ""
	}
	return lineWith(b.String(), strings.TrimPrefix(d.Name, "pto.")+" ")
}

// lineWith returns the first line of the text in which the instruction with the given
// name starts, with or without results. It returns "" if no such line exists.
func lineWith(text, name string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, name) || strings.Contains(line, " = "+name) {
			return line
		}
	}
	return ""
}

// Find returns the operation with definition d in a program that Read returned. It panics
// if there is none.
func Find(m *ir.Op, d *ir.Def) *ir.Op {
	for op := range m.Walk() {
		if op.Def() == d {
			return op
		}
	}
	panic("BUG: an example of " + d.Name + " is without it")
}
