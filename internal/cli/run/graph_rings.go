// This file verifies that the rings of the public runtime are large enough for a graph.

package run

import (
	"fmt"

	"ptogo/ir"
	"ptogo/runtime"
)

// The public runtime simpler (tensormap_and_ringbuffer) takes the slot of a task, the memory of
// its outputs and the entries of its dependencies from rings. There is a set of rings for each
// depth of scopes, up to ringDepth. A ring frees its entries in the order of their allocation,
// and those of a task not before the scope of the task has ended. If the tasks of an open scope
// occupy a ring, the orchestration waits for a free entry before it can end the scope, so the
// graph never ends.

// ringDepth is the number of sets of rings. All scopes of a greater depth share the last one.
const ringDepth = 4

// ringLimits are the sizes of the rings: the slots of tasks, the bytes of memory, and the
// entries for dependencies. All sets of rings have the same sizes.
type ringLimits struct {
	Window       int64 `json:"window"`
	Heap         int64 `json:"heap"`
	Dependencies int64 `json:"dependencies"`
}

// set sets the sizes to those of the graph file, or to the defaults of the runtime.
func (r *ringLimits) set(given *ringLimits) error {
	*r = ringLimits{Window: 16384, Heap: 256 << 20, Dependencies: 16384}
	if given == nil {
		return nil
	}
	for _, size := range []struct {
		name  string
		given int64
		to    *int64
	}{{"window", given.Window, &r.Window}, {"heap", given.Heap, &r.Heap}, {"dependencies", given.Dependencies, &r.Dependencies}} {
		if size.given < 0 {
			return fmt.Errorf(`"rings": %q must not be negative, but is %d`, size.name, size.given)
		}
		if size.given > 0 {
			*size.to = size.given
		}
	}
	return nil
}

// ringUse is what the tasks of an open scope occupy in the rings of its depth.
type ringUse struct{ tasks, heap, dependencies int64 }

// scopeKey identifies the scopes whose tasks a ring cannot free while one of them is open.
type scopeKey struct {
	rank int
	path string
}

// checkRings passes a warning to warn for each scope whose tasks need more than a ring has. It
// examines the tasks whose scopes the graph file states.
func (g *graph) checkRings(warn func(*runtime.Fault)) {
	uses := map[scopeKey]*ringUse{}
	stuck := map[scopeKey]bool{}
	for i := range g.tasks {
		t := &g.tasks[i]
		if len(t.scope) == 0 {
			continue
		}
		ring := min(len(t.scope), ringDepth) - 1
		key := scopeKey{t.Rank, fmt.Sprint(t.scope[:ring+1])}
		u := uses[key]
		if u == nil {
			u = &ringUse{}
			uses[key] = u
		}
		if f := g.ringFault(u, i, ring); f != nil && !stuck[key] {
			stuck[key] = !f.Possible
			warn(f)
		}
		u.tasks++
		u.heap += t.heap
		u.dependencies += int64(len(g.run.Tasks[i].After))
	}
}

// ringFault returns a fault if the task with number i does not fit into the rings of the given
// depth, of which earlier tasks of its scope use u.
func (g *graph) ringFault(u *ringUse, i, ring int) *runtime.Fault {
	t := &g.tasks[i]
	f := &runtime.Fault{Loc: g.run.Tasks[i].Loc, Check: "sync", Rings: true}
	name, way := ir.Visible(t.Task), "divide the tasks among several scopes"
	dependencies := u.dependencies + int64(len(g.run.Tasks[i].After))
	switch {
	case u.tasks >= g.rings.Window-1:
		f.Text = fmt.Sprintf("task %s is never submitted: its scope has %s before it, and ring %d has %d slots, of which one stays free", name, ir.Count(int(u.tasks), "task"), ring, g.rings.Window)
		way += ", or raise PTO2_RING_TASK_WINDOW"
	case u.heap+t.heap > g.rings.Heap:
		f.Text = fmt.Sprintf("task %s is never submitted: its outputs need %d bytes, and earlier tasks of its scope use %d of the %d bytes of ring %d", name, t.heap, u.heap, g.rings.Heap, ring)
		way += ", or raise PTO2_RING_HEAP"
	case dependencies > g.rings.Dependencies && u.dependencies <= g.rings.Dependencies:
		f.Possible = true
		f.Text = fmt.Sprintf("task %s may never be submitted: the tasks of its scope up to it have %d dependencies, and ring %d has %d entries for those on unfinished tasks", name, dependencies, ring, g.rings.Dependencies)
		way += ", or raise PTO2_RING_DEP_POOL"
	default:
		return nil
	}
	f.Notes = []ir.Note{{Text: "the runtime frees entries only after the end of the scope: " + way}}
	return f
}
