package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// blockedProduct returns a kernel that multiplies m x k by k x n elements. Its tiles have
// 16 times as many boxes as needed, so that LLVM code computes the sums in blocks, some
// of them incomplete.
func blockedProduct(elem, sum string, m, k, n int, how string) pair {
	in := map[string]func(r *rand.Rand, i int) float64{"i8": between(-128, 128)}[elem]
	if in == nil {
		in = normal
	}
	a := &data{name: "a", elem: elem, shape: [2]int{m, k}, number: in}
	b := &data{name: "b", elem: elem, shape: [2]int{k, n}, number: in}
	c := &data{name: "c", elem: sum, shape: [2]int{m, n}, number: in}
	d := &data{name: "d", elem: sum, shape: [2]int{m, n}}
	bias := &data{name: "bias", elem: sum, shape: [2]int{1, n}, number: in}
	up := func(x int) int { return (x + 31) / 32 * 32 }
	tile := func(space, elem string, rows, cols int, keys string) string {
		return fmt.Sprintf("!pto.tile_buf<%s, %dx%dx%s, valid=%dx%d%s>", space, up(rows), up(cols), elem, rows, cols, keys)
	}
	const nz = ", blayout=col_major, slayout=row_major"
	views := ""
	for _, x := range []*data{a, b, c, d, bias} {
		views += strings.NewReplacer("NAME", x.name, "ROWS", fmt.Sprintf("%%i%d", x.shape[0]), "COLS", fmt.Sprintf("%%i%d", x.shape[1]),
			"VIEW", x.view("tensor"), "PART", x.view("partition_tensor")).Replace(`  %NAME_v = pto.make_tensor_view %NAME, shape = [ROWS, COLS], strides = [COLS, %i1] : VIEW
  %NAME_p = pto.partition_view %NAME_v, offsets = [%i0, %i0], sizes = [ROWS, COLS] : VIEW -> PART
`)
	}
	text := views + `  %ta = pto.alloc_tile : MATA
  %tb = pto.alloc_tile : MATB
  %la = pto.alloc_tile : LEFT
  %lb = pto.alloc_tile : RIGHT
  %acc = pto.alloc_tile : ACC
  pto.tload ins(%a_p : PA) outs(%ta : MATA)
  pto.tload ins(%b_p : PB) outs(%tb : MATB)
  pto.tmov ins(%ta : MATA) outs(%la : LEFT)
  pto.tmov ins(%tb : MATB) outs(%lb : RIGHT)
` + map[string]string{
		"": "  pto.tmatmul ins(%la, %lb : LEFT, RIGHT) outs(%acc : ACC)\n",
		"twice": "  pto.tmatmul ins(%la, %lb : LEFT, RIGHT) outs(%acc : ACC)\n" +
			"  pto.tmatmul.acc ins(%acc, %la, %lb : ACC, LEFT, RIGHT) outs(%acc : ACC)\n",
		"bias": "  %mb = pto.alloc_tile : MATBIAS\n  %tbias = pto.alloc_tile : BIAS\n  pto.tload ins(%bias_p : PBIAS) outs(%mb : MATBIAS)\n" +
			"  pto.tmov ins(%mb : MATBIAS) outs(%tbias : BIAS)\n  pto.tmatmul.bias ins(%la, %lb, %tbias : LEFT, RIGHT, BIAS) outs(%acc : ACC)\n",
	}[how] + "  pto.tstore ins(%acc : ACC) outs(%d_p : PD)\n"
	text = strings.NewReplacer("MATA", tile("mat", elem, m, k, nz), "MATBIAS", fmt.Sprintf("!pto.tile_buf<mat, 1x%dx%s, valid=1x%d>", up(n), sum, n),
		"MATB", tile("mat", elem, k, n, nz), "LEFT", tile("left", elem, m, k, ", slayout=row_major"), "RIGHT", tile("right", elem, k, n, ", slayout=col_major"),
		"ACC", tile("acc", sum, m, n, nz+", fractal=1024"), "PBIAS", bias.view("partition_tensor"), "BIAS", fmt.Sprintf("!pto.tile_buf<bias, 1x%dx%s, valid=1x%d>", up(n), sum, n),
		"PA", a.view("partition_tensor"), "PB", b.view("partition_tensor"), "PD", d.view("partition_tensor")).Replace(text)
	params := make([]string, 0, 5)
	for _, x := range []*data{a, b, c, d, bias} {
		params = append(params, fmt.Sprintf("%%%s: !pto.ptr<%s>", x.name, x.elem))
	}
	return pair{
		name: fmt.Sprintf("%dx%dx%d of %s %s", m, k, n, elem, how), arch: "a3", data: []*data{a, b, c, d, bias},
		text: fmt.Sprintf("func.func @k(%s) attributes {pto.kernel} {\n%s%s  return\n}\n", strings.Join(params, ", "), constants(text), text),
	}
}

// TestBlockedProducts compares both engines on matrix products whose size is not a
// multiple of the block size that LLVM code uses.
func TestBlockedProducts(t *testing.T) {
	var all []pair
	for _, size := range [][3]int{{64, 64, 64}, {37, 50, 70}, {3, 17, 33}, {16, 1, 31}, {66, 32, 96}} {
		for _, e := range [][2]string{{"f16", "f32"}, {"bf16", "f32"}, {"f32", "f32"}, {"i8", "i32"}} {
			how := []string{"", "twice", "bias"}[len(all)%3]
			all = append(all, blockedProduct(e[0], e[1], size[0], size[1], size[2], how))
		}
	}
	checkPairs(t, all)
}
