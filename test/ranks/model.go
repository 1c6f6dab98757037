// Package ranks makes random programs of several ranks as cases of the conformance suite.
// A program is a list of steps, such as a copy to another rank or a reduction, between
// which all ranks meet. The package computes the results of a program twice: by a model,
// which applies the steps to arrays, and by executing the text of the program.
//
// The model follows the pages of the instructions and shares no code with the engines: it
// reads no operations and no memory, but the steps from which the text is made.
package ranks

import (
	"encoding/binary"
	"fmt"
	"math"
)

// element is a type of elements. Values of the model are numbers that the type represents
// exactly.
type element struct {
	name  string
	bytes int
	// rounded returns the sum x of two values as a value of the type.
	rounded func(x float64) float64
	// encode writes a value in the byte order of the device.
	encode func(b []byte, x float64)
}

// elements are the types of programs. Values of f16 are small integers, so that their sums
// are exact.
var elements = []element{
	{"f32", 4, func(x float64) float64 { return float64(float32(x)) },
		func(b []byte, x float64) { binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x))) }},
	{"f16", 2, func(x float64) float64 { return x },
		func(b []byte, x float64) { binary.LittleEndian.PutUint16(b, half(x)) }},
	{"i32", 4, func(x float64) float64 { return float64(int32(int64(x))) },
		func(b []byte, x float64) { binary.LittleEndian.PutUint32(b, uint32(int32(x))) }},
	{"i16", 2, func(x float64) float64 { return float64(int16(int64(x))) },
		func(b []byte, x float64) { binary.LittleEndian.PutUint16(b, uint16(int16(x))) }},
}

// half returns the bits of a small integer as f16.
func half(x float64) uint16 {
	if x == 0 {
		return 0
	}
	fraction, exponent := math.Frexp(math.Abs(x)) // fraction in [0.5, 1)
	bits := uint16(exponent-1+15)<<10 | uint16((2*fraction-1)*1024)
	if x < 0 {
		bits |= 1 << 15
	}
	return bits
}

// kind is the instruction of a step.
type kind string

// The kinds of steps.
const (
	put       kind = "tput"
	get       kind = "tget"
	broadcast kind = "tbroadcast"
	scatter   kind = "tscatter"
	gather    kind = "tgather"
	reduce    kind = "treduce"
	notify    kind = "tnotify"
	wait      kind = "twait"
	test      kind = "ttest"
)

var kinds = []kind{put, get, broadcast, scatter, gather, reduce, notify, wait, test}

// step is one step of a program. A chunk is a rectangle of elements. Each rank has chunks
// of input, of a window, and of output, and in its other window words that hold signals.
type step struct {
	kind kind
	// rank executes the step, and peer is the other rank of a copy or of a signal.
	rank, peer int
	// from and to are numbers of chunks: of the input or, for a get and for collected
	// data, of the window; and of the window or of the output.
	from, to int
	// word is the number of a signal, value what is stored, added or compared.
	word, value int
	// how is the attribute of the instruction, such as atomic_add, max or ge.
	how string
	// seen is the number of the word of the results that receives the result of a test.
	seen int
}

// program is a random program.
type program struct {
	profile    string
	elem       element
	ranks      int
	rows, cols int
	// ins, windows and outs are the numbers of chunks of each rank. outs includes the
	// chunks of the window, which the program copies to the output at its end.
	ins, windows, outs int
	pong               bool
	steps              []step
	// input holds the elements of each rank.
	input [][]float64
}

// The words of signals of each rank. Word 0 counts the meetings.
const (
	words   = 16
	results = 16 // words that tests write, following the copies of the signals
)

// state is the memory of a rank in the model.
type state struct {
	window, out [][]float64
	signal      [words]int32
	seen        [results]int32
}

// run applies the steps to arrays.
func (p *program) run() []*state {
	all := make([]*state, p.ranks)
	for r := range all {
		all[r] = &state{window: make([][]float64, p.windows), out: make([][]float64, p.outs)}
		for i := range all[r].window {
			all[r].window[i] = make([]float64, p.rows*p.cols)
		}
		for i := range all[r].out {
			all[r].out[i] = make([]float64, p.rows*p.cols)
		}
	}
	for _, s := range p.steps {
		own := all[s.rank]
		switch s.kind {
		case put:
			for i, x := range p.chunk(s.rank, s.from) {
				if s.how == "atomic_add" {
					x = p.elem.rounded(all[s.peer].window[s.to][i] + x)
				}
				all[s.peer].window[s.to][i] = x
			}
		case get:
			copy(own.out[s.to], all[s.peer].window[s.from])
		case broadcast:
			for _, member := range all {
				copy(member.window[s.to], p.chunk(s.rank, s.from))
			}
		case scatter:
			for r, member := range all {
				copy(member.window[s.to], p.chunk(s.rank, s.from+r))
			}
		case gather:
			for r, member := range all {
				copy(own.out[s.to+r], member.window[s.from])
			}
		case reduce:
			for i := range own.out[s.to] {
				sum := all[0].window[s.from][i]
				for _, member := range all[1:] {
					sum = p.combine(s.how, sum, member.window[s.from][i])
				}
				own.out[s.to][i] = sum
			}
		case notify:
			if s.how == "set" {
				all[s.peer].signal[s.word] = int32(s.value)
			} else {
				all[s.peer].signal[s.word] += int32(s.value)
			}
		case test:
			if holds(s.how, int(own.signal[s.word]), s.value) {
				own.seen[s.seen] = 1
			}
		}
	}
	for _, s := range all {
		copy(s.out[p.outs-p.windows:], s.window)
	}
	return all
}

// chunk returns a chunk of the input of a rank.
func (p *program) chunk(rank, i int) []float64 {
	n := p.rows * p.cols
	return p.input[rank][i*n : (i+1)*n]
}

// combine returns the result of a reduction of two elements.
func (p *program) combine(how string, a, b float64) float64 {
	switch how {
	case "max":
		return max(a, b)
	case "min":
		return min(a, b)
	}
	return p.elem.rounded(a + b)
}

// holds reports whether a comparison of a signal holds.
func holds(how string, signal, value int) bool {
	switch how {
	case "eq":
		return signal == value
	case "ne":
		return signal != value
	case "gt":
		return signal > value
	case "ge":
		return signal >= value
	case "lt":
		return signal < value
	case "le":
		return signal <= value
	}
	panic(fmt.Sprintf("comparison %s", how))
}

// bytes returns chunks as bytes.
func (p *program) bytes(chunks ...[]float64) []byte {
	var all []byte
	for _, c := range chunks {
		for _, x := range c {
			b := make([]byte, p.elem.bytes)
			p.elem.encode(b, x)
			all = append(all, b...)
		}
	}
	return all
}
