// This file fills lines with repeated elements.

package kernels

// Broadcast fills n bytes of each of several lines, pitch bytes from each other,
// with an element of a for each line, step bytes from each other, with the
// instructions of a level. It does whole vectors and returns how many bytes of
// each line that makes.
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
