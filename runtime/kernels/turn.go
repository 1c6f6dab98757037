package kernels

// Turn transposes lines of n bytes, pitch bytes from each other, with the
// instructions of a level: what all of them have in one place, elements of size
// bytes, goes side by side into d, across bytes from what they have in the next
// place. It takes lines by vectors, and returns how many.
func Turn(level Level, d, a []byte, size, across, pitch, lines, n int) int {
	if size != 2 && size != 4 || n == 0 || n%16 != 0 {
		return 0
	}
	done := 0
	for ; level > None; level-- {
		run, per := turns[level-1][size/4], 8<<(level-1)
		for run != nil && done+per <= lines {
			to, from := d[done*size:][:(n/size-1)*across+per*size], a[done*pitch:][:(per-1)*pitch+n]
			run(&to[0], &from[0], across, pitch, n)
			done += per
		}
	}
	return done
}
