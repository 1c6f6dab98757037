package isatest

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ptogo/frontend/llir"
)

// texts are the strings of the host program by number.
type texts struct{ all []string }

func (t *texts) add(s string) value {
	t.all = append(t.all, s)
	return value{n: int64(len(t.all) - 1)}
}

func (t *texts) get(v value) string {
	if v.n < 0 || v.n >= int64(len(t.all)) {
		panic(fault("the host program uses a string that does not exist"))
	}
	return t.all[v.n]
}

// chars returns the characters up to a zero byte at a pointer.
func chars(p value) string {
	if p.obj == nil || p.n < 0 || p.n > int64(len(p.obj.bytes)) {
		panic(fault("the host program reads a string without an address"))
	}
	text, _, _ := strings.Cut(string(p.obj.bytes[p.n:]), "\x00")
	return text
}

// host is the state of one test in the library.
type host struct {
	texts
	m *machine
	// dir is the folder in which the test would run. Paths that leave its parent are
	// refused.
	dir string
	// suite and name are the numbers of the names of the test.
	suite, name value
	// written are the files that the test wrote.
	written map[string][]byte
	blocks  int64
	// expectations counts expectations, and failed those that do not hold.
	expectations, failed int
	// missing is a file that the test could not read, or "".
	missing string
	// differences describe comparisons that failed.
	differences []string
	// kernels are the kernels that were launched.
	kernels []string
}

// file returns the content of a file of the test, or nil.
func (h *host) file(path string) []byte {
	full := h.path(path)
	if data, ok := h.written[full]; ok {
		return data
	}
	data, err := os.ReadFile(full)
	switch {
	case err != nil:
		h.missing = path
		return nil
	case filepath.Base(h.missing) == filepath.Base(path): // the test searches for the file in several folders
		h.missing = ""
	}
	return data
}

func (h *host) path(path string) string {
	full := filepath.Join(h.dir, path)
	if !strings.HasPrefix(full, filepath.Dir(h.dir)+string(filepath.Separator)) {
		panic(fault("the host program opens the file %s outside of its folder", path))
	}
	return full
}

// functions returns the functions of the library.
func (h *host) functions() map[string]func(v *llir.Value, a []value) value {
	zero := func(*llir.Value, []value) value { return value{} }
	unary := func(f func(float64) float64) func(v *llir.Value, a []value) value {
		return func(v *llir.Value, a []value) value { return value{f: rounded(v.Type, f(a[0].f))} }
	}
	choose := func(first func(v *llir.Value, a, b value) bool) func(v *llir.Value, a []value) value {
		return func(v *llir.Value, a []value) value {
			if first(v, a[0], a[1]) {
				return a[0]
			}
			return a[1]
		}
	}
	return map[string]func(v *llir.Value, a []value) value{
		"ignored": zero, "printf": zero, "fprintf": zero, "puts": zero, "putchar": zero, "fflush": zero, "llvm.assume": zero, "llvm.donothing": zero,
		"ptogo_launch": func(_ *llir.Value, a []value) value { h.blocks = a[0].n; return value{} },
		"isa_test": func(_ *llir.Value, a []value) value {
			h.suite, h.name = h.add(chars(a[0])), h.add(chars(a[1]))
			return value{}
		},
		"isa_current_suite": func(*llir.Value, []value) value { return h.suite },
		"isa_current_name":  func(*llir.Value, []value) value { return h.name },
		"isa_text":          func(_ *llir.Value, a []value) value { return h.add(chars(a[0])) },
		"isa_joined":        func(_ *llir.Value, a []value) value { return h.add(h.get(a[0]) + h.get(a[1])) },
		"isa_number":        func(_ *llir.Value, a []value) value { return h.add(strconv.FormatInt(a[0].n, 10)) },
		"isa_length":        func(_ *llir.Value, a []value) value { return value{n: int64(len(h.get(a[0])))} },
		"isa_equal":         func(_ *llir.Value, a []value) value { return truth(h.get(a[0]) == h.get(a[1])) },
		"isa_chars": func(_ *llir.Value, a []value) value {
			return value{obj: &object{bytes: append([]byte(h.get(a[0])), 0), pointers: map[int64]value{}}}
		},
		"isa_allocate": func(_ *llir.Value, a []value) value { return value{obj: newObject(a[0].n)} },
		"isa_copy":     func(_ *llir.Value, a []value) value { return copied(a) },
		"isa_fill":     func(_ *llir.Value, a []value) value { return filled(a) },
		"memcpy":       func(_ *llir.Value, a []value) value { return copied(a) },
		"memset":       func(_ *llir.Value, a []value) value { return filled(a) },
		"llvm.memcpy":  func(_ *llir.Value, a []value) value { return copied(a) },
		"llvm.memmove": func(_ *llir.Value, a []value) value { return copied(a) },
		"llvm.memset":  func(_ *llir.Value, a []value) value { return filled(a) },
		"isa_file_size": func(_ *llir.Value, a []value) value {
			data := h.file(h.get(a[0]))
			if data == nil {
				return value{n: -1}
			}
			return value{n: int64(len(data))}
		},
		"isa_file_read": func(_ *llir.Value, a []value) value {
			data := h.file(h.get(a[0]))
			if a[1].n < 0 || a[1].n >= int64(len(data)) || a[3].n <= 0 {
				return value{}
			}
			data = data[a[1].n:]
			return value{n: int64(copy(part(a[2], a[3].n), data))}
		},
		"isa_file_write": func(_ *llir.Value, a []value) value {
			path := h.path(h.get(a[0]))
			var old []byte
			if a[3].n != 0 {
				old = h.written[path]
			}
			h.written[path] = append(old[:len(old):len(old)], part(a[1], a[2].n)...)
			return value{}
		},
		"isa_compare": func(_ *llir.Value, a []value) value {
			return truth(h.compare(a))
		},
		"isa_compare_exact": func(_ *llir.Value, a []value) value {
			size := elementSize(a[0].n) * a[3].n
			equal := string(part(a[1], size)) == string(part(a[2], size))
			if !equal {
				h.differences = append(h.differences, "elements differ that must be equal")
			}
			return truth(equal)
		},
		"isa_expect": func(_ *llir.Value, a []value) value {
			h.expectations++
			if a[0].n == 0 {
				h.failed++
			}
			return value{}
		},
		"isa_unknown": func(_ *llir.Value, a []value) value {
			panic(fault("the host program uses %s", chars(a[0])))
		},
		"llvm.fabs": unary(math.Abs), "llvm.sqrt": unary(math.Sqrt), "llvm.floor": unary(math.Floor), "llvm.ceil": unary(math.Ceil), "llvm.trunc": unary(math.Trunc),
		"llvm.rint": unary(math.RoundToEven), "llvm.round": unary(math.Round), "llvm.exp": unary(math.Exp), "llvm.log": unary(math.Log), "expf": unary(math.Exp), "logf": unary(math.Log),
		"llvm.smax": choose(func(_ *llir.Value, a, b value) bool { return a.n > b.n }),
		"llvm.smin": choose(func(_ *llir.Value, a, b value) bool { return a.n < b.n }),
		"llvm.umax": choose(func(v *llir.Value, a, b value) bool { return unsigned(a.n, v.Type.Bits) > unsigned(b.n, v.Type.Bits) }),
		"llvm.umin": choose(func(v *llir.Value, a, b value) bool { return unsigned(a.n, v.Type.Bits) < unsigned(b.n, v.Type.Bits) }),
		"llvm.abs":  func(_ *llir.Value, a []value) value { return value{n: max(a[0].n, -a[0].n)} },
		"llvm.is": func(v *llir.Value, a []value) value { // is.fpclass with the classes of NaN or infinity
			x := a[0].f
			return truth(a[1].n&3 != 0 && x != x || a[1].n&0x204 != 0 && math.IsInf(x, 0))
		},
	}
}

// copied copies bytes: a[1] to a[0], a[2] bytes.
func copied(a []value) value {
	if a[2].n > 0 {
		move(a[0], a[1], a[2].n)
	}
	return a[0]
}

// filled sets a[2] bytes at a[0] to a[1].
func filled(a []value) value {
	if a[2].n > 0 {
		b := part(a[0], a[2].n)
		for i := range b {
			b[i] = byte(a[1].n)
		}
	}
	return a[0]
}
