// This file emits special registers and atomic stores.

package llvm

import (
	"fmt"
	"slices"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// registerPrefix is the common prefix of the names of core registers.
const registerPrefix = "pto.register."

// coreState returns the address of the 64-bit core register with the given name. Each
// thread executes one core, so it has registers of its own, as it has local memory of its
// own. The registers are initialized with zero.
func (m *module) coreState(name string) value.Value {
	return m.Variable(registerPrefix+name, ll.I64, 0)
}

// state emits a load of the 64-bit core register with the given name.
func (c *code) state(name string) value.Value { return c.Load(ll.I64, c.coreState(name), 8) }

// setState emits a store of x to the 64-bit core register with the given name.
func (c *code) setState(name string, x value.Value) { c.Store(x, c.coreState(name), 8) }

// regValue emits a load of one of the two 64-bit words of the special register with the
// given name. The parameter part is the number of the word, 0 or 1.
func (c *code) regValue(name string, part int) value.Value {
	return c.state(partName(name, part))
}

// partName returns the name of one 64-bit word of a special register. The parameter name
// is the name of the register. A special register has one or two such words, and the
// parameter part is the number of the word.
func partName(name string, part int) string { return fmt.Sprintf("%s.%d", name, part) }

// writeRegister emits an instruction that writes a special register.
func (f *function) writeRegister(op *ir.Op, kind sem.WriteRegister) {
	for part := range 2 {
		x := value.Value(ll.Index(0))
		if part < op.NumOperands() {
			x = f.word(op.Operand(part))
		}
		f.setState(partName(kind.Name, part), x)
	}
	if op.NumOperands() > 2 {
		f.unsupported(op)
	}
}

// word emits the 64-bit word that an instruction stores in a special register. The value
// v determines the word: the word contains an integer, the bits of a float, or the
// address of a pointer.
func (f *function) word(v *ir.Value) value.Value {
	if space := pto.SpaceOf(v.Type()); space != sem.NoSpace {
		return f.addressOf(space, f.val(v))
	}
	return f.Resize(f.Bits(f.val(v)), ll.I64, false)
}

// readRegister emits a read of the special register that kind.Name names. The value is
// truncated or zero-extended to the integer type of the result.
func (f *function) readRegister(op *ir.Op, kind sem.ReadRegister) {
	f.set(op.Result(0), f.Resize(f.regValue(kind.Name, 0), intTypeOf(op.Result(0).Type()), false))
}

const (
	// The atomic mode of stores to global memory is a state of the core: the position of
	// the format in sem.AtomicFormats, counted from 1, and that of the operation in
	// sem.AtomicFns.
	atomicFormat = "atomic.format"
	atomicFn     = "atomic.operation"
)

// storeAtomic emits an instruction that changes the atomic mode of stores to global
// memory.
func (f *function) storeAtomic(_ *ir.Op, kind sem.StoreAtomic) {
	set := func(state string, n int) { f.setState(state, ll.Index(int64(n))) }
	switch to := kind.Change(); {
	case to.Format != num.Invalid:
		set(atomicFormat, slices.Index(sem.AtomicFormats, to.Format)+1)
	case to.Fn != nil:
		set(atomicFn, slices.Index(sem.AtomicFns, to.Fn))
	default:
		set(atomicFormat, 0)
		set(atomicFn, 0)
	}
}

// putGM emits a store of n bytes from src to dst in global memory. The current atomic
// mode decides whether the bytes replace memory or are combined with it.
func (c *code) putGM(dst, src, n value.Value) {
	fn := c.private("put_gm", ll.Void, []types.Type{ll.Ptr, ll.Ptr, ll.I64}, func(c *code, args []value.Value) value.Value {
		dst, src, n := args[0], args[1], args[2]
		format, fn := c.state(atomicFormat), c.state(atomicFn)
		c.When("copy", c.ICmp(enum.IPredEQ, format, ll.Index(0)), func() { c.copyBytes(dst, src, n) })
		for i, af := range sem.AtomicFormats {
			for k, op := range sem.AtomicFns {
				now := c.And(c.ICmp(enum.IPredEQ, format, ll.Index(int64(i+1))), c.ICmp(enum.IPredEQ, fn, ll.Index(int64(k))))
				c.When(op.Name, now, func() { c.combine(op, af, dst, src, n) })
			}
		}
		return nil
	})
	c.Call(fn, dst, src, n)
}

// combine emits a loop that combines two arrays of n bytes with elements of format f. The
// loop applies fn to each element of the array at dst and the corresponding element of
// the array at src, and stores the result in the array at dst.
func (c *code) combine(fn *scalar.Fn, f num.Format, dst, src, n value.Value) {
	t, size := ll.ElementType(f), f.Bytes()
	c.Loop("element", c.Quo(n, int64(size)), func(i value.Value) {
		at := c.At(t, dst, i)
		x, _ := c.Apply(fn, f, c.Load(t, at, 1), c.Load(t, c.At(t, src, i), 1))
		c.Store(x, at, 1)
	})
}
