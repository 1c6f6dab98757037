package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queueGraph tells which queues of a program belong together. Lists are in the
// order of the text.
type queueGraph struct {
	of    map[*ir.Op][]*ir.Op // the queues that a function sets up
	ends  map[*ir.Op][]*ir.Op // the queues that share memory with a queue, it among them
	users map[*ir.Op][]*ir.Op // what uses a queue
}

// queueMemory is what both ends of a queue use: a buffer that a function
// reserves, in one direction, or global memory, known by the id of the queue.
type queueMemory struct {
	owner *ir.Op // nil: global memory
	name  ir.Attr
	dir   int64
}

// queuesAround returns the graph of the program around op.
func queuesAround(op *ir.Op, v *ir.Verifier) *queueGraph {
	root := outermost(op)
	return v.Once(root, func() any { return newQueueGraph(root) }).(*queueGraph)
}

func newQueueGraph(root *ir.Op) *queueGraph {
	g := &queueGraph{of: map[*ir.Op][]*ir.Op{}, users: map[*ir.Op][]*ir.Op{}}
	var queues, users []*ir.Op
	for op := range root.Walk() {
		switch op.Def().Sem.(type) {
		case sem.QueueInit:
			queues = append(queues, op)
			f := functionOf(op)
			g.of[f] = append(g.of[f], op)
		case sem.QueueAlloc, sem.QueuePush, sem.QueuePop, sem.QueueFree:
			users = append(users, op)
		}
	}
	for _, op := range users {
		if q := g.queueUsed(op); q != nil {
			g.users[q] = append(g.users[q], op)
		}
	}
	g.ends = connect(queues)
	return g
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

// queueUsed returns the queue of an instruction on one, or nil.
func (g *queueGraph) queueUsed(op *ir.Op) *ir.Op {
	if h := op.Arg("pipe_handle"); h != nil {
		return queueOfHandle(h)
	}
	for _, q := range g.of[functionOf(op)] {
		if !hasHandle(q) && q.Attr("id") == op.Attr("id") {
			return q
		}
	}
	return nil
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
