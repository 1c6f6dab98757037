package timing

import (
	"fmt"
	"strings"
)

// WhatIf is a change of the chip or of the program, and what the kernel would
// take with it.
type WhatIf struct {
	Change string  `json:"what"`
	Micros float64 `json:"kernel_us"`
	Gain   float64 `json:"change"` // of the time of the kernel: -0.1 is 10 % less
}

// usualChanges are those that a report shows.
var usualChanges = []struct {
	name    string
	changes []string
	opt     Options
}{
	{"global memory 10 % faster", []string{"gm.hit*1.1", "gm.miss*1.1", "bw.GM_L1*1.1", "bw.GM_UB*1.1"}, Options{}},
	{"flags and barriers free", nil, Options{FreeSync: true}},
	{"one buffer more", nil, Options{MoreBuffers: true}},
	{"all copies aligned", []string{"gm.unaligned=1"}, Options{}},
	{"inputs in L2", nil, Options{Warm: true}},
	{"cube head 0", []string{"cube.head=0"}, Options{}},
	{"vector unit 10 % faster", []string{"vec.**0.9"}, Options{}},
}

// leastGain is the gain that is worth a line in a report.
const leastGain = 0.0005

// WhatIfs predicts the time with each of some changes, as Chip.With takes them
// (several joined by +), or with the usual ones if there are none. Of those it
// leaves out what changes nothing.
func WhatIfs(r *Recorder, base *Result, o Options, changes []string) ([]WhatIf, error) {
	var list []WhatIf
	add := func(name string, c *Chip, o Options) {
		res := Replay(r, c, o)
		list = append(list, WhatIf{name, res.Micros, share(res.Micros-base.Micros, base.Micros)})
	}
	for _, change := range changes {
		c, err := base.Chip.With(strings.Split(change, "+")...)
		if err != nil {
			return nil, err
		}
		add(change, c, o)
	}
	if len(changes) > 0 {
		return list, nil
	}
	for _, u := range usualChanges {
		c, err := base.Chip.With(u.changes...)
		if err != nil {
			continue // another profile has no such constant
		}
		opt := o
		opt.FreeSync, opt.MoreBuffers, opt.Warm = o.FreeSync || u.opt.FreeSync, o.MoreBuffers || u.opt.MoreBuffers, o.Warm || u.opt.Warm
		add(u.name, c, opt)
		if g := list[len(list)-1].Gain; g < leastGain && g > -leastGain {
			list = list[:len(list)-1]
		}
	}
	return list, nil
}

// WhatIfText is the part of the report about changes.
func WhatIfText(list []WhatIf) string {
	var b strings.Builder
	if len(list) > 0 {
		b.WriteString("what if:\n")
	}
	for _, w := range list {
		fmt.Fprintf(&b, "  %-28s %+6.1f %%  (kernel %s)\n", w.Change, 100*w.Gain, micros(w.Micros))
	}
	return b.String()
}

// Constants lists what What-If can change, with value, class and source.
func (c *Chip) Constants() string {
	var b strings.Builder
	for _, key := range c.Keys() {
		k := c.values[key]
		value := fmt.Sprintf("%g", k.Value)
		if k.Head != 0 || k.Tail != 0 {
			value = fmt.Sprintf("%g + %g per repeat + %g", k.Head, k.Value, k.Tail)
		}
		fmt.Fprintf(&b, "%-16s %-28s %-12s %s\n", key, strings.TrimSpace(value+" "+k.Unit), k.Class, k.Source)
	}
	return b.String()
}
