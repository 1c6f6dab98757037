// This file transposes blocks.

package kernels

// transpose is an assembly loop that transposes a fixed number of rows (lines) at a time.
// It needs the instructions of the given level.
type transpose struct {
	level Level
	lines int
	run   func(d, a *byte, across, pitch, n int)
}

// Transpose transposes the matrix in a and writes the result to d. lines is the number of
// rows of the matrix. A row has n bytes, and the next row starts pitch bytes after its
// start. An element has size bytes. The elements of each column become adjacent in d; the
// next column starts across bytes (the parameter across) after its start. Transpose
// processes groups of rows and returns the number of rows that it has processed.
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
