// This file emits loops over elements in a form that LLVM vectorizes.

package ll

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// f16Lanes is the number of f16 elements that a loop processes per iteration. The loop
// converts the elements to f32, and 16 elements of f32 fill 64 bytes.
const f16Lanes = 16

// Elements emits a loop that executes body for i = 0, 1, ..., n-1, where each iteration
// computes one element independently. The names of the loop's LLVM blocks begin with
// name. Unlike Loop, Elements sets the vector width of the loop explicitly if the loop
// converts f16, or has a small number of iterations (shortLoop). LLVM overestimates the
// cost of such conversions and would choose vectors of only four elements. Setting the
// width also permits LLVM to reorder sums, which is safe because the loop has no sums
// across iterations.
func (c *Code) Elements(name string, n value.Value, body func(i value.Value)) {
	var last *llir.Block
	before := c.m.halves
	c.Loop(name, n, func(i value.Value) {
		body(i)
		last = c.Block
	})
	short := shortLoop(n)
	if c.m.halves == before && short == 0 {
		return
	}
	loop := c.m.loopOf(hint("width", constant.NewInt(types.I32, f16Lanes)))
	if short > 0 {
		loop = c.m.loopOf(hint("width", constant.NewInt(types.I32, short)), hint("enable", constant.True))
	}
	br := last.Term.(*llir.TermBr)
	br.Metadata = append(br.Metadata, &metadata.Attachment{Name: "llvm.loop", Node: loop})
}

// shortLoop returns the number of iterations of a loop if it is a constant below 16 that a
// vector can have, and otherwise 0. LLVM does not vectorize such a loop by itself if it must
// compare addresses before. Rows of boxes with elements of 32 bits are such loops.
func shortLoop(n value.Value) int64 {
	if k, ok := ConstantInt(n); ok && (k == 4 || k == 8) {
		return k
	}
	return 0
}

// hint returns the LLVM metadata that sets an option of the vectorizer for one loop.
func hint(option string, x metadata.Field) *metadata.Tuple {
	return &metadata.Tuple{MetadataID: -1, Fields: []metadata.Field{&metadata.String{Value: "llvm.loop.vectorize." + option}, x}}
}

// loopOf returns the LLVM metadata of one loop, with the given options. The metadata node
// refers to itself first, so that it is distinct for each loop.
func (m *Module) loopOf(options ...*metadata.Tuple) *metadata.Tuple {
	loop := &metadata.Tuple{MetadataID: -1, Distinct: true}
	loop.Fields = []metadata.Field{loop}
	m.ir.MetadataDefs = append(m.ir.MetadataDefs, loop)
	for _, o := range options {
		loop.Fields = append(loop.Fields, o)
		m.ir.MetadataDefs = append(m.ir.MetadataDefs, o)
	}
	return loop
}
