package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// single predicts r, a published measurement of one instruction: its number of cycles in
// a kernel that contains no other work.
func single(r *row) error {
	r.class = "instruction a2a3"
	arch := "a3"
	if strings.HasPrefix(r.device, "A5") {
		r.class, arch = "instruction a5", "a5"
	}
	if r.unit != "cycles" {
		r.class = ""
		return nil
	}
	o, ok := operationOf(r)
	if bytes := o.rows * o.cols * 2; ok && arch == "a3" && r.value < float64(bytes)/256/2 || r.value < 8 {
		r.class = "" // an instruction cannot be faster than half a cycle for each 256 bytes
		return nil
	}
	if !ok {
		return fmt.Errorf("the check has no program that measures kernel %q", r.kernel)
	}
	r.fit = arch == "a5" || isFitted(r.kernel) // the fits for A5 were made from these cycles
	l := &launch{text: o.text(arch), file: "single.pto"}
	if o.loads {
		l.args = []any{&buffer{o.rows * o.of * 8}}
	}
	res, err := predict(l)
	if err != nil {
		return err
	}
	r.predicted = res.Instruction("pto." + o.name)
	return nil
}

// isFitted reports whether constants of the timing model were fitted to the measurement
// of the given kernel. These constants are the costs of a barrier, of the gap between
// instructions, of the repeats of a reduction, and of a transposition.
func isFitted(kernel string) bool {
	for _, k := range []string{"TColMax float_64x64", "TRowExpand half_64x64", "TRowMax float_64x64", "TTrans float_128x128"} {
		if strings.HasSuffix(kernel, k) {
			return true
		}
	}
	return false
}

// operation describes one tile instruction with its element types and the shapes of its
// tiles, from which the check generates a program.
type operation struct {
	name string
	// from and to are the element types of the source and the result.
	from, to string
	// rows and cols are the numbers of valid rows and columns of the tiles.
	rows, cols int64
	// ofRows and of are the rows and columns of the entire tile.
	ofRows, of      int64
	scalar, loads   bool
	srcs            int
	attrs           string
	reducesR, isCol bool
	mask            bool
}

// elemNames maps the names of element types in published measurements to the names of
// MLIR.
var elemNames = map[string]string{
	"float": "f32", "half": "f16", "Float": "f32", "Half": "f16", "BFloat16": "bf16", "f32": "f32", "f16": "f16",
	"int16_t": "i16", "int32_t": "i32", "int8_t": "i8", "uint32_t": "ui32", "Int8": "i8", "UInt8": "ui8", "Int16": "i16", "Int32": "i32",
	"HFloat8": "!pto.hif8", "Float8E4M3": "f8E4M3FN", "Float8E5M2": "f8E5M2", "Float4E1M2": "!pto.f4E1M2x2", "Float4E2M1": "!pto.f4E2M1x2",
}

var (
	number     = regexp.MustCompile(`\d+`)
	conversion = regexp.MustCompile(` ([a-z0-9]+)_to_([a-z0-9]+)_`) // in the names of kernels
)

// operationOf decodes the instruction and the tile shapes that a row measures. ok is
// false if the instruction or a shape is unknown.
func operationOf(r *row) (o operation, ok bool) {
	words := strings.Fields(strings.TrimPrefix(r.kernel, "1-op "))
	o.name = strings.ToLower(words[0])
	from, to, converts := strings.Cut(r.elem, "->")
	if m := conversion.FindStringSubmatch(r.kernel); m != nil && o.name == "tcvt" {
		from, to, converts = m[1], m[2], true
	}
	o.from = elemNames[from]
	if o.to = o.from; converts {
		o.to = elemNames[to]
	}
	return o, o.from != "" && o.to != "" && o.readExtents(r) && o.readKind(r)
}

// readExtents decodes the numbers in the shape column of table row r. They are the rows
// and columns of a tile, and those of its valid region. Different tables list the four
// numbers in different orders. The result is false if the order is not recognized.
func (o *operation) readExtents(r *row) bool {
	n := extentsIn(r.shape)
	switch {
	case len(n) == 2:
		o.rows, o.cols, o.ofRows, o.of = n[0], n[1], n[0], n[1]
	case len(n) == 4 && (strings.Contains(r.shape, "valid") || strings.HasPrefix(r.device, "A5")):
		o.ofRows, o.of, o.rows, o.cols = n[0], n[1], n[2], n[3]
	case len(n) == 4 && n[0] == n[1]: // rows and columns, each of the tile and of its valid part
		o.rows, o.ofRows, o.cols, o.of = n[0], n[1], min(n[2], n[3]), max(n[2], n[3])
	case len(n) >= 4 && n[0] == n[2]:
		o.rows, o.cols, o.ofRows, o.of = n[0], n[1], n[0], n[1]
	default:
		return false
	}
	return true
}

// extentsIn returns the numbers in a shape, without those in the names of element types.
func extentsIn(shape string) (n []int64) {
	if i := strings.Index(shape, "VFIMPL"); i >= 0 {
		shape = shape[:i]
	}
	if !strings.HasPrefix(shape, "1x") && strings.Contains(shape, ",") {
		_, shape, _ = strings.Cut(shape, ",") // the element type
		for strings.HasPrefix(shape, "float") || strings.HasPrefix(shape, "half") || strings.HasPrefix(shape, "int") || strings.HasPrefix(shape, "uint") {
			_, shape, _ = strings.Cut(shape, ",")
		}
	}
	for _, s := range number.FindAllString(shape, -1) {
		x, _ := strconv.ParseInt(s, 10, 64)
		n = append(n, x)
	}
	return n
}

// readKind determines from the name of the operation, and from the names of kernel and
// shape in row r, which operands and attributes the instruction has. It returns false if
// the name is unknown.
func (o *operation) readKind(r *row) bool {
	o.srcs = 1
	switch o.name {
	case "tadd", "tsub", "tmul", "tdiv", "tmax", "tmin", "tand", "tor":
		o.srcs = 2
	case "tsel":
		o.srcs, o.mask = 2, true
	case "tadds", "tmuls", "tmins", "tmaxs", "tdivs", "tsubs":
		o.scalar = true
	case "trecip", "texp", "tsqrt", "trsqrt", "tneg", "tcvt", "tabs", "tlog", "trelu", "tnot", "ttrans", "trowexpand":
		if strings.Contains(r.kernel, "high_precision") {
			o.attrs = " {precisionType = #pto<recip_precision high_precision>}"
		}
	case "trowmax", "trowmin", "trowsum":
		o.reducesR = true
	case "tcolmax", "tcolmin", "tcolsum":
		o.isCol = true
		if strings.Contains(r.shape, "true") {
			o.attrs = " {isBinary = true}"
		}
	default:
		return false
	}
	return true
}

// text returns the text of a program that contains the instruction.
func (o *operation) text(arch string) string {
	tile := func(elem string, rows, cols, ofRows, of int64) string {
		if strings.Contains(elem, "f4") { // pairs
			cols, of = cols/2, of/2
		}
		if rows == ofRows && cols == of {
			return fmt.Sprintf("!pto.tile_buf<vec, %dx%dx%s>", ofRows, of, elem)
		}
		return fmt.Sprintf("!pto.tile_buf<vec, %dx%dx%s, valid=%dx%d>", ofRows, of, elem, rows, cols)
	}
	src, dst := tile(o.from, o.rows, o.cols, o.ofRows, o.of), tile(o.to, o.rows, o.cols, o.ofRows, o.of)
	switch {
	case o.reducesR:
		dst = fmt.Sprintf("!pto.tile_buf<vec, %dx1x%s, blayout=col_major>", o.ofRows, o.to)
	case o.isCol:
		dst = tile(o.to, 1, o.cols, 1, o.of)
	case o.name == "ttrans":
		dst = tile(o.to, o.cols, o.rows, o.of, o.ofRows)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module attributes {pto.target_arch = %q} {\nfunc.func @k() attributes {pto.kernel} {\n", arch)
	var names, types []string
	declare := func(name, t string) {
		fmt.Fprintf(&b, "  %%%s = pto.alloc_tile : %s\n", name, t)
	}
	in := func(name, t string) {
		declare(name, t)
		names, types = append(names, "%"+name), append(types, t)
	}
	if o.mask {
		in("m", fmt.Sprintf("!pto.tile_buf<vec, %dx%dxui8>", o.ofRows, max((o.of+255)/256*32, 32)))
	}
	for i := range o.srcs {
		in(fmt.Sprintf("s%d", i), src)
	}
	if o.scalar {
		value := "1"
		if strings.HasPrefix(o.from, "f") || o.from == "bf16" {
			value = "3.0"
		}
		fmt.Fprintf(&b, "  %%x = arith.constant %s : %s\n", value, o.from)
		names, types = append(names, "%x"), append(types, o.from)
	}
	declare("d", dst)
	fmt.Fprintf(&b, "  pto.%s ins(%s : %s) outs(%%d : %s)%s\n  return\n}\n}\n", o.name, strings.Join(names, ", "), strings.Join(types, ", "), dst, o.attrs)
	return b.String()
}
