//go:build unix

package cli

import (
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkScaling reports, for each dimension, how many times as much processor time a
// program with twice the text needs: near 2 is linear, 4 is quadratic. It doubles three
// times, because what lasts as long for every program hides in a single doubling, and it
// measures in turns and keeps the least time, because a busy machine takes caches away.
func BenchmarkScaling(b *testing.B) {
	const turns = 5
	for _, d := range dimensions {
		b.Run(d.name, func(b *testing.B) {
			var texts [4]string
			for i := range texts {
				texts[i] = d.text(d.n << i)
			}
			var least [len(texts)]time.Duration
			var bytes [len(texts)]int
			for b.Loop() {
				for range turns {
					for i, text := range texts {
						runtime.GC()
						before := processorTime(b)
						_, bytes[i] = optOn(text, d.flags)
						if took := processorTime(b) - before; least[i] == 0 || took < least[i] {
							least[i] = took
						}
					}
				}
			}
			ratio := 0.0
			for i, name := range []string{"x2", "x4", "x8"} {
				ratio = 2 * float64(least[i+1]) / float64(least[i]) / (float64(bytes[i+1]) / float64(bytes[i]))
				b.ReportMetric(ratio, name)
			}
			if ratio > mostRatio {
				b.Errorf("twice as much text needs %.1f times the processor time", ratio)
			}
		})
	}
}

// BenchmarkScalingOfBlocks is BenchmarkScaling for the blocks of a launch, which the
// checkers of a small kernel follow too.
func BenchmarkScalingOfBlocks(b *testing.B) {
	launch := func(blocks string) time.Duration {
		before := processorTime(b)
		if code := Run([]string{"-", "--blocks", blocks}, strings.NewReader(longText(64)), io.Discard, io.Discard); code != exitOK {
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
	if ratio > mostRatio {
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
