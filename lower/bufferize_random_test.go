package lower_test

import (
	"slices"
	"strings"
	"testing"

	"ptogo/passes/passtest"
)

// TestBufferizeRandom bufferizes random programs and executes both levels:
// instructions must see the same tiles, whatever shares a buffer.
func TestBufferizeRandom(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 200
	}
	looked := 0
	for seed := range n {
		looked += sameAtBothLevels(t, seed, "builtin.module(pto-bufferize)")
		looked += sameAtBothLevels(t, seed, "builtin.module(pto-bufferize{reuse=true})")
		looked += sameAtBothLevels(t, seed, "builtin.module(pto-bufferize,pto-plan-memory)")
		looked += sameAtBothLevels(t, seed, "builtin.module(pto-bufferize,pto-plan-memory{in-place=true order-by-size=true})")
		if t.Failed() {
			return
		}
	}
	if looked < int(n)*10 {
		t.Errorf("the programs look at %d tiles only", looked)
	}
}

// sameAtBothLevels returns how many tiles were looked at.
func sameAtBothLevels(t *testing.T, seed uint64, pipeline string) int {
	t.Helper()
	text := program(seed)
	m := passtest.Parse(t, text)
	var want [][]uint64
	for run := range uint64(4) {
		want = append(want, observe(m, run))
	}
	passtest.Apply(t, registry, pipeline, m)
	if strings.Contains(m.String(), "!pto.tile<") {
		t.Errorf("seed %d: a tile is left", seed)
	}
	looked := 0
	for run := range want {
		got := observe(m, uint64(run))
		looked += len(got)
		if !slices.Equal(got, want[run]) {
			t.Errorf("seed %d, %s, run %d: looks at\n%x\nwant\n%x\nlevel 1:\n%s\nlevel 2:\n%s", seed, pipeline, run, got, want[run],
				passtest.Plain(passtest.Parse(t, text).String()), m)
			break
		}
	}
	return looked
}

// FuzzBufferize is TestBufferizeRandom for any seed.
func FuzzBufferize(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		sameAtBothLevels(t, seed, "builtin.module(pto-bufferize{reuse=true})")
	})
}

// TestInterpreter keeps the judge honest: it sees when a buffer is shared that
// must not be.
func TestInterpreter(t *testing.T) {
	const good = `func.func @main(%p: !pto.tile_buf<vec, 16x64xf32>) attributes {params = 1 : i64} {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.mix ins(%p, %p : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  test.map ins(%a, %p : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf32>)
  test.use %b : !pto.tile_buf<vec, 16x64xf32>
  return
}`
	run := func(text string) []uint64 { return observe(passtest.Parse(t, text), 1) }
	want := run(good)
	inPlace := strings.NewReplacer("outs(%b", "outs(%a", "test.use %b", "test.use %a").Replace(good)
	if !slices.Equal(run(inPlace), want) {
		t.Error("an element-by-element instruction may write what it reads")
	}
	if clobbered := run(strings.Replace(good, "outs(%a", "outs(%p", 1)); slices.Equal(clobbered, want) {
		t.Error("a mix that writes what it reads went unnoticed")
	}
	if undefined := run(strings.Replace(good, "test.use %b", "test.use %a", 1)); slices.Equal(undefined, want) {
		t.Error("a look at another buffer went unnoticed")
	}
}
