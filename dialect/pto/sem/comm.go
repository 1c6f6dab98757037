// This file defines the kinds of communication instructions.

package sem

import "ptogo/ir/scalar"

// The kinds of instructions for communication between ranks. A rank is one of several
// processors that run the same program and can access each other's global memory.
type (
	// CommCopy copies data between ranks, or adds it to the data at the destination. If
	// Async is set, the instruction returns an event at once instead of waiting for the
	// copy.
	CommCopy struct{ Async bool }

	// CommNotify writes a value to every element of a signal, or adds the value to every
	// element. A signal is memory of one rank (a device of the launch) whose contents
	// other ranks wait for.
	CommNotify struct{}

	// CommWait waits until every element of a signal satisfies a comparison with a scalar
	// operand. If Test is set, the instruction does not wait: it returns the result of
	// the comparison as a Boolean.
	CommWait struct{ Test bool }

	// CommCollective moves data between the ranks of a group: from the root rank to the
	// members (Broadcast, Scatter), or from the members to the root rank (Gather,
	// Reduce). Only the root rank executes it.
	CommCollective struct {
		Kind CollectiveKind
		// Fns holds the functions with which a Reduce can combine elements, indexed by
		// attribute reduceOp. It is nil for the other collective operations.
		Fns []*scalar.Fn
	}

	// CommSession returns a queue through which asynchronous copies or prefetches run.
	// The instruction creates a new queue, or returns the queue that belongs to its
	// operand, a context.
	CommSession struct{}

	// CommEvent waits until the asynchronous copy of an event is complete. If Test is
	// set, it returns whether the copy is complete, without waiting.
	CommEvent struct{ Test bool }

	// Prefetch requests that a tensor in global memory is read into the cache before its
	// use. It returns an event that is complete when the data has arrived.
	Prefetch struct{}
)

// CollectiveKind is the operation of a CommCollective, which moves data between a root
// rank and the ranks of a group.
type CollectiveKind uint8

// The collective operations. Broadcast copies the root's data to every member, and
// Scatter distributes rows of this data. Gather collects rows of the members, and Reduce
// combines the elements of the members with a function.
const (
	Broadcast CollectiveKind = iota
	Scatter
	Gather
	Reduce
)

// What these instructions do, for readers of the reference.

func (m CommCopy) Doc() string {
	text := "Element i of dst becomes element i of src. Where an attribute asks for an addition, it is added to what is there, each element in one step. " +
		"Staging tiles hold parts of src on the way and have any contents afterwards."
	if m.Async {
		text += " The resulting event is complete when the copy is done."
	}
	return text
}

func (CommNotify) Doc() string {
	return "Attribute notifyOp selects the change. Every element of signal is changed, each addition in one step. What the rank did before is visible to whoever sees the signal."
}

func (CommWait) Doc() string {
	return "A signal may have several elements: all of them must satisfy the comparison cmp with cmpValue."
}

func (m CommCollective) Doc() string {
	const members = "Only rank root executes it. Member r of the group is the view of rank r. "
	const rows = "Rows are the last dimension but one of a view. With H rows per member, rows r*H to r*H+H-1 of "
	switch m.Kind {
	case Scatter:
		return members + rows + "src become member r; rows beyond are not used."
	case Gather:
		return members + rows + "dst become member r; rows beyond keep what they held."
	case Reduce:
		return members + "Element by element, members are combined from rank 0 on with the function that attribute reduceOp names."
	}
	return members + "Every member becomes src."
}

func (CommSession) Doc() string { return "Copies and prefetches name the queue that they go through." }

func (m CommEvent) Doc() string {
	if m.Test {
		return "It does not wait: the result is true if the copy of the event is done."
	}
	return "The result is true when the copy of the event is done."
}

func (Prefetch) Doc() string {
	return "What is read comes into the cache; no tile is written. The resulting event is complete when the data is there."
}
