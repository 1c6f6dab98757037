// This file defines the orders in which targets reduce elements, and executes them.

package scalar

// Sequence is the order in which a reduction combines elements. The rounding of
// float sums and products depends on it, so it is part of the meaning of an
// instruction.
type Sequence struct {
	// Of is the kind of order.
	Of SequenceKind
	// Lanes is the number of lanes, for the kinds whose name starts with By.
	Lanes int
}

// SequenceKind is the kind of order in which a reduction combines elements.
type SequenceKind uint8

const (
	// InTurn combines the elements from first to last. It is the first of the orders in
	// which a reduction can combine elements.
	InTurn SequenceKind = iota
	// InPairs combines each two neighboring elements, then each two neighboring results,
	// until a single one is left. If the number is odd, the last element is passed to the
	// next round unchanged.
	InPairs
	// InPairsToFirst and InPairsToLast combine neighboring elements repeatedly, as
	// InPairs does. In a round with an odd number of elements, InPairsToFirst combines
	// the last element with the first result of the round, and InPairsToLast combines it
	// with the last result.
	InPairsToFirst
	InPairsToLast
	// InTwos combines the first element with the combination of the next two, the
	// result with that of the two after them, and so on.
	InTwos
	// ByRepeats divides a row into repeats of Lanes elements, as the vector unit does. It
	// combines two repeats lane by lane, that is, elements with the same index.
	//
	// First, it combines each two neighboring repeats. A repeat that is left over, and
	// then the incomplete repeat at the end, are combined with the first result. Next, it
	// combines neighboring results until one repeat is left; in a round with an odd
	// number, the last one is combined with the last result of the round. Finally, it
	// combines the lanes of this repeat in the order InPairs. If the row has at most
	// Lanes elements, only the last step applies.
	ByRepeats
	// ByChunks combines the elements of each chunk of Lanes elements in the order
	// InPairs, and then the results of the chunks in the order InTurn.
	ByChunks
	// ByEighths is for 128, 256, 512 or 1024 elements. It combines each group of eight
	// elements in the order InPairs, and repeats this with the results while more than 32
	// are left. Then it combines each two neighboring groups of eight results lane by
	// lane, until one group is left. Finally, it combines the elements of this group in
	// the order InPairs.
	ByEighths
	// ByBlocks combines blocks of Lanes elements from first to last: lane i of the
	// intermediate result combines the elements with index i of all blocks. It then
	// combines the lanes from first to last.
	ByBlocks
	// ByHalves combines blocks of Lanes elements lane by lane, from the first block to
	// the last. Then it combines the lower half of the lanes with the upper half, until a
	// single lane is left.
	ByHalves
)

// Reduce combines all elements of xs in the order q and returns the result. The list xs
// must not be empty, and Reduce overwrites it. In a vector register, the function
// lanewise combines two elements of the same lane, and the function across combines
// elements of different lanes.
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

// inTurn combines the elements xs from left to right with f and returns the result.
func inTurn[T any](xs []T, f func(a, b T) T) T {
	acc := xs[0]
	for _, x := range xs[1:] {
		acc = f(acc, x)
	}
	return acc
}

// round combines each two neighbors with f and returns the results. An odd last element
// is appended unchanged.
func round[T any](xs []T, f func(a, b T) T) []T {
	for i := range len(xs) / 2 {
		xs[i] = f(xs[2*i], xs[2*i+1])
	}
	if len(xs)%2 == 1 {
		xs[len(xs)/2] = xs[len(xs)-1]
	}
	return xs[:(len(xs)+1)/2]
}

// pairs combines each two neighboring elements of xs with f. It repeats this with the
// results until a single element is left, and returns it.
func pairs[T any](xs []T, f func(a, b T) T) T {
	for len(xs) > 1 {
		xs = round(xs, f)
	}
	return xs[0]
}

// pairsTo combines neighbors in xs with f, round by round, until a single element is
// left. If a round has an odd number of elements, the last element has no neighbor. The
// other elements of this round have n results, and pairsTo combines the last element with
// the result that has the index to(n).
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

// twos combines the elements of xs with f in the order InTwos. It combines the first
// element with the combination of the second and the third. It then combines the result
// with the combination of the fourth and the fifth, and so on. If one element remains at
// the end, it combines the result with this element.
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

// onto sets d[i] to f(a[i], b[i]) for each element of b.
func onto[T any](d, a, b []T, f func(a, b T) T) {
	for i := range b {
		d[i] = f(a[i], b[i])
	}
}

// Repeats describes the order ByRepeats, in which a vector unit combines a row with the
// given number of elements. A repeat is as many elements as a vector register has lanes.
// Repeats calls the function step once for each combining step. A step combines count
// elements that start at index a with count elements that start at index b. It stores the
// results at the index that the argument to of the function states. After the last step,
// only the first repeat of the row remains; its lanes are then combined in another order.
// Code generators call Repeats to emit the same steps.
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

// chunks combines all elements of xs into one element with f and returns it. It combines
// the n elements of each chunk pairwise, until one element is left. Then it combines the
// results of the chunks from left to right. This is the order ByChunks.
func chunks[T any](xs []T, n int, f func(a, b T) T) T {
	acc := pairs(xs[:min(n, len(xs))], f)
	for from := n; from < len(xs); from += n {
		acc = f(acc, pairs(xs[from:min(from+n, len(xs))], f))
	}
	return acc
}

// eighths combines all elements of xs into one element and returns it. It combines them
// in the order that ByEighths defines. The function lanewise combines two elements of the
// same vector lane, and the function across combines two elements of different lanes.
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

// blocks combines blocks of n elements of xs with f, lane by lane and from the first
// block to the last, and returns the n resulting lanes.
func blocks[T any](xs []T, n int, f func(a, b T) T) []T {
	acc := xs[:min(n, len(xs))]
	for from := n; from < len(xs); from += n {
		onto(acc, acc, xs[from:min(from+n, len(xs))], f)
	}
	return acc
}

// lowerHalves reduces a register of n lanes with the function f to one value. Only the
// first lanes hold valid elements, the slice xs. lowerHalves repeatedly combines the
// lower half of the register with the upper half, lane by lane, until one lane is left. A
// lane of the lower half without a valid partner in the upper half stays unchanged.
func lowerHalves[T any](xs []T, n int, f func(a, b T) T) T {
	for n > 1 {
		if n /= 2; len(xs) > n {
			onto(xs, xs, xs[n:], f)
			xs = xs[:n]
		}
	}
	return xs[0]
}
