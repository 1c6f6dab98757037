package main

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// Shape is a program that grows in one direction, and the work that a tool does on it.
type Shape struct {
	Name string
	// N is the size at which the measurement starts, and Most the largest size that the
	// tools accept, or 0.
	N, Most int
	// Text returns the program of size n.
	Text func(n int) string
	// Run works on a program. It returns an error if the work did not happen as it should:
	// a program that is refused shows nothing about the time of the work.
	Run func(text string) error
}

// Growth is the result of a measurement: the processor times for programs of size N and
// 2N, and how many times as much the larger one needs for each byte.
type Growth struct {
	N            int
	Single, Both time.Duration
	Ratio        float64
}

func (g Growth) String() string {
	return fmt.Sprintf("%8d: %5.0f ms, %8d: %5.0f ms, per byte x%.2f", g.N, g.Single.Seconds()*1000, 2*g.N, g.Both.Seconds()*1000, g.Ratio)
}

const (
	// largest is the number of bytes at which programs stop growing.
	largest = 6 << 20
	// attempts is the number of measurements of a ratio that is above the limit. The least
	// of them counts: other work on the machine makes times longer, and never shorter.
	attempts = 4
	// turns is the number of runs from which each measurement takes the shortest time.
	turns = 2
)

// Measure doubles the program of a shape until the work on it needs the processor time
// least, and compares it with the program of twice the size. If the ratio is above the
// parameter most, it measures again, and then with larger programs: where data outgrow the
// caches of the processor, a ratio is large once, but what is quadratic stays so.
func Measure(s Shape, least time.Duration, most float64) (g Growth, err error) {
	n := s.N
	single, err := cost(s, s.Text(n))
	for err == nil && single < least && s.grows(n) {
		n *= 2
		single, err = cost(s, s.Text(n))
	}
	if err != nil {
		return g, fmt.Errorf("at size %d: %w", n, err)
	}
	for i := range attempts {
		if i > 1 && s.grows(n) {
			n *= 2
		}
		next, err := ratio(s, n)
		if err != nil {
			return g, err
		}
		if i == 0 || next.Ratio < g.Ratio {
			g = next
		}
		if g.Ratio <= most {
			break
		}
	}
	return g, nil
}

// grows reports whether programs of twice the size n, and of twice that size, can be
// measured.
func (s Shape) grows(n int) bool {
	return len(s.Text(n)) < largest && (s.Most == 0 || 4*n <= s.Most)
}

// ratio compares the programs of sizes n and 2n.
func ratio(s Shape, n int) (g Growth, err error) {
	text, double := s.Text(n), s.Text(2*n)
	g = Growth{N: n}
	if g.Single, err = shortest(s, text); err != nil {
		return g, fmt.Errorf("at size %d: %w", n, err)
	}
	if g.Both, err = shortest(s, double); err != nil {
		return g, fmt.Errorf("at size %d: %w", 2*n, err)
	}
	g.Ratio = g.Both.Seconds() / g.Single.Seconds() * float64(len(text)) / float64(len(double))
	return g, nil
}

// shortest returns the least processor time of several runs.
func shortest(s Shape, text string) (least time.Duration, err error) {
	for i := range turns {
		took, err := cost(s, text)
		if err != nil {
			return 0, err
		}
		if i == 0 || took < least {
			least = took
		}
	}
	return least, nil
}

// cost returns the processor time of one run.
func cost(s Shape, text string) (time.Duration, error) {
	runtime.GC()
	before := processorTime()
	err := s.Run(text)
	return processorTime() - before, err
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // does not fail for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
