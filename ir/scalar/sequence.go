package scalar

// Sequence is the order in which a reduction combines elements. Sums and
// products of floats depend on it.
type Sequence struct {
	Of    SequenceKind
	Lanes int // that the kinds named By work in
}

// SequenceKind is a kind of Sequence.
type SequenceKind uint8

const (
	// InTurn combines from the first element to the last.
	InTurn SequenceKind = iota
	// InPairs combines neighbours, and then neighbours among the results, until
	// one is left; an odd last one waits for the next round.
	InPairs
	// InPairsToFirst and InPairsToLast combine an odd last one with the first or
	// the last result of its round instead.
	InPairsToFirst
	InPairsToLast
	// InTwos combines the first element with what the next two make, and so on.
	InTwos
	// ByRepeats cuts a row into repeats of Lanes elements and combines them lane
	// by lane: neighbours first, an odd last one and then the elements after
	// the last whole one with the first result; then neighbours among the
	// results, an odd last one with the last of its round. The lanes of what is
	// left are combined InPairs. Up to Lanes elements are InPairs.
	ByRepeats
	// ByChunks combines each Lanes elements InPairs, and the results InTurn.
	ByChunks
	// ByEighths is for 128, 256, 512 or 1024 elements: groups of eight
	// InPairs, again while more than 32 results are left; then neighbouring
	// eights lane by lane until eight are left, and these InPairs.
	ByEighths
	// ByBlocks combines blocks of Lanes elements lane by lane, InTurn, and then
	// the lanes InTurn.
	ByBlocks
	// ByHalves combines blocks of Lanes elements lane by lane, InTurn, and then
	// the lanes of the lower half with those of the upper one, until one is left.
	ByHalves
)

// Reduce combines elements, of which there is at least one, and uses their
// slice to work in. Lanes are combined with each other by across, and all else by
// lanewise.
func Reduce[T any](q Sequence, xs []T, lanewise, across func(a, b T) T) T {
	switch q.Of {
	case InPairs:
		return pairs(xs, across)
	case InPairsToFirst:
		return pairsTo(xs, lanewise, func(int) int { return 0 })
	case InPairsToLast:
		return pairsTo(xs, lanewise, func(n int) int { return n - 1 })
	case InTwos:
		return twos(xs, lanewise)
	case ByRepeats:
		Repeats(len(xs), q.Lanes, func(to, a, b, n int) { onto(xs[to:], xs[a:], xs[b:b+n], lanewise) })
		return pairs(xs[:min(len(xs), q.Lanes)], across)
	case ByChunks:
		return chunks(xs, q.Lanes, across)
	case ByEighths:
		return eighths(xs, lanewise, across)
	case ByBlocks:
		return inTurn(blocks(xs, q.Lanes, lanewise), across)
	case ByHalves:
		return lowerHalves(blocks(xs, q.Lanes, lanewise), q.Lanes, across)
	}
	return inTurn(xs, lanewise)
}

func inTurn[T any](xs []T, f func(a, b T) T) T {
	acc := xs[0]
	for _, x := range xs[1:] {
		acc = f(acc, x)
	}
	return acc
}

// round combines neighbours.
func round[T any](xs []T, f func(a, b T) T) []T {
	for i := range len(xs) / 2 {
		xs[i] = f(xs[2*i], xs[2*i+1])
	}
	if len(xs)%2 == 1 {
		xs[len(xs)/2] = xs[len(xs)-1]
	}
	return xs[:(len(xs)+1)/2]
}

func pairs[T any](xs []T, f func(a, b T) T) T {
	for len(xs) > 1 {
		xs = round(xs, f)
	}
	return xs[0]
}

// pairsTo combines an odd last element with the result that to gives, among n.
func pairsTo[T any](xs []T, f func(a, b T) T, to func(n int) int) T {
	for len(xs) > 1 {
		n, last := len(xs)/2, xs[len(xs)-1]
		odd := len(xs)%2 == 1
		xs = round(xs[:2*n], f)
		if odd {
			xs[to(n)] = f(xs[to(n)], last)
		}
	}
	return xs[0]
}

func twos[T any](xs []T, f func(a, b T) T) T {
	acc, i := xs[0], 1
	for ; i+1 < len(xs); i += 2 {
		acc = f(acc, f(xs[i], xs[i+1]))
	}
	if i < len(xs) {
		acc = f(acc, xs[i])
	}
	return acc
}

// onto combines the elements of b with those of a, as many as there are.
func onto[T any](d, a, b []T, f func(a, b T) T) {
	for i := range b {
		d[i] = f(a[i], b[i])
	}
}

// Repeats tells the steps in which ByRepeats combines the lanes of a row of so
// many elements: count elements from a on with those from b on, results from to
// on. The lanes are then those from 0 on.
func Repeats(elements, lanes int, step func(to, a, b, count int)) {
	whole := elements / lanes
	if elements <= lanes {
		return
	}
	blocks := func(to, a, b int) { step(to*lanes, a*lanes, b*lanes, lanes) }
	for i := range whole / 2 {
		blocks(i, 2*i, 2*i+1)
	}
	if whole > 1 && whole%2 == 1 {
		blocks(0, 0, whole-1)
	}
	if rest := elements - whole*lanes; rest > 0 {
		step(0, 0, whole*lanes, rest)
	}
	for left := whole / 2; left > 1; left /= 2 {
		for i := range left / 2 {
			blocks(i, 2*i, 2*i+1)
		}
		if left%2 == 1 {
			blocks(left/2-1, left/2-1, left-1)
		}
	}
}

func chunks[T any](xs []T, n int, f func(a, b T) T) T {
	acc := pairs(xs[:min(n, len(xs))], f)
	for from := n; from < len(xs); from += n {
		acc = f(acc, pairs(xs[from:min(from+n, len(xs))], f))
	}
	return acc
}

func eighths[T any](xs []T, lanewise, across func(a, b T) T) T {
	for first := true; first || len(xs) > 32; first = false {
		xs = round(round(round(xs, across), across), across)
	}
	for len(xs) > 8 {
		for i := range len(xs) / 16 {
			onto(xs[8*i:8*i+8], xs[16*i:16*i+8], xs[16*i+8:16*i+16], lanewise)
		}
		xs = xs[:len(xs)/2]
	}
	return pairs(xs, across)
}

func blocks[T any](xs []T, n int, f func(a, b T) T) []T {
	acc := xs[:min(n, len(xs))]
	for from := n; from < len(xs); from += n {
		onto(acc, acc, xs[from:min(from+n, len(xs))], f)
	}
	return acc
}

// lowerHalves combines the lanes of a register of n, of which the first are
// there.
func lowerHalves[T any](xs []T, n int, f func(a, b T) T) T {
	for n > 1 {
		if n /= 2; len(xs) > n {
			onto(xs, xs, xs[n:], f)
			xs = xs[:n]
		}
	}
	return xs[0]
}
