package diff

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// A state of an unaligned store is the bytes that it has not written yet, a
// []byte; that of an unaligned load holds nothing that memory does not.

// stream executes an unaligned load or store, which passes an alignment state from one
// instruction to the next.
func (r *reference) stream(op *ir.Op, kind any) error {
	switch kind := kind.(type) {
	case sem.StreamEnd:
		if kind.Store {
			return fmt.Errorf("%s is unknown here", op.Name())
		}
		r.ar = 0
	case sem.AlignInit:
		r.set(op.Result(0), []byte(nil))
	case sem.AlignLoad:
		b, err := r.at(r.scalar(op.Arg("source")), pto.VectorBytes)
		if err != nil {
			return err
		}
		out := bytes256(b)
		r.set(op.Result(0), &out)
		r.set(op.Result(1), r.env[op.Arg("align")])
		if by := op.Arg("increment"); by != nil {
			r.set(op.Result(2), r.scalar(op.Arg("source"))+r.bytesOf(by, op.Arg("source")))
		}
	case sem.AlignStore:
		return r.append(op, kind)
	case sem.AlignFlush:
		end := r.address(op, "destination", 0)
		if op.Arg("offset") == nil {
			end += r.ar
		}
		held := r.env[op.Arg("value")].([]byte)
		b, err := r.at(end-uint64(len(held)), len(held))
		if err != nil {
			return err
		}
		copy(b, held)
	}
	return nil
}

// bytesOf returns the size in bytes of a number of elements: the scalar by counts
// elements of the type that ptr points to.
func (r *reference) bytesOf(by, ptr *ir.Value) uint64 {
	f, _ := ir.FormatOf(by.Type())
	return uint64(num.Int(f, r.scalar(by)) * int64(pto.ByteSize(ir.ElementType(ptr.Type()))))
}

// append adds bytes to the stream of an unaligned store, and writes all complete blocks
// of 32 bytes to memory.
func (r *reference) append(op *ir.Op, kind sem.AlignStore) error {
	at, data := r.scalar(op.Arg("base")), []byte(nil)
	switch kind.Count {
	case sem.WholeMask:
		m, size := r.mask(op.Arg("value")), 0
		if t, ok := ir.As[pto.Mask](op.Arg("value").Type()); ok {
			size = int(t.Bits) / 8
		}
		data = make([]byte, pto.VectorBytes/size/8)
		for i := range 8 * len(data) {
			if m[i*size] {
				data[i/8] |= 1 << (i % 8)
			}
		}
		r.set(op.Result(1), at+uint64(len(data)))
	case sem.ByCompact:
		v := r.register(op.Arg("value"))
		data = slices.Clone(v[:r.compacted])
		at += r.ar
		if textOf(op, "mode") == "POST_UPDATE" {
			r.ar += uint64(r.compacted)
		}
	default:
		v := r.register(op.Arg("value"))
		data = slices.Clone(v[:min(r.bytesOf(op.Arg("offset"), op.Arg("base")), pto.VectorBytes)])
	}
	held := r.env[op.Arg("align_in")].([]byte)
	start, all := at-uint64(len(held)), slices.Concat(held, data)
	written := max(len(all)-int((start+uint64(len(all)))%32), 0)
	b, err := r.at(start, written)
	if err != nil {
		return err
	}
	copy(b, all)
	r.set(op.Result(0), all[written:])
	return nil
}
