package sem

import "ptogo/ir/scalar"

// The kinds of meaning of communication between ranks.
type (
	// CommCopy copies every element of src to the same index of dst; one of the
	// two belongs to another rank. Attribute atomicType atomic_add adds it to
	// what is in dst instead, each element in one step. The staging tiles hold
	// parts of src on the way and have any contents afterwards. Async starts the
	// copy and gives an event that tells when it is done.
	CommCopy struct{ Async bool }

	// CommNotify writes value to every element of signal, or adds it in one
	// step, as attribute notifyOp says. Everything that the rank did before is
	// visible to who sees the signal.
	CommNotify struct{}

	// CommWait waits until every element of signal compares with cmpValue as
	// attribute cmp says; Test only tells whether it does.
	CommWait struct{ Test bool }

	// CommCollective moves data between the ranks of a group; only rank root
	// executes it, and member r of the group is the view of rank r. Broadcast
	// copies src to every member. Rows are the last dimension but one of a view:
	// with H rows per member, Scatter copies rows r*H to r*H+H-1 of src to
	// member r, Gather copies member r to these rows of dst, and both leave rows
	// beyond alone. Reduce folds the members from rank 0 up into dst, element by
	// element, with the function that attribute reduceOp numbers.
	CommCollective struct {
		Kind CollectiveKind
		Fns  []*scalar.Fn // for Reduce
	}

	// CommSession gives a queue for asynchronous copies or prefetches: a new
	// one, or the one of a context.
	CommSession struct{}

	// CommEvent waits for the copy behind an event and gives true, or with Test
	// only tells whether the copy is done.
	CommEvent struct{ Test bool }

	// Prefetch asks that a view is read into the cache ahead of its use, and
	// gives an event.
	Prefetch struct{}
)

// CollectiveKind says which way a collective moves data.
type CollectiveKind uint8

// The kinds of collectives.
const (
	Broadcast CollectiveKind = iota
	Scatter
	Gather
	Reduce
)
