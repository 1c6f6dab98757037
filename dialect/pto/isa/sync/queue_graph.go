// This file connects the ends of queues that share memory.

package sync

import (
	"slices"

	"ptogo/ir"
)

// queueMemory identifies the memory that both ends of a queue use for one direction. If
// the field owner is a function, the memory is a buffer that this function reserves, and
// the field name is the name of the buffer. If owner is nil, the memory is global memory,
// and name is the identifier of the queue. The field dir is the set of directions that
// use the memory, one bit each.
type queueMemory struct {
	// owner is the function that reserves the buffer; nil means global memory.
	owner *ir.Op
	name  ir.Attr
	dir   int64
}

// connect links all queues that use common memory. Two queues are linked if they use the
// same memory, or if a chain of other linked queues connects them.
func connect(queues []*Queue) {
	group := make([]int, len(queues)) // by the number of one member
	members := make([][]int, len(queues))
	first := map[queueMemory]int{}
	for i, q := range queues {
		group[i], members[i] = i, []int{i}
		for _, m := range q.memories() {
			j, known := first[m]
			if !known {
				first[m] = i
				continue
			}
			from, to := group[i], group[j]
			if from == to {
				continue
			}
			for _, k := range members[from] {
				group[k] = to
			}
			members[to], members[from] = append(members[to], members[from]...), nil
		}
	}
	for _, list := range members {
		slices.Sort(list)
		var together []*Queue
		for _, k := range list {
			together = append(together, queues[k])
		}
		for _, q := range together {
			q.Ends = together
		}
	}
}

// memories lists the memories that this end of a queue shares with the opposite end of
// the queue. There is one memory for each direction of the queue. A memory that the
// program does not determine is omitted.
func (q *Queue) memories() []queueMemory {
	if !q.Local() && q.Tensor != nil {
		return []queueMemory{{name: q.Init.Attr("id"), dir: q.Ways}}
	}
	var list []queueMemory
	for way, v := range q.Arrives {
		b, kind := localBuffer(v)
		if b == nil || !q.Has(way) {
			continue
		}
		owner := functionOf(q.Init)
		if kind.Imported {
			owner = peerFunction(b)
		}
		if owner != nil {
			list = append(list, queueMemory{owner, b.Attr("name"), 1 << way})
		}
	}
	return list
}
