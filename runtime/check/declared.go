// This file compares what tasks of a graph access with what they declare.

package check

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// The system that builds a graph derives edges from declarations: a task that declares an
// argument as read does not become a predecessor of later readers. A wrong declaration is
// therefore a mistake even if the graph happens to contain the edge.

// declaredState records what the tasks with declarations have written.
type declaredState struct {
	// written lists, for each task and buffer, the byte ranges that the task has written.
	written map[taskBuffer][]byteRange
}

// taskBuffer identifies a buffer of global memory in a task.
type taskBuffer struct{ task, buffer int }

// declared reports accesses of event e that contradict the declarations of its task.
func (c *Checker) declared(e *runtime.Event, s *site) {
	if e.Core.Task < 0 || len(c.launch.Tasks[e.Core.Task].Declared) == 0 {
		return
	}
	for i := range e.Accesses {
		if a := &e.Accesses[i]; a.Space == sem.GM && len(a.Runs) > 0 {
			c.declaredAccess(e, s, a)
		}
	}
}

// declaredAccess compares one access to global memory with the declarations of its task.
// Several arguments can refer to the same bytes; the access is correct if one of them
// permits it.
func (c *Checker) declaredAccess(e *runtime.Event, s *site, a *runtime.Access) {
	task := &c.launch.Tasks[e.Core.Task]
	lo, hi := firstByte(a), lastByte(a)
	var args []*runtime.Declared
	reads, writes := false, false
	for i := range task.Declared {
		if d := &task.Declared[i]; d.Buffer == a.Buffer && lo < d.Hi && d.Lo < hi {
			args, reads, writes = append(args, d), reads || d.Reads, writes || d.Writes
		}
	}
	if len(args) == 0 {
		return
	}
	key := taskBuffer{e.Core.Task, a.Buffer}
	if a.Kind&(runtime.ReadAccess|runtime.UnusedAccess) == runtime.ReadAccess && !reads && !c.declares.has(key, lo, hi) {
		c.misdeclared(e, s, a, args[0], "reads", "write", "so this task does not wait for the task that writes the contents")
	}
	if a.Kind&runtime.WriteAccess == 0 {
		return
	}
	if !writes {
		c.misdeclared(e, s, a, args[0], "writes", "read", "so later tasks that read the contents do not wait for this task")
	}
	if !reads {
		c.declares.add(key, lo, hi)
	}
}

// misdeclared adds the report that an access contradicts the declaration d.
func (c *Checker) misdeclared(e *runtime.Event, s *site, a *runtime.Access, d *runtime.Declared, does, declared, effect string) {
	task := &c.launch.Tasks[e.Core.Task]
	r := c.finding(findingKey{Race, "declared", s.id, int32(d.Argument)}, ir.Warning, e.Number, "'%s' %s %s%s, but task %s declares it as \"%s\", %s",
		e.Op.Name(), does, bytesOf(firstByte(a), lastByte(a), c.memoryName(a)), named(operandName(e.Op, int16(a.Operand))), ir.Visible(task.Name), declared, effect)
	if r == nil {
		return
	}
	r.Space, r.Lo, r.Hi = spaceName(a.Space), firstByte(a), lastByte(a)
	r.note(task.Loc, "the declaration of argument %d of task %s: \"update\" declares that the task reads and writes it", d.Argument, ir.Visible(task.Name))
}

// has reports whether the task has written all bytes from lo to hi-1.
func (st *declaredState) has(k taskBuffer, lo, hi int64) bool {
	return slices.ContainsFunc(st.written[k], func(r byteRange) bool { return r.lo <= lo && hi <= r.hi })
}

// add records that the task has written the bytes from lo to hi-1. It merges ranges that
// touch.
func (st *declaredState) add(k taskBuffer, lo, hi int64) {
	if st.written == nil {
		st.written = map[taskBuffer][]byteRange{}
	}
	rest := st.written[k][:0]
	for _, r := range st.written[k] {
		if r.hi < lo || hi < r.lo {
			rest = append(rest, r)
			continue
		}
		lo, hi = min(lo, r.lo), max(hi, r.hi)
	}
	st.written[k] = append(rest, byteRange{lo, hi})
}
