// This file transposes blocks.

package kernels

// transpose is a loop of one instruction set level that transposes a fixed number of
// lines at a time.
type transpose struct {
	level Level
	lines int
	run   func(d, a *byte, across, pitch, n int)
}

// Transpose transposes lines of n bytes that are pitch bytes apart. The elements that all
// lines have at the same position, each of size bytes, become contiguous in d; those of
// the next position follow across bytes later. It processes lines in groups of vectors
// and returns the number of lines.
func Transpose(level Level, d, a []byte, size, across, pitch, lines, n int) int {
	if size >= len(transposes) || n == 0 || n%16 != 0 {
		return 0
	}
	done := 0
	for _, t := range transposes[size] {
		for t.level <= level && done+t.lines <= lines {
			to, from := d[done*size:][:(n/size-1)*across+t.lines*size], a[done*pitch:][:(t.lines-1)*pitch+n]
			t.run(&to[0], &from[0], across, pitch, n)
			done += t.lines
		}
	}
	return done
}
