// Package sync tests inserted synchronization with random programs. pto-insert-sync
// inserts flags and barriers into each program. The race checker, which shares no
// algorithm with the pass, must then report nothing.
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
	"ptogo/tools/testsize"
)

var (
	programs = flag.Int("programs", testsize.Of(10, 60), "how many random programs")
	seed     = flag.Uint64("seed", 1, "the first seed")
)

// TestInsert inserts synchronization into random programs with loops, branches, rings and
// overlapping tiles, in each mode and with few events. The checkers run them with 0 to 3
// and 6 loop iterations. Then no execution order that flags and barriers permit may
// change a result.
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
	text := program(r, false)
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

// course is a way to insert and check synchronization: the profile, the mode and the
// number of events.
type course struct {
	dir, arch, mode string
	// events is the number of events for each pair of pipes.
	events int
}

// fails returns a description of how a program fails, or "" if it does not, and the
// details.
func (c *course) fails(text string) (how, detail string) {
	bare, synced := filepath.Join(c.dir, "bare.pto"), filepath.Join(c.dir, "synced.pto")
	if err := os.WriteFile(bare, []byte(text), 0o644); err != nil {
		return "", ""
	}
	if code, _, err := tool(cli.Opt, "--pto-arch="+c.arch, fmt.Sprintf("--pto-insert-sync=mode=%s event-ids=%d", c.mode, c.events), bare, "-o", synced); code != 0 {
		return fmt.Sprintf("inserting gives exit code %d", code), err
	}
	for _, rounds := range []int{0, 1, 2, 3, 6} {
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

// tool runs a command-line tool in this process, and returns its exit code and its
// output.
func tool(run func([]string, io.Reader, io.Writer, io.Writer) int, args ...string) (code int, out, err string) {
	var o, e strings.Builder
	code = run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestSmallest reduces a program without synchronization. The result must still have a
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
	text := program(rand.New(rand.NewPCG(1, 0)), true)
	small := reduce.Failing(text, races)
	if lines := strings.Count(small, "\n"); races(small) == "" || lines > 20 {
		t.Errorf("%d lines of %d stay:\n%s", lines, strings.Count(text, "\n"), small)
	}
}
