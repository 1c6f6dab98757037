package flow

// Components returns the strongly connected components of a graph: the largest sets of
// nodes in which each node can be reached from each other one. roots lists nodes from
// which all others can be reached, and succs returns the nodes that follow a node. In the
// result, a component is before all components from which it can be reached.
//
// The algorithm is the one of Tarjan. It keeps its own stack, because a chain of nodes can
// be longer than the stack of a goroutine may grow.
func Components[N comparable](roots []N, succs func(n N) []N) (all [][]N) {
	type visit struct {
		node N
		next int // the index of the next successor
	}
	// order is the number of a node in the order of first visits, and low the least number
	// of a node in the same component that is known to be reachable.
	order, low := map[N]int{}, map[N]int{}
	open := map[N]bool{} // nodes whose component is not complete
	var path []visit
	var stack []N
	enter := func(n N) {
		order[n], low[n], open[n] = len(order), len(order), true
		path, stack = append(path, visit{node: n}), append(stack, n)
	}
	for _, root := range roots {
		if _, seen := order[root]; seen {
			continue
		}
		enter(root)
		for len(path) > 0 {
			v := &path[len(path)-1]
			if following := succs(v.node); v.next < len(following) {
				to := following[v.next]
				v.next++
				if _, seen := order[to]; !seen {
					enter(to)
				} else if open[to] {
					low[v.node] = min(low[v.node], order[to])
				}
				continue
			}
			n := v.node
			path = path[:len(path)-1]
			if len(path) > 0 {
				above := path[len(path)-1].node
				low[above] = min(low[above], low[n])
			}
			if low[n] != order[n] {
				continue
			}
			first := len(stack) - 1
			for stack[first] != n {
				first--
			}
			component := append([]N(nil), stack[first:]...)
			stack = stack[:first]
			for _, m := range component {
				open[m] = false
			}
			all = append(all, component)
		}
	}
	return all
}
