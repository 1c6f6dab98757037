package main

import (
	"fmt"
	"slices"
	"strings"
)

// family is a group of published measurements (rows) that one function predicts with the
// timing model. The kernel names of its rows start with a common prefix.
type family struct {
	kernel  string
	predict func(r *row) error
}

// families lists the kinds of published measurements that the timing model can predict.
// Each entry has a text and the function that predicts such measurements. A measurement
// belongs to the first entry whose text is the start of the name of its kernel.
var families = []family{
	{"gemm_performance", gemm},
	{"tiled gemm", tiledGemm},
	{"matmul_mxfp8", gemmF8},
	{"matmul_mxfp4", gemmF4},
	{"conv2d_forward", conv2d},
	{"topk", topk},
	{"pto-dsl add", add},
	{"hadamard_a5", hadamard},
	{"mxfp4_quant_a5 kbench d2d_copy", copyBench},
	{"mxfp4_quant_a5 bbench d2d_copy", copyBench},
	{"flash_atten torch_jit", attention},
	{"flash_atten core scaling", attention},
	{"python flash_atten", attention},
	{"flash_atten torch_npu", nil}, // other kernels
	{"flash_atten onboard", nil},
	{"flash_atten", attention},
	{"1-op ", single},
	{"VF ", function},
}

// pipesOf maps the name of a ratio in published tables to a pipe. A ratio is the fraction
// of time for which this pipe is busy.
var pipesOf = map[string]string{
	"cube ratio": "CUBE", "TEXTRACT ratio": "MTE1", "TLOAD ratio": "MTE2", "TSTORE ratio": "FIXP",
	"vec ratio": "VECTOR", "mte2 ratio": "MTE2", "mte3 ratio": "MTE3",
}

// put predicts the launch l with the timing model and stores the prediction in r, a
// published measurement. class is the class of measurements in which the summary counts
// r. The prediction is usually a time in the unit of r. If r is a percentage, the
// prediction is the share of the time in which a pipe is busy.
func put(r *row, class string, l *launch) error {
	r.class = class
	_, what, _ := strings.Cut(r.kernel, " ")
	pipe, isShare := pipesOf[what]
	if r.points() {
		r.class += " shares"
		if !isShare {
			r.class = "" // of what the model does not say
			return nil
		}
	}
	r.bytes = l.bytes()
	res, err := predict(l)
	if err != nil {
		return err
	}
	if res.Micros < 2*res.Launch {
		r.class = "small kernels" // the launch is a good part of their time
	}
	switch {
	case r.points():
		r.pipe = pipe
		r.predicted = share(res, pipe)
	case strings.HasPrefix(r.unit, "ms"):
		r.predicted = res.Total() / 1000
	default:
		r.predicted = res.Total()
	}
	return nil
}

// chipOf returns the name of the chip on which the measurement r was made, in the form
// that the timing model uses.
func chipOf(r *row) string {
	switch {
	case strings.Contains(r.device, "910B2"):
		return "910B2"
	case strings.Contains(r.device, "950"), strings.HasPrefix(r.device, "A5"):
		return "950"
	}
	return "910B1"
}

func gemm(r *row) error {
	var n int64
	if _, err := fmt.Sscanf(r.shape, "m=k=n=%d", &n); err != nil {
		return err
	}
	r.fit = n == 3072 || n == 6144
	return put(r, "GEMM", &launch{file: "gemm.pto", chip: chipOf(r), blocks: 24,
		args: []any{&buffer{n * n * 2}, &buffer{n * n * 2}, &buffer{n * n * 4}, n, n, n, n / 4, n / 6}})
}

func gemmF8(r *row) error {
	var n int64
	if _, err := fmt.Sscanf(r.shape, "m=k=n=%d", &n); err != nil {
		return err
	}
	r.fit = n == 4096
	return put(r, "mxfp8", &launch{file: "gemm_f8.pto", chip: chipOf(r), blocks: 32,
		args: []any{&buffer{n * n}, &buffer{n * n}, &buffer{n * n * 2}, n, n, n, n / 4, n / 8}})
}

// gemmF4 predicts r, a published measurement of a matrix product of 4-bit floats. It
// rounds the matrix up to complete tiles on a grid of 4 by 8 cores: m to a multiple of
// 1024 and n to a multiple of 2048.
func gemmF4(r *row) error {
	var m, k, n int64
	if !scan(r.shape, "m=%d k=%d n=%d", &m, &k, &n) {
		return fmt.Errorf("unknown shape")
	}
	r.fit = m == 2048 && k == 8192 && n == 8192
	m, n = (m+1023)/1024*1024, (n+2047)/2048*2048
	return put(r, "mxfp4", &launch{file: "gemm_mxfp4.pto", chip: chipOf(r), blocks: 32,
		args: []any{&buffer{m * k}, &buffer{n * k}, &buffer{m * n * 2}, m, k, n, m / 4, n / 8}})
}

// conv2d predicts the time of r, a published measurement of a convolution. The shape of r
// describes the feature map X and the filters K. The dimensions of X are: images, blocks
// of input channels, rows, columns, and 16 channels. The dimensions of K start with the
// number of fractals along a patch and the number of blocks of 16 output channels.
func conv2d(r *row) error {
	var images, in, height, width, along, out int64
	if !scan(r.shape, "X=[%d,%d,%d,%d,16] K=[%d,%d,16,16]", &images, &in, &height, &width, &along, &out) || images != 4 || out%6 != 0 || along != 9*in {
		return fmt.Errorf("unknown shape")
	}
	r.fit = in == 32 && height == 16 && width == 96
	return put(r, "conv2d", &launch{file: "conv2d.pto", chip: chipOf(r), blocks: 24, args: []any{
		&buffer{images * in * height * width * 32}, &buffer{along * out * 512}, &buffer{images * out * height * width * 32},
		in, height, width, out * 16}})
}

func topk(r *row) error {
	var rows int64
	if _, err := fmt.Sscanf(r.shape, "rows=%d", &rows); err != nil {
		return err
	}
	r.fit = rows == 4800 && r.elem == "f32"
	file, k, size := "topk.pto", int64(1000), int64(4)
	if r.elem == "f16" {
		file, k, size = "topk_f16.pto", 1008, 2
	}
	return put(r, "top-k", &launch{file: file, chip: chipOf(r), blocks: 48,
		args: []any{&buffer{rows * 1280 * size}, &buffer{rows * k * size}, &buffer{rows * k * 4}, rows}})
}

// add predicts r, a published measurement of c = a + b on the chip 910B2. The first
// number in the kernel's name is the total amount of moved data in megabytes. The
// benchmark writes 256 MiB before each launch. The prediction therefore assumes that all
// cache lines of L2 must be written back to memory.
func add(r *row) error {
	n, tiles := int64(39321600), int64(1)
	if strings.Contains(r.kernel, "94.37") {
		n = 7864320
	}
	if strings.Contains(r.kernel, "double") {
		tiles = 2
	}
	return put(r, "stream a2a3", &launch{file: "add.pto", chip: chipOf(r), blocks: 48, changes: []string{"l2.dirty=1"},
		args: []any{&buffer{n * 4}, &buffer{n * 4}, &buffer{n * 4}, n, tiles}})
}

// stream predicts r, a published measurement of a kernel that moves data. kernel is the
// name of this kernel in stream.pto. The kernel processes rows of 256 f16; the parameter
// rows is their number, and step is the number of rows that it processes at a time. If
// the parameter warm is true, the data is in the L2 cache at the start.
func stream(r *row, kernel string, rows, step int64, warm bool) error {
	bytes := rows * 512
	return put(r, "stream a5", &launch{file: "stream.pto", kernel: kernel, chip: chipOf(r), blocks: 64, warm: warm,
		args: []any{&buffer{bytes}, &buffer{bytes}, rows, step}})
}

// hadamard predicts the result of a published measurement, described by row r, and stores
// the prediction in r. The measured kernel computes Hadamard transforms of rows of n f16;
// the shape in r contains n. The function returns an error if it does not recognize the
// shape.
func hadamard(r *row) error {
	var n, rows, batch, kib, nbuf int64
	rows = 32
	switch {
	case scan(r.shape, "N=%d rows=%d batch=%d", &n, &rows, &batch):
	case scan(r.shape, "N=%d tile=%dKiB nbuf=%d batch=%d", &n, &kib, &nbuf, &batch):
		rows = kib * 1024 / (n * 2)
	case scan(r.shape, "N=%d batch=%d", &n, &batch):
		rows = max(16384/(n*2), 1)
	default:
		return fmt.Errorf("unknown shape")
	}
	r.fit = r.kernel == "hadamard_a5 nsweep" && n == 256 || r.kernel == "hadamard_a5 grid" && batch == 1024 // launch.floor
	// Rows of other lengths have as many bytes: the number of steps changes little.
	return stream(r, "hadamard", batch*n/256, min(max(rows*n/256, 1), 128), false)
}

// copyBench predicts the result of a published measurement of a copy, described by row r,
// and stores the prediction in r. The measured loop copies the same buffer in each
// iteration, so the part of the buffer that fits in the L2 cache stays there. The
// function returns an error if it does not recognize the shape in r.
func copyBench(r *row) error {
	var k, batch int64
	if !scan(r.shape, "K=%d batch=%d", &k, &batch) {
		return fmt.Errorf("unknown shape")
	}
	bytes := k * batch * 2
	// gm.hit is from copies of 16 to 64 MiB that repeat, gm.miss from those of 256 MiB and more.
	r.fit = bytes >= 16<<20 && bytes <= 64<<20 || bytes >= 256<<20
	return stream(r, "copy", bytes/512, 64, 2*bytes <= 64<<20)
}

// The function named function predicts the measurement r of a single vector function of
// A5: the number of cycles from its start to its end in the vendor's simulator. It stores
// the prediction in r. It returns an error if there is no program for this measurement.
func function(r *row) error {
	r.class = "vector functions a5"
	var name string
	var rounds int64
	if !scan(strings.ReplaceAll(r.kernel, " I", " "), "VF %s %d", &name, &rounds) || strings.Contains(r.kernel, " U") || !slices.Contains(functions, name) {
		return fmt.Errorf("the check has no program that measures kernel %q", r.kernel)
	}
	res, err := predict(&launch{file: "vf.pto", kernel: name, chip: chipOf(r), args: []any{rounds}})
	if err != nil {
		return err
	}
	r.fit = true // how ports are taken and the size of the window were chosen with them in view
	r.predicted = res.Instruction("pto.vecscope")
	return nil
}

// functions lists the names of the kernels in the file vf.pto that are compared with
// measurements. Each consists of one vector function.
var functions = []string{"silu", "swiglu", "gelu", "online_update", "gelu_poly"}

// mostKeys is the maximum sequence length of the attention kernels whose times this check
// predicts. The time and the memory for a prediction grow with the square of the length.
const mostKeys = 32768

// attention predicts r, a published measurement of flash attention with heads of 128
// columns, where each block processes 128 queries. It returns errLarge for sequences of
// more than mostKeys keys.
func attention(r *row) error {
	var queries, keys int64
	if !scan(r.shape, "S0=%d S1=%d", &queries, &keys) {
		if !scan(r.shape, "seq=%d", &queries) {
			return fmt.Errorf("unknown shape")
		}
		keys = queries
	}
	r.fit = strings.Contains(r.kernel, "torch_jit") && queries == 128 && (keys == 1024 || keys == 8192) ||
		strings.HasPrefix(r.kernel, "flash_atten") && queries == 32768 // gm.write
	if keys > mostKeys {
		r.class = "attention"
		return errLarge
	}
	blocks := queries / 128
	rings := min(blocks, 24)
	return put(r, "attention", &launch{file: "attention.pto", chip: chipOf(r), blocks: int(blocks), warm: true, work: 4 * queries * keys, args: []any{
		&buffer{queries * 256}, &buffer{keys * 256}, &buffer{keys * 256}, &buffer{queries * 512},
		&buffer{rings * 2048 * 512}, &buffer{rings * 2048 * 256}, &buffer{rings * 1024 * 512}, queries, keys, rings}})
}

func scan(s, format string, to ...any) bool {
	n, err := fmt.Sscanf(s, format, to...)
	return err == nil && n == len(to)
}
