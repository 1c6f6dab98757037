package kernel_test

import (
	"testing"

	"ptogo/kernel"
	"ptogo/kernel/debug"
)

// FuzzSelector reads selectors; what is read chooses something.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{"29", "%sum", "tadd", "all", "%sum@row=16,block=1", "3@round=0,core=cube,item=5", "@", "%@=", "0@round=-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := debug.ParseSelector(text, nil)
		if err == nil && s.Line < 0 {
			t.Errorf("%q chooses line %d", text, s.Line)
		}
	})
}

// FuzzNpz reads archives; what is read is written and read again.
func FuzzNpz(f *testing.F) {
	good, err := debug.Npz([]debug.NamedArray{{Name: "x", Array: kernel.ArrayOf([]float32{1, 2}, 2)}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		arrays, err := debug.ReadNpz(data, 1<<30)
		if err != nil {
			return
		}
		again, err := debug.Npz(arrays)
		if err != nil {
			return // names that are twice there, or too long
		}
		if back, err := debug.ReadNpz(again, 1<<30); err != nil || len(back) != len(arrays) {
			t.Errorf("%d arrays become %d: %v", len(arrays), len(back), err)
		}
	})
}
