// This file groups directives into steps.

package filecheck

// matchStep is a positive directive together with the NOT and DAG directives between the
// previous positive directive and this one, in order.
type matchStep struct {
	*directive
	before []*directive
}

// makeSteps groups directives into steps. The implicit NOT directives apply before each
// positive directive and at the end of the input.
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
