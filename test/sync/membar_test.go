package sync

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// TestMemBars checks the memory barriers that a pass inserts into vector functions. With
// all of them, neither the checkers nor the proof may report anything. Without any one of
// them there must be a report, or the pass must have explained why the barrier remains.
func TestMemBars(t *testing.T) {
	units, spare := 0, 0
	for i := range *programs {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			u, k := eachMemBar(t, s)
			units, spare = units+u, spare+k
		})
	}
	t.Logf("%d mem_bars: without one of %d there is a report, %d stay for reasons that are given", units, units-spare, spare)
	if units == 0 || spare == units {
		t.Error("no mem_bar is needed for what is seen")
	}
}

func eachMemBar(t *testing.T, seed uint64) (units, spare int) {
	path := filepath.Join(t.TempDir(), "k.pto")
	text := vectorFunction(rand.New(rand.NewPCG(seed, 1)))
	write(t, path, text)
	code, synced, errs := tool(cli.Opt, "--pto-arch=a5", "--pto-insert-sync=remarks=true", path)
	if code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, errs, text)
	}
	write(t, path, synced)
	if code, found := verify("--pto-arch=a5", path); code != 0 {
		t.Fatalf("the proof objects to what was inserted:\n%s\n%s", found, synced)
	}
	if runs := scopeFaults(path); runs != "" {
		t.Fatalf("a run objects to what was inserted:\n%s\n%s", runs, synced)
	}
	lines, kept := strings.Split(synced, "\n"), keptMemBars(errs, strings.Split(text, "\n"))
	for at, l := range lines {
		kind, found := strings.CutPrefix(strings.TrimSpace(l), "pto.mem_bar ")
		if !found {
			continue
		}
		units++
		write(t, path, without(lines, []int{at}))
		if code, _ := verify("--pto-arch=a5", path); code != 0 || scopeFaults(path) != "" {
			continue
		}
		spare++
		if !slices.Contains(kept, fmt.Sprint(kind, accessesUpTo(lines[:at]))) {
			t.Errorf("line %d, %s is not needed, and nothing says why it stays:\n%s\n%s", at+1, strings.TrimSpace(l), errs, synced)
		}
	}
	return units, spare
}

var (
	keptBar     = regexp.MustCompile(`k\.pto:(\d+):\d+: remark: .* keeps mem_bar ("\w+") before it`)
	scopeAccess = regexp.MustCompile(`pto\.(vlds|vsts) `)
)

// keptMemBars returns the barriers for which the pass explains why they remain: their
// kinds and the number of preceding memory accesses.
func keptMemBars(remarks string, text []string) (kept []string) {
	for _, m := range keptBar.FindAllStringSubmatch(remarks, -1) {
		line, _ := strconv.Atoi(m[1])
		kept = append(kept, fmt.Sprint(m[2], accessesUpTo(text[:line-1])))
	}
	return kept
}

func accessesUpTo(lines []string) (n int) {
	for _, l := range lines {
		if scopeAccess.MatchString(l) {
			n++
		}
	}
	return n
}

// scopeFaults returns what the checkers report in runs with several loop counts, or "".
func scopeFaults(path string) string {
	for n := range 4 {
		code, _, errs := tool(cli.Run, path, "--pto-arch=a5", "--check=race,sync", "--arg", "rand=8x64xf32", "--arg", "zeros=8x64xf32", "--arg", fmt.Sprint(n))
		if code != 0 {
			return errs
		}
	}
	return ""
}

// vectorFunction returns a random kernel that loads two tiles, accesses their rows in a
// vector function, and stores one tile. Some accesses overlap.
func vectorFunction(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`!tile = !pto.tile_buf<vec, 8x64xf32>
!view = !pto.tensor_view<8x64xf32>
!part = !pto.partition_tensor_view<8x64xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %at0 = arith.constant 0 : i64
  %at1 = arith.constant 2048 : i64
  %xv = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c8, %c64], strides = [%c64, %c1] : !view
  %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c8, %c64] : !view -> !part
  %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c8, %c64] : !view -> !part
  %t0 = pto.alloc_tile addr = %at0 : !tile
  %t1 = pto.alloc_tile addr = %at1 : !tile
  pto.tload ins(%xp : !part) outs(%t0 : !tile)
  pto.tload ins(%xp : !part) outs(%t1 : !tile)
  %p0 = pto.tile_buf_addr %t0 : !tile -> !pto.ptr<f32, ub>
  %p1 = pto.tile_buf_addr %t1 : !tile -> !pto.ptr<f32, ub>
  pto.vecscope {
    %act = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %one = arith.constant 1.0 : f32
    %v0 = pto.vdup %one, %act : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
`)
	g := &scopeWriter{Rand: r, b: &b}
	g.block("", 2)
	b.WriteString(`  }
  pto.tstore ins(%t1 : !tile) outs(%yp : !part)
  return
}
`)
	return b.String()
}

// scopeWriter writes the loads and stores of a vector function.
type scopeWriter struct {
	*rand.Rand
	b     *strings.Builder
	names int
	// last is the most recently defined register.
	last string
}

// block writes accesses, and loops up to the nesting depth. iv is the counter of the
// enclosing loop, or "".
func (g *scopeWriter) block(iv string, depth int) {
	before := g.last
	for range 1 + g.IntN(4) {
		g.names++
		if depth > 0 && g.IntN(3) == 0 {
			hi := []string{"%n", "%c3", "%c8"}[g.IntN(3)]
			fmt.Fprintf(g.b, "    scf.for %%i%d = %%c0 to %s step %%c1 {\n", g.names, hi)
			g.block(fmt.Sprintf("%%i%d", g.names), depth-1)
			g.b.WriteString("    }\n")
			continue
		}
		g.access(iv)
	}
	g.last = before // what a loop makes is not known after it
}

func (g *scopeWriter) access(iv string) {
	at := g.row(iv)
	p := []string{"%p0", "%p1"}[g.IntN(2)]
	if g.IntN(2) == 0 {
		fmt.Fprintf(g.b, "    %%v%d = pto.vlds %s[%s] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n", g.names, p, at)
		g.last = fmt.Sprintf("%%v%d", g.names)
		return
	}
	v := g.last
	if v == "" || g.IntN(3) == 0 {
		v = "%v0"
	}
	fmt.Fprintf(g.b, "    pto.vsts %s, %s[%s], %%act : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n", v, p, at)
}

// row writes the offset of a row and returns its name. The row is fixed, or depends on
// the loop counter iv.
func (g *scopeWriter) row(iv string) string {
	n := fmt.Sprintf("%%o%d", g.names)
	row := []string{"%c0", "%c1", "%c3", "%c7", "%c1"}[g.IntN(5)]
	if iv != "" && g.IntN(2) == 0 {
		row = iv
	} else if iv != "" && g.IntN(2) == 0 {
		fmt.Fprintf(g.b, "    %sa = arith.addi %s, %s : index\n    %sr = arith.remui %sa, %%c8 : index\n", n, iv, row, n, n)
		row = n + "r"
	}
	fmt.Fprintf(g.b, "    %s = arith.muli %s, %%c64 : index\n", n, row)
	return n
}
