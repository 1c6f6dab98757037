// This file fills lines with repeated elements.

package kernels

// Broadcast fills several lines of d with one element of a each. n is the number of bytes
// to fill in a line, pitch is the distance of lines in bytes, and step is the distance of
// the elements in a. It writes only whole vectors and returns the number of bytes of each
// line that it has written; the caller writes the rest.
func Broadcast(level Level, d, a []byte, size, step, pitch, n, lines int) int {
	if level == None || n < 32 || lines == 0 {
		return 0
	}
	vector := 32 << (level - 1)
	if n < vector {
		level, vector = AVX2, 32
	}
	n &^= vector - 1
	to, from := d[:(lines-1)*pitch+n], a[:(lines-1)*step+size]
	run := broadcasts[level-1][size]
	if run == nil {
		return 0
	}
	run(&to[0], &from[0], step, pitch, n, lines)
	return n
}
