// This file fills lines with repeated elements.

package kernels

// Broadcast fills several rows of d, each with copies of one element of a. lines is the
// number of rows, and n is the number of bytes to fill in each row. size is the number of
// bytes of an element. step is the distance between consecutive elements in a, and pitch
// is the distance between rows in d, both in bytes. Broadcast writes only complete
// vectors of the given instruction set level. It returns the number of bytes that it has
// written in each row; the caller writes the remaining bytes.
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
