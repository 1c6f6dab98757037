// Package sync tests that inserted synchronization is enough: random programs
// without any get it from pto-insert-sync, and the race checker, which shares
// no algorithm with the pass, has nothing to say about them.
package sync

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/internal/reduce"
	"ptogo/internal/testsize"
)

var (
	programs = flag.Int("programs", testsize.Of(24, 60), "how many random programs")
	seed     = flag.Uint64("seed", 1, "the first seed")
)

// TestInsert inserts into random programs with loops, branches, rings and
// overlapping tiles, in each mode and with few events, and checks them with loops of 0 to 3 rounds;
// then no order of the pipes that flags and barriers allow changes a result.
func TestInsert(t *testing.T) {
	for i := range *programs {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint(s), func(t *testing.T) { insertAndCheck(t, s) })
	}
}

func insertAndCheck(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	c := &course{dir: t.TempDir(), arch: []string{"a3", "a5"}[r.IntN(2)], mode: "flags"}
	if k := r.IntN(6); k == 0 {
		c.mode = "barrier-all"
	} else if k == 1 && c.arch == "a5" {
		c.mode = "buffers"
	}
	text := program(r)
	c.events = []int{8, 8, 2, 1}[r.IntN(4)]
	how, detail := c.fails(text)
	if how == "" {
		return
	}
	small := reduce.Failing(text, func(text string) string {
		how, _ := c.fails(text)
		return how
	})
	t.Fatalf("%s: %s\n%s", how, detail, small)
}

// course is a way to insert and check.
type course struct {
	dir, arch, mode string
	events          int // of a pair of pipes
}

// fails says how a program fails, "" if it does not, and what was written.
func (c *course) fails(text string) (how, detail string) {
	bare, synced := filepath.Join(c.dir, "bare.pto"), filepath.Join(c.dir, "synced.pto")
	if err := os.WriteFile(bare, []byte(text), 0o644); err != nil {
		return "", ""
	}
	if code, _, err := tool(cli.Opt, "--pto-arch="+c.arch, fmt.Sprintf("--pto-insert-sync=mode=%s event-ids=%d", c.mode, c.events), bare, "-o", synced); code != 0 {
		return fmt.Sprintf("inserting gives exit code %d", code), err
	}
	for rounds := range 4 {
		args := []string{"--pto-arch=" + c.arch, "--arg", "rand=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", fmt.Sprint(rounds), "--print"}
		code, want, err := tool(cli.Run, append([]string{bare}, args...)...)
		if code != 0 {
			return fmt.Sprintf("running gives exit code %d", code), err
		}
		code, got, err := tool(cli.Run, append([]string{synced, "--check=race,sync"}, args...)...)
		switch {
		case code != 0:
			return fmt.Sprintf("checking gives exit code %d", code), err
		case got != want:
			return "other results", fmt.Sprintf("%d rounds", rounds)
		}
		code, _, err = tool(cli.Run, append([]string{synced, "--schedule=random:5"}, args...)...)
		if code != 0 {
			return fmt.Sprintf("pipes out of order give exit code %d", code), err
		}
	}
	return "", ""
}

// tool runs a tool, and returns its exit code and what it writes.
func tool(run func([]string, io.Reader, io.Writer, io.Writer) int, args ...string) (code int, out, err string) {
	var o, e strings.Builder
	code = run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestSmallest cuts a program down in which nothing was inserted: what is left has a
// race, and little else.
func TestSmallest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bare.pto")
	races := func(text string) string {
		if os.WriteFile(file, []byte(text), 0o644) != nil {
			return ""
		}
		code, _, _ := tool(cli.Run, file, "--pto-arch=a3", "--check=race", "--arg", "rand=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2")
		if code != 5 {
			return ""
		}
		return "a race"
	}
	text := program(rand.New(rand.NewPCG(1, 0)))
	small := reduce.Failing(text, races)
	if lines := strings.Count(small, "\n"); races(small) == "" || lines > 20 {
		t.Errorf("%d lines of %d stay:\n%s", lines, strings.Count(text, "\n"), small)
	}
}

// generator writes a program.
type generator struct {
	*rand.Rand
	b     strings.Builder
	names int
	loops []string // counters around
}

func program(r *rand.Rand) string {
	g := &generator{Rand: r}
	g.b.WriteString(`!tile = !pto.tile_buf<vec, 8x64xf32>
!ring = !pto.multi_tile_buf<vec, 8x64xf32, count=2>
!view = !pto.tensor_view<64x64xf32>
!part = !pto.partition_tensor_view<8x64xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %xv = pto.make_tensor_view %x, shape = [%c64, %c64], strides = [%c64, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c64, %c64], strides = [%c64, %c1] : !view
`)
	for i := range 5 { // the last two share bytes with others: all, or some
		at := i * 2048
		switch i {
		case 3:
			at = r.IntN(3) * 2048
		case 4:
			at = r.IntN(12) * 512
		}
		fmt.Fprintf(&g.b, "  %%a%d = arith.constant %d : i64\n  %%t%d = pto.alloc_tile addr = %%a%d : !tile\n", i, at, i, i)
	}
	g.b.WriteString("  %ar = arith.constant 16384 : i64\n  %ring = pto.alloc_multi_tile addr = %ar : !ring\n")
	for i := range 5 {
		fmt.Fprintf(&g.b, "  %%q%d = pto.partition_view %%xv, offsets = [%%c0, %%c0], sizes = [%%c8, %%c64] : !view -> !part\n  pto.tload ins(%%q%d : !part) outs(%%t%d : !tile)\n", i, i, i)
	}
	g.b.WriteString("  %u0 = pto.multi_tile_get %ring[%c0] : !ring -> !tile\n  pto.tload ins(%q0 : !part) outs(%u0 : !tile)\n  %u1 = pto.multi_tile_get %ring[%c1] : !ring -> !tile\n  pto.tload ins(%q0 : !part) outs(%u1 : !tile)\n")
	g.block(3 + r.IntN(6))
	g.b.WriteString("  return\n}\n")
	return g.b.String()
}

func (g *generator) name(s string) string {
	g.names++
	return fmt.Sprintf("%%%s%d", s, g.names)
}

func (g *generator) block(n int) {
	for range n {
		switch k := g.IntN(10); {
		case k == 0 && len(g.loops) < 3:
			iv := g.name("i")
			fmt.Fprintf(&g.b, "  scf.for %s = %%c0 to %%n step %%c1 {\n", iv)
			g.loops = append(g.loops, iv)
			g.block(2 + g.IntN(4))
			g.loops = g.loops[:len(g.loops)-1]
			g.b.WriteString("  }\n")
		case k == 1:
			c := g.name("if")
			fmt.Fprintf(&g.b, "  %s = arith.cmpi eq, %s, %%c1 : index\n  scf.if %s {\n", c, g.index(), c)
			g.block(1 + g.IntN(2))
			if g.IntN(2) == 0 {
				g.b.WriteString("  } else {\n")
				g.block(1 + g.IntN(2))
			}
			g.b.WriteString("  }\n")
		default:
			g.instruction()
		}
	}
}

// index is the counter of a loop around, or the number of rounds.
func (g *generator) index() string {
	if len(g.loops) == 0 {
		return "%n"
	}
	return g.loops[g.IntN(len(g.loops))]
}

// tile is one of the first n tiles, or the slot of the ring for a round or the
// next.
func (g *generator) tile(n int) string {
	if len(g.loops) == 0 || g.IntN(3) > 0 {
		return fmt.Sprintf("%%t%d", g.IntN(n))
	}
	i, slot, t := g.loops[len(g.loops)-1], g.name("s"), g.name("r")
	if g.IntN(2) == 0 {
		next := g.name("e")
		fmt.Fprintf(&g.b, "  %s = arith.addi %s, %%c1 : index\n", next, i)
		i = next
	}
	fmt.Fprintf(&g.b, "  %s = arith.remui %s, %%c2 : index\n  %s = pto.multi_tile_get %%ring[%s] : !ring -> !tile\n", slot, i, t, slot)
	return t
}

func (g *generator) part(view string) string {
	row, p := "%c0", g.name("p")
	switch k := g.IntN(3); {
	case k == 0:
		row = "%c8"
	case k == 1 && len(g.loops) > 0:
		row = g.name("o")
		fmt.Fprintf(&g.b, "  %s = arith.muli %s, %%c8 : index\n", row, g.index())
	}
	fmt.Fprintf(&g.b, "  %s = pto.partition_view %s, offsets = [%s, %%c0], sizes = [%%c8, %%c64] : !view -> !part\n", p, view, row)
	return p
}

func (g *generator) instruction() {
	switch g.IntN(4) {
	case 0:
		p := g.part([]string{"%xv", "%yv"}[g.IntN(2)])
		fmt.Fprintf(&g.b, "  pto.tload ins(%s : !part) outs(%s : !tile)\n", p, g.tile(5))
	case 1:
		p := g.part("%yv")
		fmt.Fprintf(&g.b, "  pto.tstore ins(%s : !tile) outs(%s : !part)\n", g.tile(5), p)
	default:
		// An instruction may write over what it reads only as a whole.
		a, b, c := g.tile(4), g.tile(4), g.tile(4)
		fmt.Fprintf(&g.b, "  pto.tmax ins(%s, %s : !tile, !tile) outs(%s : !tile)\n", a, b, c)
	}
}
