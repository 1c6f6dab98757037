package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queueMemory is what both ends of a queue use: a buffer that a function
// reserves, in one direction, or global memory, known by the id of the queue.
type queueMemory struct {
	owner *ir.Op // nil: global memory
	name  ir.Attr
	dir   int64
}

// connect groups queues that use the same memory, directly or by way of others.
func connect(queues []*ir.Op) map[*ir.Op][]*ir.Op {
	group := make([]int, len(queues)) // by the number of one member
	members := make([][]int, len(queues))
	first := map[queueMemory]int{}
	for i, q := range queues {
		group[i], members[i] = i, []int{i}
		for _, m := range memoriesOf(q) {
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
	ends := map[*ir.Op][]*ir.Op{}
	for _, list := range members {
		slices.Sort(list)
		var together []*ir.Op
		for _, k := range list {
			together = append(together, queues[k])
		}
		for _, q := range together {
			ends[q] = together
		}
	}
	return ends
}

// hasHandle reports whether a queue is known by its result, not by its id.
func hasHandle(queue *ir.Op) bool {
	return queue.Def().Sem == any(sem.QueueInit{From: sem.QueueHandle})
}

// memoriesOf returns what a queue shares with its other end, as far as the text
// tells.
func memoriesOf(queue *ir.Op) []queueMemory {
	toVector, toCube := consumerBuffers(queue)
	dir, _ := queue.Attr("dir_mask").AsInt()
	if toVector == nil && toCube == nil && queue.Arg("gm_slot_tensor") != nil {
		return []queueMemory{{name: queue.Attr("id"), dir: dir}}
	}
	var list []queueMemory
	for i, v := range []*ir.Value{toVector, toCube} {
		d := int64(i + 1)
		if v == nil || v.Op() == nil || d&dir == 0 {
			continue
		}
		switch v.Op().Def().Sem.(type) {
		case sem.ReserveBuffer:
			list = append(list, queueMemory{functionOf(queue), v.Op().Attr("name"), d})
		case sem.ImportBuffer:
			if f := peerFunction(v.Op()); f != nil {
				list = append(list, queueMemory{f, v.Op().Attr("name"), d})
			}
		}
	}
	return list
}

// consumerBuffers returns the local memories in which the vector cores and the
// cube core receive the entries of a queue, nil where there is none.
func consumerBuffers(queue *ir.Op) (toVector, toCube *ir.Value) {
	if !hasHandle(queue) {
		return queue.Arg("c2v_consumer_buf"), queue.Arg("v2c_consumer_buf")
	}
	if dir, _ := queue.Attr("dir_mask").AsInt(); dir == 2 {
		return nil, queue.Arg("local_addr")
	}
	return queue.Arg("local_addr"), queue.Arg("peer_local_addr")
}
