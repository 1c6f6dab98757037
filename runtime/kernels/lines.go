// This file runs loops on several lines.

package kernels

import "unsafe"

// Lines is an operand that consists of several rows of adjacent elements. The first row
// starts at Data, and each following row starts Pitch bytes after the previous one. A
// pitch of 0 repeats the first row.
type Lines struct {
	Data  []byte
	Pitch int
}

// RunLines computes several rows of n bytes each in one call, because a call costs more
// time than a row of a few vectors. Operands that the function of the loop does not have
// may be empty. If held is set, the second operand is a single element per row: each row
// consists of HeldBytes bytes with copies of this element. RunLines returns true if it
// has computed everything, and false if it has computed nothing. It computes nothing in
// two cases: if a row is shorter than a vector, or if an operand overlaps d. The second
// case does not include an operand that is exactly d.
func (l *Loop) RunLines(d Lines, in [3]Lines, lines, n int, held bool) bool {
	total := n / l.size
	whole := total &^ (l.step - 1)
	switch {
	case lines > 0 && whole == 0 && l.narrow != nil:
		return l.narrow.RunLines(d, in, lines, n, held)
	case lines == 0 || whole == 0:
		return false
	}
	e := extent{keep: -1, lines: lines, pitchD: d.Pitch}
	d.Data = d.Data[:(lines-1)*d.Pitch+n]
	for i := range l.arity {
		need := total * l.from
		if held && i == 1 {
			need, e.keep = HeldBytes, 0
		}
		a := in[i].Data[:(lines-1)*in[i].Pitch+need]
		e.in[i], e.pitch[i] = &a[0], in[i].Pitch
		if !l.apart(d.Data, a) || &a[0] == &d.Data[0] && e.pitch[i] != d.Pitch {
			return false
		}
	}
	if p := &d.Data[0]; whole < total && (p == e.in[0] || p == e.in[1] || p == e.in[2]) {
		l.runLast(d.Data, &e, total)
		total = whole
	}
	l.runAll(&d.Data[0], &e, 0, total, 0, lines)
	return true
}

// extent describes the source operands of a loop over several rows: their addresses, the
// distances between rows, and whether each row of the second operand consists of copies
// of a single element.
type extent struct {
	// in are the addresses of the operands.
	in [3]*byte
	// keep is 0 if the second operand is a repeated element, and -1 otherwise.
	keep int
	// lines is the number of rows.
	lines int
	// pitchD is the distance between rows of the result in bytes. pitch is the same
	// distance for each operand.
	pitchD int
	pitch  [3]int
}

// runAll computes n adjacent elements of each of several rows of the result. e contains
// the addresses of the operands and the distances between their rows. first is the index
// of the first computed element in a row. line is the index of the first row in the
// operands, and lines is the number of rows. d points to the start of this row in the
// result.
func (l *Loop) runAll(d *byte, e *extent, first, n, line, lines int) {
	var p [3]*byte
	for i := range l.arity {
		at := line*e.pitch[i] + first*l.from
		if i == 1 && e.keep == 0 {
			at = line * e.pitch[i]
		}
		p[i] = (*byte)(unsafe.Add(unsafe.Pointer(e.in[i]), at))
	}
	l.run((*byte)(unsafe.Add(unsafe.Pointer(d), first*l.size)), p[0], p[1], p[2], n, e.keep, lines, e.pitchD, e.pitch[0], e.pitch[1], e.pitch[2])
}

// runLast computes the last vector of each row if the result d is also an operand, and
// the length of a row, the parameter total, is not a multiple of the vector length. e
// describes the rows and the operands. The last vector overlaps the last complete vector
// of the row. The complete vectors are computed after runLast, and their computation must
// still read the old values of the elements in the overlap, so runLast restores these
// elements.
func (l *Loop) runLast(d []byte, e *extent, total int) {
	first := total - l.step
	const group = 8
	var were [group][longestStep]byte
	theirs := (total&^(l.step-1) - first) * l.size
	for line := 0; line < e.lines; line += group {
		n := min(group, e.lines-line)
		for i := range n {
			copy(were[i][:theirs], d[(line+i)*e.pitchD+first*l.size:])
		}
		l.runAll(&d[line*e.pitchD], e, first, l.step, line, n)
		for i := range n {
			copy(d[(line+i)*e.pitchD+first*l.size:], were[i][:theirs])
		}
	}
}
