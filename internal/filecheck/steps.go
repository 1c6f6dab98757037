// This file groups directives into steps.

package filecheck

// matchStep is a positive directive (one that requires a match), together with the NOT
// and DAG directives between the previous positive directive and this one.
type matchStep struct {
	*directive
	// before are these NOT and DAG directives, in order.
	before []*directive
}

// makeSteps groups directives into steps. found contains the directives of the check
// file. Each step ends with a positive directive, which requires a match. implicit
// contains NOT directives that apply before each positive directive and at the end of the
// input.
func makeSteps(found, implicit []*directive) []matchStep {
	var steps []matchStep
	before := implicit
	for _, d := range found {
		if d.kind == kindNot || d.kind == kindDag {
			before = append(before[:len(before):len(before)], d)
			continue
		}
		steps = append(steps, matchStep{d, before})
		before = implicit
	}
	if len(before) > 0 {
		last := &directive{suffix: suffix{kind: kindEOF, count: 1}, pattern: &pattern{kind: kindEOF}}
		steps = append(steps, matchStep{last, before})
	}
	return steps
}
