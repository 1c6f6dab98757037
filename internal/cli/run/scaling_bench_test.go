//go:build unix

package run

import (
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// BenchmarkScalingOfBlocks reports how many times as much processor time a launch with
// twice the blocks needs: near 2 is linear, 4 is quadratic. The checkers of a small kernel
// follow all blocks. tools/growth measures how time grows with the text of programs.
func BenchmarkScalingOfBlocks(b *testing.B) {
	launch := func(blocks string) time.Duration {
		before := processorTime(b)
		if code := ptoRun([]string{"-", "--blocks", blocks}, strings.NewReader(clitest.LongText(64)), io.Discard, io.Discard); code != exit.OK {
			b.Fatalf("exit code %d", code)
		}
		return processorTime(b) - before
	}
	var few, many time.Duration
	for b.Loop() {
		for range 5 {
			few, many = few+launch("16000"), many+launch("32000")
		}
	}
	ratio := float64(many) / float64(few)
	b.ReportMetric(ratio, "ratio")
	if ratio > 2.5 {
		b.Errorf("twice as many blocks need %.1f times the processor time", ratio)
	}
}

// processorTime is what this process has used.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
