package numexpr

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestEval(t *testing.T) {
	x := &Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}
	names := map[string]*Array{"x": x, "s": scalar(2)}
	for _, c := range []struct {
		text  string
		shape []int
		want  []float64
	}{
		{"x + 1", []int{2, 3}, []float64{2, 3, 4, 5, 6, 7}},
		{"-x ** 2", []int{2, 3}, []float64{-1, -4, -9, -16, -25, -36}},
		{"1 - 2 - 3", nil, []float64{-4}},
		{"2 ** 3 ** 2", nil, []float64{512}},
		{"x.sum(axis=1)", []int{2}, []float64{6, 15}},
		{"sum(x, 0)", []int{3}, []float64{5, 7, 9}},
		{"x.max(axis=-1, keepdims=true)", []int{2, 1}, []float64{3, 6}},
		{"x / x.max(axis=1, keepdims=true) * s", []int{2, 3}, []float64{2. / 3, 4. / 3, 2, 8. / 6, 10. / 6, 2}},
		{"sum(x)", nil, []float64{21}},
		{"mean(x)", nil, []float64{3.5}},
		{"x.T", []int{3, 2}, []float64{1, 4, 2, 5, 3, 6}},
		{"x @ x.T", []int{2, 2}, []float64{14, 32, 32, 77}},
		{"x[0]", []int{3}, []float64{1, 2, 3}},
		{"x[1, -1]", nil, []float64{6}},
		{"x[:, ::2]", []int{2, 2}, []float64{1, 3, 4, 6}},
		{"x[:, 1:]", []int{2, 2}, []float64{2, 3, 5, 6}},
		{"where(x > 3, x, 0)", []int{2, 3}, []float64{0, 0, 0, 4, 5, 6}},
		{"clip(x, 2, 5)", []int{2, 3}, []float64{2, 2, 3, 4, 5, 5}},
		{"reshape(x, 3, -1)", []int{3, 2}, []float64{1, 2, 3, 4, 5, 6}},
		{"x.argmax(axis=1)", []int{2}, []float64{2, 2}},
		{"cumsum(x, axis=1)", []int{2, 3}, []float64{1, 3, 6, 4, 9, 15}},
		{"-7 // 2 + -7 % 3", nil, []float64{-4 + 2}},
		{"f16(1.0001)", nil, []float64{1}},
		{"i8(200)", nil, []float64{-56}},
		{"arange(3) * (ones(2, 1) + 1)", []int{2, 3}, []float64{0, 2, 4, 0, 2, 4}},
		{"maximum(x, 3)\n", []int{2, 3}, []float64{3, 3, 3, 4, 5, 6}},
		{"e = exp(x - x.max(axis=1, keepdims=true)) # of rows\nround(1e6 * e / e.sum(axis=1, keepdims=true)) / 1e6 - round(1e6*softmax(x)) / 1e6", []int{2, 3}, make([]float64, 6)},
		{"sum((\n 1,\n)[0:0])", nil, nil},
	} {
		got, err := Eval(c.text, names)
		if c.want == nil && c.shape == nil {
			if err == nil {
				t.Errorf("%s: no error", c.text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		a := got[""]
		if !slices.Equal(a.Shape, c.shape) || len(a.Data) != len(c.want) {
			t.Errorf("%s: shape %v, want %v", c.text, a.Shape, c.shape)
			continue
		}
		for i := range a.Data {
			if math.Abs(a.Data[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.text, a.Data, c.want)
				break
			}
		}
	}
	if got, err := Eval("y = x * 2; z = y + 1", names); err != nil || got["z"].Data[5] != 13 || got["y"].Data[0] != 2 {
		t.Errorf("assignments: %v %v", got, err)
	}
}

// TestErrors checks that an error has a message and the offset of the incorrect part.
func TestErrors(t *testing.T) {
	x := &Array{Shape: []int{2, 3}, Data: make([]float64, 6)}
	for _, c := range []struct {
		text string
		off  int
		want string
	}{
		{"", 0, "expected an expression"},
		{"x +", 3, "found the end"},
		{"x + )", 4, "found ')'"},
		{"  q", 2, "unknown name 'q'"},
		{"f(x)", 0, "unknown function 'f'"},
		{"x & 1", 2, "unexpected character"},
		{"x[2]", 2, "out of range for a dimension of size 2"},
		{"x[0,0,0]", 1, "3 indices"},
		{"x @ x", 2, "cannot be multiplied"},
		{"x + ones(4)", 2, "cannot be combined by broadcasting"},
		{"x.sum(axis=2)", 2, "the axis is out of range"},
		{"zeros(1e6, 1e6)", 0, "must have at most 16777216 elements"},
		{"zeros(3, -5)", 0, "must have at most 16777216 elements"},
		{"reshape(x, 5)", 0, "cannot be reshaped"},
		{"x x", 2, "expected an operator"},
		{"exp(x, x)", 0, "but expects 1"},
		{"x[::0]", 2, "positive"},
		{strings.Repeat("(", 10000), -1, "nested"},
		{strings.Repeat("-", 10000) + "1", -1, "nested"},
		{"zeros(4000, 4000) @ zeros(4000, 4000)", 18, "exceeds the limit of"},
	} {
		_, err := Eval(c.text, map[string]*Array{"x": x})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Text, c.want) || c.off >= 0 && e.Offset != c.off {
			t.Errorf("%.20s: %+v, want %d %s", c.text, err, c.off, c.want)
		}
	}
}

// FuzzEval checks that no program text causes a panic.
func FuzzEval(f *testing.F) {
	for _, text := range []string{"y = x.sum(axis=1)", "x[1:,::2] @ x.T", "where(x>0,x,-x)", "f16(x)**2//3%4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		x := &Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}
		Eval(text, map[string]*Array{"x": x})
	})
}
