package ll

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Bench emits functions that apply one operation to arrays, for tests that compare every
// operation with ir/scalar and ir/num. Their parameters are three input arrays, the
// output array and the number of elements.
type Bench struct{ m *Module }

// NewBench starts a module. half reports whether the machine has instructions for
// converting f16.
func NewBench(half bool) *Bench {
	return &Bench{NewModule("x86_64-unknown-linux-gnu", "", half)}
}

// Text returns the module as LLVM IR text.
func (b *Bench) Text() string {
	var s strings.Builder
	if err := b.m.Write(&s); err != nil {
		panic(err)
	}
	return s.String()
}

// Fn adds a function that computes fn on elements of format f, either one by one (n is 0)
// or in vectors of n lanes.
func (b *Bench) Fn(name string, fn *scalar.Fn, f num.Format, n int) {
	b.loop(name, fn.Arity, f, f, n, func(c *Code, xs []value.Value) value.Value {
		y, ok := c.Apply(fn, f, xs...)
		if !ok {
			panic(fmt.Sprintf("%s on %s", fn, f))
		}
		return y
	})
}

// Exp adds a function that computes exponentials, whose loop LLVM should vectorize.
func (b *Bench) Exp(name string) { b.Fn(name, scalar.Exp, num.F32, 0) }

// Convert adds a function that converts elements from one format to another.
func (b *Bench) Convert(name string, from, to num.Format, r num.Rounding, sat bool, n int) {
	b.loop(name, 1, from, to, n, func(c *Code, xs []value.Value) value.Value {
		return c.Convert(from, to, xs[0], r, sat)
	})
}

// Relation adds a function that compares elements of format f and stores i1 results.
func (b *Bench) Relation(name string, rel scalar.Relation, f num.Format, n int) {
	b.loop(name, 2, f, num.I1, n, func(c *Code, xs []value.Value) value.Value {
		return c.Relation(rel, f, xs[0], xs[1])
	})
}

func (b *Bench) loop(name string, arity int, from, to num.Format, n int, body func(c *Code, xs []value.Value) value.Value) {
	params := make([]*llir.Param, 7)
	for i, t := range []types.Type{Ptr, Ptr, Ptr, Ptr, I64, I64, I64} {
		params[i] = llir.NewParam("", t)
	}
	g := b.m.AddFunction(name, Void, params...)
	c := NewCode(b.m, g)
	turns := value.Value(params[4])
	if n > 0 {
		turns = c.UDiv(turns, Index(int64(n)))
	}
	at := func(f num.Format, p, i value.Value) value.Value {
		return c.At(VectorOf(n, MemoryType(f)), p, i)
	}
	c.Loop("i", turns, func(i value.Value) {
		var xs []value.Value
		for k := range arity {
			x := c.Load(VectorOf(n, MemoryType(from)), at(from, params[k], i), 1)
			if t := ElementType(from); !IsFloat(t) {
				x = c.Trunc(x, t)
			}
			xs = append(xs, x)
		}
		y := body(c, xs)
		if !IsFloat(ElementType(to)) {
			y = c.ZExt(y, MemoryType(to))
		}
		c.Store(y, at(to, params[3], i), 1)
	})
	c.Ret(nil)
}
