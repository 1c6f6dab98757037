package mutate

import (
	"regexp"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/lower"
	"ptogo/passes"
	"ptogo/runtime/equiv"
)

// fault is a class of mistakes that a pass could make: where matches the text that it
// changes, and plant returns what it becomes, or "".
type fault struct {
	class string
	where *regexp.Regexp
	plant func(found []string) string
}

var faults = []fault{
	{"wrong address", regexp.MustCompile(`arith\.constant ([1-9]\d*) : i64`), func(m []string) string { return "arith.constant " + m[1] + "0 : i64" }},
	{"wrong address of zero", regexp.MustCompile(`arith\.constant 0 : i64`), func([]string) string { return "arith.constant 1024 : i64" }},
	{"wrong offset of a part", regexp.MustCompile(`offsets = \[%(\w+), %(\w+)\]`), func(m []string) string {
		if m[1] == m[2] {
			return ""
		}
		return "offsets = [%" + m[2] + ", %" + m[1] + "]"
	}},
	{"swapped operands", regexp.MustCompile(`(pto\.(?:tsub|tdiv|vsub|vdiv|vsel|tsel|trowexpandsub|trowexpanddiv)\b[^\n%]*)(%\w+), (%\w+)`), func(m []string) string {
		return m[1] + m[3] + ", " + m[2]
	}},
	{"another operation", regexp.MustCompile(`pto\.(tadd|tmul|tmax|texp|vadd|vmul|vexp|vmax|trowmax|trowsum|tadds|tmuls)\b`), func(m []string) string {
		return "pto." + map[string]string{"tadd": "tmul", "tmul": "tadd", "tmax": "tmin", "texp": "tabs", "vadd": "vmul", "vmul": "vadd", "vexp": "vabs", "vmax": "vmin",
			"trowmax": "trowmin", "trowsum": "trowmax", "tadds": "tmuls", "tmuls": "tadds"}[m[1]]
	}},
	{"dropped instruction", regexp.MustCompile(`(?m)^ *pto\.(?:tstore|tload|tmov|texp|tadd|tmul|tsub|tmatmul|tmatmul\.acc|vsts|tcvt|textract)\b[^\n]*\n`), func([]string) string { return "\n" }},
	{"order of sums", regexp.MustCompile(`pto\.tmatmul\.acc ins\((%\w+), (%\w+), (%\w+)`), func(m []string) string { return "pto.tmatmul.acc ins(" + m[1] + ", " + m[3] + ", " + m[2] }},
	{"lost accumulator", regexp.MustCompile(`pto\.tmatmul\.acc ins\(%\w+, (%\w+), (%\w+) : [^,]*, `), func(m []string) string { return "pto.tmatmul ins(" + m[1] + ", " + m[2] + " : " }},
	{"wrong rounding", regexp.MustCompile(`round_mode (\w+)>`), func(m []string) string {
		if m[1] == "FLOOR" {
			return "round_mode CEIL>"
		}
		return "round_mode FLOOR>"
	}},
	{"stale buffer", regexp.MustCompile(`(ins\(%\w+, )(%\w+)( : )`), func(m []string) string {
		return m[1] + strings.TrimSuffix(strings.TrimPrefix(m[1], "ins("), ", ") + m[3]
	}},
	{"wrong constant", regexp.MustCompile(`arith\.constant (\d)\.(\d+)(?:e[+-]\d+)? : f(32|16)`), func(m []string) string { return "arith.constant 7." + m[2] + " : f" + m[3] }},
	{"wrong extent", regexp.MustCompile(`arith\.constant (16|32|64|128) : index`), func(m []string) string {
		return "arith.constant " + map[string]string{"16": "15", "32": "31", "64": "48", "128": "96"}[m[1]] + " : index"
	}},
	{"wrong slot", regexp.MustCompile(`(pto\.multi_tile_get %\w+)\[%\w+\]`), func(m []string) string { return m[1] + "[%c0]" }},
	{"wrong column", regexp.MustCompile(`v_col=(\d+)`), func(m []string) string { return "v_col=1" }},
	{"order of two lines", regexp.MustCompile(`(?m)^( *pto\.[^\n]*\n)( *pto\.[^\n]*\n)`), func(m []string) string { return m[2] + m[1] }},
}

// lowered are programs in forms that passes leave: on buffers, and with addresses and
// flags.
func lowered(t *testing.T, l *launchable) []*launchable {
	all := []*launchable{l}
	registry := passes.NewRegistry(passes.Table{Passes: lower.List}, passes.Table{Passes: passes.List, Order: passes.Rules})
	for _, pipeline := range []string{"builtin.module(pto-bufferize)", "builtin.module(pto-bufferize,pto-multi-buffer,pto-plan-memory,pto-insert-sync)"} {
		var diags ir.Diags
		m, _ := ir.Parse(&ir.Source{Name: l.name, Text: l.text}, ir.ParseOptions{}, &diags)
		p := passes.ParsePipeline(registry, pipeline, &diags)
		if m == nil || p == nil || !p.Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
			continue
		}
		other := *l
		other.text = m.String()
		if prog, err := other.load(other.text, len(l.args)); err == nil {
			other.prog = prog
			all = append(all, &other)
		}
	}
	return all
}

// TestPlanted plants faults of every class into examples, as they are and as passes leave
// them. Those that change results on random data are all refuted.
func TestPlanted(t *testing.T) {
	const perPlace = 3 // faults of a class in one program
	planted, harmless, open := map[string]int{}, 0, 0
	total := 0
	seen := map[string]bool{}
	for _, first := range launchables(t) {
		if seen[first.name] {
			continue
		}
		seen[first.name] = true
		for _, l := range lowered(t, first) {
			for _, f := range faults {
				places := f.where.FindAllStringSubmatchIndex(l.text, -1)
				for i, found := 0, 0; i < len(places) && found < perPlace; i++ {
					at := places[i]
					var groups []string
					for k := 0; k < len(at); k += 2 {
						groups = append(groups, l.text[at[k]:at[k+1]])
					}
					becomes := f.plant(groups)
					if becomes == "" || becomes == groups[0] {
						continue
					}
					text := l.text[:at[0]] + becomes + l.text[at[1]:]
					p, err := l.load(text, len(l.args))
					if err != nil {
						continue
					}
					if l.same(p, 11) && l.same(p, 12) {
						harmless++
						continue
					}
					v, err := l.compare(p)
					if err != nil {
						continue
					}
					found++
					planted[f.class]++
					total++
					if v.Outcome == equiv.NotDecided {
						open++
						t.Logf("%s in %s is not decided: %s", f.class, l.name, v.Why)
					}
					if v.Outcome == equiv.Equivalent {
						t.Errorf("%s in %s is not found:\n%s\nbecomes\n%s\nin\n%s", f.class, l.name, groups[0], becomes, l.text)
					}
				}
			}
		}
	}
	t.Logf("%d faults, %d not decided, %d harmless: %v", total, open, harmless, planted)
	if total < 100 || len(planted) < 10 {
		t.Errorf("%d faults of %d classes were planted, expected 100 of 10", total, len(planted))
	}
	if open > 0 {
		t.Errorf("%d faults were not refuted", open)
	}
}
