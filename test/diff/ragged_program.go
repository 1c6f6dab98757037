package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"ptogo/ir/num"
)

// raggedProduct is a random matrix product A x B whose extents are smaller than those of
// the tiles that hold the matrices. The tile types declare the valid extents, or leave
// them dynamic. The depth k is multiplied in blocks, the last of which may be smaller. In
// a convolution, A consists of the patches of a feature map.
type raggedProduct struct {
	name string
	arch string
	// in and sum are the element types of the operands and of the result.
	in, sum string
	m, k, n int
	roomM   int
	roomN   int
	// block is the depth of each partial product, a multiple of 64.
	block int
	// start is the initial value of the sum: "" (zero), "bias", or "acc" (the sum of the
	// product with itself).
	start string
	// scaled reports whether each group of 32 elements along the depth k of both operands
	// has a scale (an MX product). The operands of such a product consist of mantissas
	// and shared exponents.
	scaled  bool
	patches *patches
	// open holds the extents of tiles whose type leaves them to run time. A key consists
	// of the name of a tile and an axis, 0 for rows and 1 for columns.
	open    map[string]bool
	numbers *rand.Rand
	// exponent holds the shared exponents of A and B in a scaled product.
	exponent [2]byte
}

// patches describes a convolution of 16 channels with 3x3 filters. The feature map has
// lines x places positions and is padded by one position on all sides.
type patches struct{ lines, places int }

// product is a legal combination of element types of a matrix product. The field arch is
// the profile that supports the combination. The field in is the element type of the
// operands, and the field sum is the element type of the result.
type product struct{ arch, in, sum string }

var raggedTypes = []product{
	{"a3", "f16", "f32"}, {"a3", "bf16", "f32"}, {"a3", "f32", "f32"}, {"a3", "i8", "i32"},
	{"a5", "f16", "f32"}, {"a5", "bf16", "f32"}, {"a5", "f32", "f32"}, {"a5", "i8", "i32"}, {"a5", "f8E4M3FN", "f32"}, {"a5", "f8E5M2", "f32"},
}

func newRaggedProduct(name, arch string, rnd *rand.Rand) *raggedProduct {
	p := &raggedProduct{name: name, arch: arch, open: map[string]bool{}, numbers: rnd}
	for p.in == "" {
		if t := raggedTypes[rnd.IntN(len(raggedTypes))]; t.arch == arch {
			p.in, p.sum = t.in, t.sum
		}
	}
	p.m, p.n = 1+rnd.IntN(48), 1+rnd.IntN(48)
	p.block = 64
	p.k = 1 + rnd.IntN(64*(1+rnd.IntN(3)))
	switch {
	case strings.HasPrefix(p.in, "f8") && rnd.IntN(2) == 0:
		p.scaled, p.k = true, 64*(1+rnd.IntN(3))
		p.exponent = [2]byte{byte(126 + rnd.IntN(3)), byte(126 + rnd.IntN(3))}
	case p.in == "f16" && rnd.IntN(3) == 0:
		p.patches = &patches{1 + rnd.IntN(4), []int{1 + rnd.IntN(12), 8, 16}[rnd.IntN(3)]}
		p.m, p.k, p.block = p.patches.lines*p.patches.places, 9*16, 9*16
	case p.sum == "f32" && rnd.IntN(3) == 0:
		p.start = "bias"
	}
	if p.start == "" && rnd.IntN(4) == 0 {
		p.start = "acc"
	}
	room := func(n int) int { return (n+31)/32*32 + 32*rnd.IntN(2) }
	p.roomM, p.roomN = room(p.m), room(p.n)
	for _, tile := range []string{"amat", "bmat", "left", "right", "acc"} {
		for axis := range 2 {
			p.open[fmt.Sprint(tile, axis)] = rnd.IntN(2) == 0
		}
	}
	if p.patches != nil { // as many rows as the storage of the left operand has, if its type leaves them open
		p.open["left0"] = p.m == p.roomM
	}
	return p
}

// tail returns the depth of the last block of the product. If it differs from the depth
// of the other blocks, the types of the operand tiles leave the depth dynamic.
func (p *raggedProduct) tail() int { return (p.k-1)%p.block + 1 }

// tile returns the text of the type of the tile with the given name. room contains the
// rows and columns of its storage, and valid those of its valid region (the part that
// holds data). The field p.open lists the valid extents of tiles that the type leaves
// dynamic. keys is text for further properties of the type.
func (p *raggedProduct) tile(name, space, elem string, room, valid [2]int, keys string) string {
	extent := [2]string{fmt.Sprint(valid[0]), fmt.Sprint(valid[1])}
	for axis := range 2 {
		ofDepth := name == "amat" || name == "left"
		if p.open[fmt.Sprint(name, axis)] || p.k > p.block && p.tail() != p.block && ofDepth == (axis == 1) && name != "acc" {
			extent[axis] = "?"
		}
	}
	return fmt.Sprintf("!pto.tile<%dx%dx%s, loc=%s, valid=%sx%s%s>", room[0], room[1], elem, space, extent[0], extent[1], keys)
}

const boxesNZ = ", blayout=col_major, slayout=row_major"

// text returns the text of the kernel at Level 1.
func (p *raggedProduct) text() string {
	depth := min(p.k, p.block)
	exponents := p.block / 32
	words := []string{
		"@k", "@" + p.name, "ELEM", p.in, "SUM", p.sum,
		"AMAT", p.tile("amat", "mat", p.in, [2]int{p.roomM, p.block}, [2]int{p.m, depth}, boxesNZ),
		"BMAT", p.tile("bmat", "mat", p.in, [2]int{p.block, p.roomN}, [2]int{depth, p.n}, boxesNZ),
		"LEFT", p.tile("left", "left", p.in, [2]int{p.roomM, p.block}, [2]int{p.m, depth}, map[string]string{"a3": ", slayout=row_major", "a5": boxesNZ}[p.arch]),
		"RIGHT", p.tile("right", "right", p.in, [2]int{p.block, p.roomN}, [2]int{depth, p.n}, ", slayout=col_major"),
		"ACC", p.tile("acc", "acc", p.sum, [2]int{p.roomM, p.roomN}, [2]int{p.m, p.n}, boxesNZ+", fractal=1024"),
		"BIASMAT", fmt.Sprintf("!pto.tile<1x%dx%s, loc=mat, valid=1x%d>", p.roomN, p.sum, p.n),
		"BIAS", fmt.Sprintf("!pto.tile<1x%dx%s, loc=bias, valid=1x%d>", p.roomN, p.sum, p.n),
		"SAMAT", fmt.Sprintf("!pto.tile<%dx%dx!pto.f8E8M0, loc=mat, valid=%dx%d, slayout=row_major, fractal=32>", p.roomM, exponents, p.m, exponents),
		"SBMAT", fmt.Sprintf("!pto.tile<%dx%dx!pto.f8E8M0, loc=mat, valid=%dx%d, blayout=col_major, slayout=col_major, fractal=32>", exponents, p.roomN, exponents, p.n),
		"SALEFT", fmt.Sprintf("!pto.tile<%dx%dx!pto.f8E8M0, loc=scaling, valid=%dx%d, slayout=row_major, fractal=32>", p.roomM, exponents, p.m, exponents),
		"SBRIGHT", fmt.Sprintf("!pto.tile<%dx%dx!pto.f8E8M0, loc=scaling, valid=%dx%d, blayout=col_major, slayout=col_major, fractal=32>", exponents, p.roomN, exponents, p.n),
		"MAPVIEW", "!pto.tensor_view<?x?x?x?x16xf16>", "MAPPART", "!pto.partition_tensor_view<1x1x?x?x16xf16>",
	}
	body := p.body()
	return strings.NewReplacer(words...).Replace(fmt.Sprintf(`func.func @k(%%a: !pto.ptr<ELEM>, %%b: !pto.ptr<ELEM>, %%bias: !pto.ptr<SUM>, %%sa: !pto.ptr<!pto.f8E8M0>, %%sb: !pto.ptr<!pto.f8E8M0>, %%out: !pto.ptr<SUM>, %%m: index, %%k: index, %%n: index) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%block = arith.constant %d : index
%s  return
}
`, p.block, body))
}

// view returns the text of an operation that creates a view (a tensor in global memory)
// of a pointer. name is the name of the pointer without %. elem is the element type, and
// the parameters rows and cols are the extents.
func view(name, elem, rows, cols string) string {
	return strings.NewReplacer("NAME", name, "ELEM", elem, "ROWS", rows, "COLS", cols).Replace(
		"  %NAME_v = pto.make_tensor_view %NAME, shape = [ROWS, COLS], strides = [COLS, %c1] : !pto.tensor_view<?x?xELEM>\n")
}

// part returns the text of operations that load a rectangle of a view into a tile. All
// arguments are text. The first three are the name of the resulting tile, the name of the
// view, and the element type of the view. The arguments row and col are the position of
// the rectangle, and rows and cols are its size. The last argument is the type of the
// resulting tile.
func part(result, from, elem, row, col, rows, cols, tile string) string {
	return strings.NewReplacer("RESULT", result, "FROM", from, "ELEM", elem, "ROWS", rows, "COLS", cols, "ROW", row, "COL", col, "TILE", tile).Replace(
		`  %RESULT_p = pto.partition_view %FROM_v, offsets = [ROW, COL], sizes = [ROWS, COLS] : !pto.tensor_view<?x?xELEM> -> !pto.partition_tensor_view<?x?xELEM>
  %RESULT = pto.tload %RESULT_p : (!pto.partition_tensor_view<?x?xELEM>) -> TILE
`)
}

// factors returns the text of instructions that load the two operands of a partial
// product. One operand consists of %deep columns of A, the other one of %deep rows of B;
// both start at index %at. The suffix x distinguishes the names of the values in this
// text from those of other partial products.
func (p *raggedProduct) factors(x string) string {
	s := part("am"+x, "a", "ELEM", "%c0", "%at"+x, "%m", "%deep"+x, "AMAT") + "  %al" + x + " = pto.tmov %am" + x + " : (AMAT) -> LEFT\n"
	if p.patches != nil {
		s = "  %al" + x + " = pto.timg2col %map : (!pto.tile<192x16xf16, loc=mat>) -> LEFT\n"
	}
	s += part("bm"+x, "b", "ELEM", "%at"+x, "%c0", "%deep"+x, "%n", "BMAT") + "  %br" + x + " = pto.tmov %bm" + x + " : (BMAT) -> RIGHT\n"
	if p.scaled {
		s += part("sam"+x, "sa", "!pto.f8E8M0", "%c0", "%c0", "%m", "%two", "SAMAT") + "  %sal" + x + " = pto.tmov %sam" + x + " : (SAMAT) -> SALEFT\n" +
			part("sbm"+x, "sb", "!pto.f8E8M0", "%c0", "%c0", "%two", "%n", "SBMAT") + "  %sbr" + x + " = pto.tmov %sbm" + x + " : (SBMAT) -> SBRIGHT\n"
	}
	return s
}

// multiply returns the text of a product instruction. result is the name of the product,
// and x is the suffix in the names of its operands. start is the name of the value to
// which the product is added: the bias, an accumulator, or "" to start with zero.
func (p *raggedProduct) multiply(result, x, start string) string {
	name, args, types := "pto.tmatmul", []string{"%al" + x, "%br" + x}, []string{"LEFT", "RIGHT"}
	if p.scaled {
		name += ".mx"
		args, types = []string{"%al" + x, "%sal" + x, "%br" + x, "%sbr" + x}, []string{"LEFT", "SALEFT", "RIGHT", "SBRIGHT"}
	}
	switch start {
	case "":
	case "%tb":
		name, args, types = name+".bias", append(args, start), append(types, "BIAS")
	default:
		name, args, types = name+".acc", append([]string{start}, args...), append([]string{"ACC"}, types...)
	}
	return fmt.Sprintf("  %s = %s %s : (%s) -> ACC\n", result, name, strings.Join(args, ", "), strings.Join(types, ", "))
}

// body returns the text of the kernel between its constants and its return.
func (p *raggedProduct) body() string {
	var b strings.Builder
	b.WriteString(view("a", "ELEM", "%m", "%k") + view("b", "ELEM", "%k", "%n") + view("out", "SUM", "%m", "%n"))
	start := ""
	if p.start == "bias" {
		b.WriteString(view("bias", "SUM", "%c1", "%n") + part("tbm", "bias", "SUM", "%c0", "%c0", "%c1", "%n", "BIASMAT"))
		b.WriteString("  %tb = pto.tmov %tbm : (BIASMAT) -> BIAS\n")
		start = "%tb"
	}
	if p.scaled {
		b.WriteString("  %two = arith.constant 2 : index\n" + view("sa", "!pto.f8E8M0", "%m", "%two") + view("sb", "!pto.f8E8M0", "%two", "%n"))
	}
	if g := p.patches; g != nil {
		b.WriteString(p.featureMap(g))
	}
	b.WriteString("  %at0 = arith.constant 0 : index\n  %deep0 = arith.minsi %k, %block : index\n" + p.factors("0") + p.multiply("%first", "0", start))
	sum := "%first"
	if p.start == "acc" {
		b.WriteString(p.multiply("%twice", "0", sum))
		sum = "%twice"
	}
	if p.k > p.block {
		b.WriteString("  %all = scf.for %at1 = %block to %k step %block iter_args(%old = " + sum + ") -> (ACC) {\n" +
			"  %left1 = arith.subi %k, %at1 : index\n  %deep1 = arith.minsi %left1, %block : index\n" + p.factors("1") + p.multiply("%new", "1", "%old") +
			"  scf.yield %new : ACC\n  }\n")
		sum = "%all"
	}
	b.WriteString("  %out_p = pto.partition_view %out_v, offsets = [%c0, %c0], sizes = [%m, %n] : !pto.tensor_view<?x?xSUM> -> !pto.partition_tensor_view<?x?xSUM>\n" +
		"  pto.tstore " + sum + ", %out_p : (ACC, !pto.partition_tensor_view<?x?xSUM>) -> ()\n")
	return b.String()
}

// featureMap returns instructions that load the feature map at %a and describe its
// patches.
func (p *raggedProduct) featureMap(g *patches) string {
	return fmt.Sprintf(`  %%lines = arith.constant %d : index
  %%places = arith.constant %d : index
  %%all_places = arith.constant 192 : index
  %%c3 = arith.constant 3 : index
  %%c16 = arith.constant 16 : index
  %%map_v = pto.make_tensor_view %%a, shape = [%%all_places, %%c16], strides = [%%c16, %%c1] : !pto.tensor_view<192x16xf16>
  %%map_p = pto.partition_view %%map_v, offsets = [%%c0, %%c0], sizes = [%%all_places, %%c16] : !pto.tensor_view<192x16xf16> -> !pto.partition_tensor_view<192x16xf16>
  %%map = pto.tload %%map_p : (!pto.partition_tensor_view<192x16xf16>) -> !pto.tile<192x16xf16, loc=mat>
  %%cfg = pto.make_fmatrix_config fmap(%%lines, %%places) pads(%%c1, %%c1, %%c1, %%c1) filter(%%c3, %%c3) : !pto.fmatrix_config
  pto.setfmatrix %%cfg : !pto.fmatrix_config -> ()
`, g.lines, g.places)
}

// matrices holds the elements of A, B and the bias. The elements are small integers, so
// that the sum does not depend on the order of additions.
type matrices struct{ a, b, bias []float64 }

func (p *raggedProduct) matrices() matrices {
	small := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(p.numbers.IntN(7) - 3)
		}
		return x
	}
	rows := p.m
	if p.patches != nil {
		return matrices{small(192 * 16), small(p.k * p.n), small(p.n)}
	}
	return matrices{small(rows * p.k), small(p.k * p.n), small(p.n)}
}

// factor returns the element of the left matrix in row i and column l. In a convolution,
// the rows of the left matrix are patches of the feature map, so factor reads the element
// from the feature map; it is 0 in the padding.
func (p *raggedProduct) factor(x matrices, i, l int) float64 {
	g := p.patches
	if g == nil {
		return x.a[i*p.k+l]
	}
	line, place := i/g.places+l/16/3-1, i%g.places+l/16%3-1
	if line < 0 || line >= g.lines || place < 0 || place >= g.places {
		return 0
	}
	return x.a[(line*g.places+place)*16+l%16]
}

// want returns the expected product, computed element by element from the definition of a
// matrix product.
func (p *raggedProduct) want(x matrices) []float64 {
	scale := math.Ldexp(1, int(p.exponent[0])+int(p.exponent[1])-2*127)
	if !p.scaled {
		scale = 1
	}
	out := make([]float64, p.m*p.n)
	for i := range p.m {
		for j := range p.n {
			first, sum := 0.0, 0.0
			for l := range p.k {
				d := p.factor(x, i, l) * x.b[l*p.n+j] * scale
				if sum += d; l < p.block {
					first += d
				}
			}
			if p.start == "acc" {
				sum += first
			}
			if p.start == "bias" {
				sum += x.bias[j]
			}
			out[i*p.n+j] = sum
		}
	}
	return out
}

// encoded converts the numbers in x to elements of the format with the name elem, and
// returns the bytes of these elements.
func encoded(elem string, x []float64) []byte {
	f, _ := num.ParseFormat(elem)
	b := make([]byte, len(x)*f.Bytes())
	for i, v := range x {
		num.Store(f, b[i*f.Bytes():], num.Encode(f, v, num.NearestEven, false))
	}
	return b
}
