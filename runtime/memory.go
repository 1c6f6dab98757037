// This file defines addresses and bounds-checked memory access. Every access of a
// kernel goes through a pointee.

package runtime

import (
	mathbits "math/bits" // tests have a function bits

	"fmt"
	"unsafe"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// An address in local memory is the offset from the start of its memory space, as in
	// programs. Global addresses are encoded: each buffer starts in the middle of its own
	// range of 2^40 addresses. An address that leaves its buffer in either direction thus
	// still identifies the buffer.
	rangeBits = 40
	middle    = 1 << (rangeBits - 1)
)

// globalAddress returns the address of the first byte of global buffer i. The upper bits
// of a global address contain the number of the buffer. The lower bits contain the byte
// offset plus a constant, so that offsets before the start of the buffer are
// representable.
func globalAddress(i int) uint64 { return uint64(i+1)<<rangeBits | middle }

// globalPlace decodes a global address into the index of the buffer and the byte offset
// from its start. The offset can be negative or past the end.
func globalPlace(addr uint64) (buf int, off int64) {
	return int(addr>>rangeBits) - 1, int64(addr&(1<<rangeBits-1)) - middle
}

// access is the kind of a memory access. Its value is the verb with which fault messages
// describe the access, such as "reads".
type access string

const (
	reads    access = "reads"
	writes   access = "writes"
	occupies access = "occupies"
)

// pointee describes the memory that an operand of an instruction refers to. Its methods
// check bounds and report accesses to the listeners of the launch.
type pointee struct {
	op *ir.Op
	// name is the name of the operand in messages.
	name string
	// how states whether the instruction reads or writes the memory.
	how   access
	space sem.Space
	// quiet means that the instruction itself reports the access to the listeners, so
	// that the methods must not.
	quiet bool
	// combines means that writes combine with the contents of memory in one atomic
	// step.
	combines bool
}

// newPlace returns a pointee, the data through which steps access an operand of op that
// refers to global memory. name is the operand's name in messages. The parameter how
// states whether op reads or writes the memory.
func newPlace(op *ir.Op, name string, how access) pointee {
	return pointee{op: op, name: name, how: how, space: sem.GM}
}

// far returns a distance in memory, the product of n and the parameter by. If the product
// exceeds every memory size, far returns farAway. Without this limit, a product that
// wraps around in 64 bits could be a valid distance.
func far(n, by int64) int64 {
	const most = 1 << 25
	if uint64(n+most) < 2*most && uint64(by+most) < 2*most {
		return n * by
	}
	return farther(n, by)
}

// farther returns the product of its two arguments, a number of steps and the size of a
// step in memory. If the product exceeds every memory size, the result is farAway
// instead, so that the multiplication cannot overflow.
func farther(n, by int64) int64 {
	hi, lo := mathbits.Mul64(magnitude(n), magnitude(by))
	if hi != 0 || lo > farAway>>4 {
		return farAway
	}
	return n * by
}

// farAway is a distance that leads outside every memory. It is small enough that an
// address stays outside after the addition of ordinary distances, and of one distance
// farAway for each dimension of a view. These sums do not overflow 64 bits, whether they
// count bytes or elements.
const farAway = 1 << 57

// magnitude returns the absolute value of n.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// bytes returns the n bytes at addr and reports the access to the listeners. It returns a
// fault if the bytes are out of bounds.
func (pl *pointee) bytes(c *core, addr uint64, n int) ([]byte, *Fault) {
	if c.rec != nil && !pl.quiet {
		c.rec.touch(pl, c.rec.owner(pl.space), addr, n)
	}
	if pl.space == sem.GM {
		i, off := globalPlace(addr)
		if i >= 0 && i < len(c.gm) && c.gm[i] != nil {
			if data := c.gm[i].Data; off >= 0 && off <= int64(len(data))-int64(n) {
				if size := c.gm[i].Size; size > 0 && off+int64(n) > int64(size) {
					c.warn(pl, i, off, n)
				}
				return data[off : off+int64(n) : off+int64(n)], nil
			}
		}
		return nil, pl.outside(c, addr, n)
	}
	mem := c.spaces[pl.space]
	if addr > uint64(len(mem.data)) || n > len(mem.data)-int(addr) {
		if pl.space == sem.FB {
			if b := c.factorSegment(addr, n); b != nil {
				return b, nil
			}
		}
		return nil, pl.outside(c, addr, n)
	}
	end := int(addr) + n
	mem.used = max(mem.used, end)
	return mem.data[addr:end:end], nil
}

// unrecorded returns the bytes of global memory that contain lines ranges of n bytes after
// the one at address addr, which are apart bytes from each other. It reports false if they
// are not all inside of a buffer, and if a listener or a warning needs the exact bytes of
// each range. The caller then accesses the ranges one by one. apart must not be negative.
func (pl *pointee) unrecorded(c *core, addr uint64, lines, apart int64, n int) ([]byte, bool) {
	if c.rec != nil || pl.space != sem.GM {
		return nil, false
	}
	i, off := globalPlace(addr)
	if i < 0 || i >= len(c.gm) || c.gm[i] == nil || off < 0 {
		return nil, false
	}
	end := int64(len(c.gm[i].Data))
	if size := c.gm[i].Size; size > 0 {
		end = min(end, int64(size))
	}
	room := end - off - int64(n)
	if room < 0 || lines > 0 && apart > room/lines {
		return nil, false
	}
	return c.gm[i].Data[off:][:lines*apart+int64(n)], true
}

// outside returns the fault of an access to the n bytes at address addr that are not all
// inside the accessed memory. The message names the operand and the range of bytes.
func (pl *pointee) outside(c *core, addr uint64, n int) *Fault {
	if pl.space != sem.GM {
		name := memoryName(pl.space)
		f := faultAt(pl.op, "accesses memory out of bounds: it %s %s of %s through \"%s\", but %s has %d bytes on %s",
			pl.how, span(int64(addr), n), name, pl.name, name, len(c.spaces[pl.space].data), sem.ProfileName(c.prog.target)).memory()
		f.Range = &ByteRange{pl.space, -1, 0, int64(addr), int64(addr) + int64(n) - 1}
		return f
	}
	i, off := globalPlace(addr)
	if i < 0 || i >= len(c.gm) || c.gm[i] == nil {
		if f := pl.foreign(c, i, off, n); f != nil {
			return f
		}
		return faultAt(pl.op, "accesses memory outside of all buffers: it %s %d bytes of gm through \"%s\", but the address %#x is not in a buffer", pl.how, n, pl.name, addr).memory()
	}
	return pl.beyond(c, i, off, n)
}

// beyond returns the fault of an access to n bytes at offset off of global buffer i,
// which exceed the end of the buffer.
func (pl *pointee) beyond(c *core, i int, off int64, n int) *Fault {
	b := c.gm[i]
	size := b.Size
	if size == 0 {
		size = len(b.Data)
	}
	f := faultAt(pl.op, "accesses memory out of bounds: it %s %s of gm buffer %s through \"%s\", but the buffer has %d bytes",
		pl.how, span(off, n), c.bufferName(i), pl.name, size)
	f.memory().Behind = max(0, off+int64(n)-int64(size))
	f.Range = &ByteRange{sem.GM, i % c.arguments(), i / c.arguments(), off, off + int64(n) - 1}
	return f
}

// warn passes a warning to Options.Warn: an access to n bytes at offset off of global
// buffer i exceeds the declared size of the buffer, but stays inside the padding after
// it.
func (c *core) warn(pl *pointee, i int, off int64, n int) {
	c.warnOnce(pl.op, func() *Fault { return pl.beyond(c, i, off, n) })
}

// misaligned returns the fault of an access at address addr, which is not a multiple of
// align bytes.
func (pl *pointee) misaligned(addr uint64, align int) *Fault {
	return faultAt(pl.op, "accesses a misaligned address: it %s %s address %#x through \"%s\", but the address must be a multiple of %d bytes", pl.how, pl.space, addr, pl.name, align).memory()
}

// span returns the text for a range of n bytes at an offset, for example "bytes 0..31".
func span(off int64, n int) string {
	if n == 1 {
		return fmt.Sprintf("byte %d", off)
	}
	return fmt.Sprintf("bytes %d..%d", off, off+int64(n)-1)
}

// quoted returns " (NAME)" as a suffix for messages, or "" for an empty name.
func quoted(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// The function as reinterprets the bytes b as elements of type T, without copying. The
// address of b must be a multiple of the element size, which holds for local memories and
// registers. Elements have the byte order of the host, which must be little-endian;
// littleEndian checks that.
func as[T any](b []byte) []T {
	var e T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(e)))
}

// bytesOf reinterprets 64-bit words as bytes.
func bytesOf(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}

// littleEndian reports whether the host is little-endian. The runtime requires this,
// because it reinterprets bytes of memory as numbers without a conversion.
func littleEndian() bool { return bytesOf([]uint64{1})[0] == 1 }
