// This file proposes other events, and the missing half of a pair.

package repair

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

// flag matches an instruction that raises or awaits an event.
var flag = pattern.Of(`pto\.(set_flag|wait_flag)\s*\[\s*<(\w+)>,\s*<(\w+)>,\s*<(\w+)>\s*\]`)

// signal is a flag instruction of a text.
type signal struct {
	place span
	raise bool
	// event is the text of pipes and event.
	event string
}

// signals returns the flag instructions of the function of text that contains off.
func signals(text string, off int) []signal {
	from := max(0, strings.LastIndex(text[:off], "func.func"))
	to := len(text)
	if n := strings.Index(text[off:], "func.func"); n > 0 {
		to = off + n
	}
	var all []signal
	for _, m := range flag().FindAllStringSubmatchIndex(text[from:to], -1) {
		part := func(k int) string { return text[from+m[2*k] : from+m[2*k+1]] }
		all = append(all, signal{span{from + m[0], from + m[1]}, part(1) == "set_flag", fmt.Sprintf("[<%s>, <%s>, <%s>]", part(2), part(3), part(4))})
	}
	return all
}

// instruction returns the text of a flag instruction.
func instruction(raise bool, event string) string {
	if raise {
		return "pto.set_flag" + event
	}
	return "pto.wait_flag" + event
}

// events returns the attempts that complete the flags of the function that e, a report about
// synchronization, is in. An event that is only raised and one that is only awaited may be
// meant as a pair; otherwise the missing half is added beside the other, or around the loop.
func events(a *attempt, e *ir.Diag, off int) []*attempt {
	if !strings.HasPrefix(e.Text, "[sync]") && !strings.HasPrefix(e.Text, "[race]") {
		return nil
	}
	all := signals(a.text, off)
	var odd []signal
	for _, s := range all {
		if !slices.ContainsFunc(all, func(o signal) bool { return o.raise != s.raise && o.event == s.event }) {
			odd = append(odd, s)
		}
	}
	var out []*attempt
	for _, s := range odd {
		for _, o := range odd {
			if s.raise != o.raise {
				out = append(out, a.edit(s.place, instruction(s.raise, o.event), costType).called("with "+instruction(s.raise, o.event)))
			}
		}
	}
	for _, s := range odd {
		out = append(out, beside(a, s)...)
	}
	for _, s := range all {
		out = append(out, around(a, s)...)
		out = append(out, siblings(a, s, all)...)
		for _, o := range all {
			if o.event != s.event && len(odd) > 0 {
				out = append(out, a.edit(s.place, instruction(s.raise, o.event), costOperation).called("with "+instruction(s.raise, o.event)))
			}
		}
	}
	return out
}

// siblings returns the attempts that add the instruction s again with an event of these pipes
// that it is not used with, beside it: events that a number selects at run time are raised or
// awaited one by one.
func siblings(a *attempt, s signal, all []signal) []*attempt {
	pipes := s.event[:strings.LastIndexByte(s.event, '<')]
	var out []*attempt
	for id := range 4 {
		event := fmt.Sprintf("%s<EVENT_ID%d>]", pipes, id)
		if slices.ContainsFunc(all, func(o signal) bool { return o.event == event }) {
			continue
		}
		line := instruction(s.raise, event)
		if fix := ir.LineAfter(ir.LocAt(&ir.Source{Text: a.text}, s.place.off), line); fix != nil {
			out = append(out, a.edit(span{fix.Off, fix.End}, fix.New, costOperation).called("with "+line))
		}
	}
	return out
}

// beside returns the attempts that add the other half of the signal s on the next line, or
// on the line before.
func beside(a *attempt, s signal) []*attempt {
	line := instruction(!s.raise, s.event)
	fix := ir.LineBefore(ir.LocAt(&ir.Source{Text: a.text}, s.place.off), line)
	if s.raise {
		fix = ir.LineAfter(ir.LocAt(&ir.Source{Text: a.text}, s.place.off), line)
	}
	if fix == nil {
		return nil
	}
	return []*attempt{a.edit(span{fix.Off, fix.End}, fix.New, costType).called("with " + line)}
}

// around returns the attempts that raise the event of s, which is awaited in a loop before
// the loop raises it, before the loop, and await it after the loop.
func around(a *attempt, s signal) []*attempt {
	if s.raise {
		return nil
	}
	start, end := loopOf(a.text, s.place.off)
	if end == 0 {
		return nil
	}
	indent := indentation(a.text[start:])
	first := indent + instruction(true, s.event) + "\n"
	last := indent + instruction(false, s.event) + "\n"
	what := "with " + instruction(true, s.event) + " before the loop and " + instruction(false, s.event) + " after it"
	return []*attempt{
		a.edit(span{end, end}, last, 0).edit(span{start, start}, first, costOperation).called(what),
		a.edit(span{start, start}, first, costOperation).called("with " + instruction(true, s.event) + " before the loop"),
		a.edit(span{end, end}, last, costOperation).called("with " + instruction(false, s.event) + " after the loop"),
	}
}

// loopOf returns the offsets of the first line of the innermost scf.for or scf.while around
// off and of the line after it. The offset of the end is 0 if there is none.
func loopOf(text string, off int) (start, end int) {
	depth := 0
	for i := off; i >= 0; i-- {
		switch text[i] {
		case '}':
			depth++
		case '{':
			depth--
		}
		if depth >= 0 {
			continue
		}
		depth = 0
		start = strings.LastIndexByte(text[:i], '\n') + 1
		if line := text[start:i]; !strings.Contains(line, "scf.for") && !strings.Contains(line, "scf.while") {
			continue
		}
		for k := i; k < len(text); k++ {
			switch text[k] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if n := strings.IndexByte(text[k:], '\n'); depth == 0 && n >= 0 {
				return start, k + n + 1
			}
		}
		return 0, 0
	}
	return 0, 0
}
