package codegen

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Bench writes functions that apply one operation to arrays, for tests that
// compare every operation with ir/scalar and ir/num. Their parameters are
// three input arrays, the output array and the number of elements.
type Bench struct{ m *module }

// NewBench starts a module, for a machine that converts f16 itself or not.
func NewBench(half bool) *Bench {
	o := Options{Triple: DefaultTriple, Half: half}
	return &Bench{newModule(o, &ir.Diags{})}
}

// Text is the module.
func (b *Bench) Text() string {
	var s strings.Builder
	if _, err := b.m.WriteTo(&s); err != nil {
		panic(err)
	}
	return s.String()
}

// Knows reports whether fn is written in LLVM at all.
func Knows(fn *scalar.Fn) bool {
	_, ok := fnCodes[fn]
	return ok
}

// Fn adds a function that computes fn on elements of format f: one by one, or
// in vectors of n lanes.
func (b *Bench) Fn(name string, fn *scalar.Fn, f num.Format, n int) {
	b.loop(name, fn.Arity, f, f, n, func(c *code, xs []value.Value) value.Value {
		y, ok := c.apply(fn, f, xs...)
		if !ok {
			panic(fmt.Sprintf("%s on %s", fn, f))
		}
		return y
	})
}

// Exp adds a function that LLVM should vectorize.
func (b *Bench) Exp(name string) { b.Fn(name, scalar.Exp, num.F32, 0) }

// Convert adds a function that converts elements.
func (b *Bench) Convert(name string, from, to num.Format, r num.Rounding, sat bool, n int) {
	b.loop(name, 1, from, to, n, func(c *code, xs []value.Value) value.Value {
		return c.convert(from, to, xs[0], r, sat)
	})
}

// Relation adds a function that compares elements; it writes i1.
func (b *Bench) Relation(name string, rel scalar.Relation, f num.Format, n int) {
	b.loop(name, 2, f, num.I1, n, func(c *code, xs []value.Value) value.Value {
		return c.relation(rel, f, xs[0], xs[1])
	})
}

func (b *Bench) loop(name string, arity int, from, to num.Format, n int, body func(c *code, xs []value.Value) value.Value) {
	params := make([]*llir.Param, 7)
	for i, t := range []types.Type{ptr, ptr, ptr, ptr, i64, i64, i64} {
		params[i] = llir.NewParam("", t)
	}
	g := b.m.NewFunc(name, void, params...)
	g.FuncAttrs = []llir.FuncAttribute{enum.FuncAttrNoUnwind}
	c := newCode(b.m, g)
	turns := value.Value(params[4])
	if n > 0 {
		turns = c.udiv(turns, index(int64(n)))
	}
	at := func(f num.Format, p, i value.Value) value.Value {
		return c.at(vectorOf(n, memoryType(f)), p, i)
	}
	c.loop("i", turns, func(i value.Value) {
		var xs []value.Value
		for k := range arity {
			x := c.load(vectorOf(n, memoryType(from)), at(from, params[k], i), 1)
			if t := elementType(from); !isFloat(t) {
				x = c.trunc(x, t)
			}
			xs = append(xs, x)
		}
		y := body(c, xs)
		if !isFloat(elementType(to)) {
			y = c.zext(y, memoryType(to))
		}
		c.store(y, at(to, params[3], i), 1)
	})
	c.ret(nil)
}
