package data

import (
	"bytes"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/runtime"
)

// Snapshot holds the contents that the arguments of a launch have before the launch, so
// that it can be repeated. It copies neither arrays that the kernels only read nor arrays
// of equal bytes.
type Snapshot struct {
	args  []*Arg
	start []contents
}

// contents are the bytes of one array: all equal to fill if blank is set, unchanged by the
// launch if constant is set, and a copy in data otherwise.
type contents struct {
	data            []byte
	fill            byte
	blank, constant bool
}

// Take returns a snapshot of args, the arguments of a launch of kernels on a number of
// ranks. Ranks also write memory of each other, so all their arrays count as written.
func Take(args []*Arg, kernels []*ir.Op, ranks int) *Snapshot {
	s := &Snapshot{args, make([]contents, len(args))}
	written := map[*byte]bool{}
	for i, a := range args {
		if b := a.Value.Buf; b != nil && len(b.Data) > 0 && (ranks > 1 || mayWrite(kernels, i)) {
			written[&b.Data[0]] = true
		}
	}
	for i, a := range args {
		b := a.Value.Buf
		switch {
		case b == nil || len(b.Data) == 0 || !written[&b.Data[0]]:
			s.start[i].constant = true
		case bytes.Equal(b.Data[1:], b.Data[:len(b.Data)-1]):
			s.start[i].blank, s.start[i].fill = true, b.Data[0]
		default:
			s.start[i].data = bytes.Clone(b.Data)
		}
	}
	return s
}

// mayWrite reports whether one of the kernels may write memory through its parameter with
// number i.
func mayWrite(kernels []*ir.Op, i int) bool {
	for _, k := range kernels {
		if params := fn.Body(k).Args(); i >= len(params) || analysis.MayWrite(params[i]) {
			return true
		}
	}
	return len(kernels) == 0
}

// Fresh returns arguments with the contents of the snapshot for another launch. Arrays
// that the kernels only read are those of the first launch.
func (s *Snapshot) Fresh() []runtime.Arg {
	fresh := make([]runtime.Arg, len(s.args))
	for i, a := range s.args {
		fresh[i] = a.Value
		if c := &s.start[i]; !c.constant {
			b := *a.Value.Buf
			b.Data = make([]byte, len(b.Data))
			c.restore(b.Data)
			fresh[i].Buf = &b
		}
	}
	return fresh
}

// Restore sets the arguments to the contents of the snapshot.
func (s *Snapshot) Restore() {
	for i, a := range s.args {
		if c := &s.start[i]; !c.constant {
			c.restore(a.Value.Buf.Data)
		}
	}
}

// restore writes the contents c to data.
func (c *contents) restore(data []byte) {
	switch {
	case !c.blank:
		copy(data, c.data)
	case c.fill == 0:
		clear(data)
	default:
		for i := range data {
			data[i] = c.fill
		}
	}
}
