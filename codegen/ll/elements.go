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
// converts f16. LLVM overestimates the cost of such conversions and would choose vectors
// of only four elements. Setting the width also permits LLVM to reorder sums, which is
// safe because the loop has no sums across iterations.
func (c *Code) Elements(name string, n value.Value, body func(i value.Value)) {
	var last *llir.Block
	before := c.m.halves
	c.Loop(name, n, func(i value.Value) {
		body(i)
		last = c.Block
	})
	if c.m.halves == before {
		return
	}
	br := last.Term.(*llir.TermBr)
	br.Metadata = append(br.Metadata, &metadata.Attachment{Name: "llvm.loop", Node: c.m.loopOf(f16Lanes)})
}

// loopOf returns the LLVM metadata that sets the vector width of one loop to lanes
// iterations. The metadata node refers to itself first, so that it is distinct for each
// loop.
func (m *Module) loopOf(lanes int64) *metadata.Tuple {
	width := &metadata.Tuple{MetadataID: -1, Fields: []metadata.Field{
		&metadata.String{Value: "llvm.loop.vectorize.width"},
		constant.NewInt(types.I32, lanes),
	}}
	loop := &metadata.Tuple{MetadataID: -1, Distinct: true}
	loop.Fields = []metadata.Field{loop, width}
	m.ir.MetadataDefs = append(m.ir.MetadataDefs, loop, width)
	return loop
}
