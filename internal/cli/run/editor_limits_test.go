package run

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ptogo/internal/cli/exit"
	"ptogo/ir"
)

// endlessTiles computes with tiles in a loop of 10^12 rounds.
const endlessTiles = `func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  %s = arith.constant 1.5 : f32
  %a0 = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %a0 : !pto.tile_buf<vec, 8x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    pto.tadds ins(%t, %s : !pto.tile_buf<vec, 8x8xf32>, f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
  }
  return
}
`

// TestEditorLimits requests runs as an editor does, of a kernel that does not end. The
// answer comes within the limits, and its output is bounded.
func TestEditorLimits(t *testing.T) {
	defer func(limit time.Duration) { editorTimeout = limit }(editorTimeout)
	editorTimeout = time.Second / 4
	for _, flag := range []string{"--trace=-", "--timing", "--check=all", "--stats"} {
		output, code := MadeUp(&ir.Source{Name: "k.pto", Text: endlessTiles}, "k", "", flag)
		if code == exit.OK || len(output) > mostShown+1<<20 {
			t.Errorf("%s: exit %d, %d bytes of output", flag, code, len(output))
		}
		if !slices.ContainsFunc([]string{"limit", "trace could not be written", "memory"}, func(cause string) bool { return strings.Contains(output, cause) }) {
			t.Errorf("%s: no limit is named; the output ends with %q", flag, output[max(0, len(output)-2000):])
		}
	}
}
