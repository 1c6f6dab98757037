package diff

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestLoopMask compares both engines on loop masks, which select the lanes that remain to
// be processed. The numbers of iterations and lanes are so large that their product needs
// 32 bits and their difference more.
func TestLoopMask(t *testing.T) {
	var all []pair
	for _, bits := range []int{8, 16, 32} {
		for _, turn := range []int{1, -1, math.MaxInt16, math.MinInt16} {
			for _, bound := range []int{70, math.MaxInt32, math.MinInt32, math.MaxInt16*64 + 5, math.MinInt16 * 256} {
				elem := fmt.Sprintf("i%d", bits)
				in := &data{name: "in", elem: elem, shape: [2]int{1, 256}, number: between(1, 100)}
				out := &data{name: "out", elem: elem, shape: [2]int{1, 256}}
				text := fmt.Sprintf(`  %%turn = arith.constant %d : i16
  %%bound = arith.constant %d : i32
  %%zero = arith.constant 0 : i64
  %%behind = arith.constant %d : i64
  %%from = pto.castptr %%zero : i64 -> !pto.ptr<ELEM, ub>
  %%to = pto.castptr %%behind : i64 -> !pto.ptr<ELEM, ub>
  pto.vecscope {
    %%m = pto.pltm_bBITS %%turn, %%bound : i16, i32 -> !pto.mask<bBITS>
    %%v = pto.vlds %%from[%%c0] : !pto.ptr<ELEM, ub> -> REG
    pto.vsts %%v, %%to[%%c0], %%m : REG, !pto.ptr<ELEM, ub>, !pto.mask<bBITS>
  }`, turn, bound, 32*bits)
				words := strings.NewReplacer("ELEM", elem, "BITS", fmt.Sprint(bits), "REG", fmt.Sprintf("!pto.vreg<%dx%s>", 2048/bits, elem))
				all = append(all, onTiles(fmt.Sprintf("turn %d of %d lanes of %d bits", turn, bound, bits), words.Replace(text), in, out))
			}
		}
	}
	checkPairs(t, all)
}
