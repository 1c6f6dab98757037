// This file writes predictions as text.

package timing

import (
	"fmt"
	"strings"
)

const (
	// mostSites is the maximum number of instructions, and mostIdle the maximum number of
	// idle reasons, that a report lists.
	mostSites = 6
	mostIdle  = 4
)

// Text returns the prediction as a report of several lines for a user.
func (r *Result) Text() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	c := r.Chip
	chip := "chip"
	if len(r.Ranks) > 0 {
		chip = itoa(len(r.Ranks)) + " chips"
	}
	p("%s %s (%s, %.0f MHz, %.0f AIC, %.0f AIV)\n", chip, c.Name, c.Profile, c.clock(), c.num("cores.aic"), c.num("cores.aiv"))
	p("predicted %s: kernel %s (%s cycles) + launch %s; %s\n",
		micros(r.Total()), micros(r.Micros), count(r.Cycles), micros(r.Total()-r.Micros), r.Kind.expectation())
	p("bound by %s; last to end: %s\n", r.Verdict(), r.Slowest)
	if r.Blocks > 1 || r.Waves > 1 {
		p("blocks: %d on %d places, %d at once in %s\n", r.Blocks, r.Cores, min(r.Blocks, r.Cores), plural(r.Waves, "wave"))
	}
	b.WriteString(r.rankText())
	if !r.Ordered {
		p("the kernel has no flags: pipes are timed as if each waited for its data and for free buffers, as pto-insert-sync makes them\n")
	}
	if r.MACs > 0 {
		p("products: %.4g TFLOPS over the kernel\n", 2*r.MACs/r.Micros*1e-6)
	}
	for _, u := range r.Units {
		p("\n%s (mean of %d)\n%-8s %14s %6s   not busy because\n", u.Unit, u.Cores, "pipe", "busy cycles", "%")
		for _, use := range u.Pipes {
			p("%-8s %14s %5.1f%%  %s\n", use.Name, count(use.Busy), 100*use.Share, idleText(use.Idle))
		}
	}
	p("\ncritical path: %s\n", partsText(r.Path))
	if len(r.Sites) > 0 {
		p("hot spots:\n")
		for i, s := range r.Sites {
			if i == mostSites || i > 0 && s.OnPath == 0 {
				break
			}
			p("  %-40s %-24s %5.1f%% of the path, %d times\n", s.Loc, s.Op, 100*s.Share, s.Count)
		}
	}
	for i, m := range r.Paths {
		if i == 0 {
			p("bytes:\n")
		}
		p("  %-10s to %-6s %14s B %8.3g TB/s\n", before(m.Name), after(m.Name), count(m.Bytes), m.Rate)
	}
	if r.GM.Bytes > 0 {
		p("global memory: %.3g TB/s, %.1f %% of reads and writes in L2, %s B written back\n", r.GM.TBs, 100*r.GM.HitShare, count(r.GM.WrittenBack))
	}
	p("rests on constants: %s\n", r.classText())
	return b.String()
}

// before returns A for a path name of the form "A to B": the name of the memory that a
// copy reads. Its counterpart, the function after, returns B, the name of the memory that
// the copy writes.
func before(name string) string { s, _, _ := strings.Cut(name, " to "); return s }
func after(name string) string  { _, s, _ := strings.Cut(name, " to "); return s }

// classText returns a text about the reliability of the prediction, such as "60 %
// datasheet". It lists the reliability classes of constants, with the share of the
// critical path that depends on each class.
func (r *Result) classText() string {
	var parts []string
	for c, x := range r.Classes {
		if s := share(x, r.Cycles); s >= 0.0005 {
			parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*s, Class(c)))
		}
	}
	return strings.Join(parts, ", ")
}

// idleText returns a text that lists the most important reasons of idle time, for
// reports.
func idleText(idle []IdleUse) string {
	var parts []string
	for i, u := range idle {
		if i == mostIdle || i > 0 && u.Share < 0.005 {
			break
		}
		parts = append(parts, fmt.Sprintf("%s %.1f%%", u.Why, 100*u.Share))
	}
	return strings.Join(parts, ", ")
}

// partsText returns a text that lists the causes of the critical path with their shares.
// It omits causes with negligible shares.
func partsText(parts []PathPart) string {
	var texts []string
	for _, p := range parts {
		if p.Share >= 0.0005 {
			texts = append(texts, fmt.Sprintf("%s %.1f %%", p.What, 100*p.Share))
		}
	}
	return strings.Join(texts, ", ")
}

// micros formats a time given in microseconds, with a suitable unit and a suitable number
// of digits.
func micros(us float64) string {
	switch {
	case us >= 1000:
		return fmt.Sprintf("%.4g ms", us/1000)
	case us >= 1:
		return fmt.Sprintf("%.4g us", us)
	}
	return fmt.Sprintf("%.3g ns", us*1000)
}

// count formats a number, rounded to an integer, with thousands separators.
func count(x float64) string {
	s := fmt.Sprint(whole(x))
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns the number n followed by the noun given by the parameter what. It
// appends the plural ending unless n is 1.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
