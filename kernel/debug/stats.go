// This file counts the instructions and bytes of a launch.

package debug

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Stats is a listener that counts the executed instructions of a launch and the bytes
// that they move, summed over all cores. It does not measure time.
type Stats struct {
	// launch is the last launch.
	launch *runtime.Launch
	// kinds counts the executions of each instruction name on each pipe.
	kinds map[kindKey]*work
	// pipes counts the instructions of each pipe.
	pipes map[sem.Pipe]int
	// scalars counts the scalar operations.
	scalars int
	// paths counts the copies between each pair of memories.
	paths map[pathKey]*work
	// memory counts the traffic of each memory, and stores the highest accessed address.
	memory map[sem.Space]*memoryUse
	// lines counts the instructions of each source line.
	lines map[int]*lineUse
	// ranks counts the instructions of each rank, and the bytes that they access in the
	// memory of other ranks.
	ranks []work
	// source is the program text to which the line numbers refer.
	source *ir.Source
}

// kindKey identifies the instructions with one name on one pipe (a hardware queue of
// instructions).
type kindKey struct {
	name string
	pipe sem.Pipe
}

// work counts the executions of instructions, and the bytes that these executions have
// read and written.
type work struct {
	count         int
	reads, writes int64
}

// pathKey identifies the source memory and the destination memory of copies.
type pathKey struct{ from, to sem.Space }

// memoryUse counts the accesses to a memory space. peak is the offset after the highest
// byte that any core has accessed.
type memoryUse struct {
	work
	peak int64
}

// lineUse records the executions of the instruction in a source line. The field name is
// the name of the instruction.
type lineUse struct {
	work
	name string
}

// Begin resets all counts for launch l. It implements runtime.Listener.
func (s *Stats) Begin(l *runtime.Launch) {
	*s = Stats{
		launch: l, kinds: map[kindKey]*work{}, pipes: map[sem.Pipe]int{},
		paths: map[pathKey]*work{}, memory: map[sem.Space]*memoryUse{}, lines: map[int]*lineUse{},
		ranks: make([]work, l.Ranks),
	}
}

// End does nothing. It implements runtime.Listener.
func (s *Stats) End(*runtime.Fault) {}

// Event counts event e. It implements runtime.Listener.
func (s *Stats) Event(e *runtime.Event) {
	s.scalars += e.Scalars
	switch e.Kind {
	// These events mark phases of a run and are not instructions.
	case runtime.KernelBegin, runtime.KernelEnd, runtime.ScopeBegin, runtime.ScopeEnd:
		return
	}
	reads, writes := s.accesses(e)
	s.pipes[e.Pipe]++
	s.rank(e)
	s.line(e, reads, writes)
	entry(s.kinds, kindKey{e.Op.Name(), e.Pipe}).add(reads, writes)
}

// entry returns the pointer that map m contains for the given key. On first use of a key,
// it adds a pointer to a new zero value.
func entry[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// add counts one instruction. reads and writes are the numbers of bytes that the
// instruction has read and written.
func (w *work) add(reads, writes int64) {
	w.count++
	w.reads += reads
	w.writes += writes
}

// accesses counts the memory accesses of event e and returns the bytes read and written.
// If e reads one memory and writes another memory, it also counts a copy between the two.
// The size of this copy is the smaller of the bytes read and the bytes written.
func (s *Stats) accesses(e *runtime.Event) (reads, writes int64) {
	var from, to map[sem.Space]int64
	note := func(m *map[sem.Space]int64, space sem.Space, n int64) {
		if *m == nil {
			*m = map[sem.Space]int64{}
		}
		(*m)[space] += n
	}
	for _, a := range e.Accesses {
		n, end := int64(0), int64(0)
		for _, r := range a.Runs {
			n += r.Bytes()
			end = max(end, r.End())
		}
		m := entry(s.memory, a.Space)
		m.count++
		m.peak = max(m.peak, end)
		if a.Kind&runtime.ReadAccess != 0 {
			reads += n
			m.reads += n
			note(&from, a.Space, n)
		}
		if a.Kind&runtime.WriteAccess != 0 {
			writes += n
			m.writes += n
			// A write to a scratch tile is an intermediate result. It does not move
			// data.
			if a.Kind&runtime.ScratchAccess == 0 {
				note(&to, a.Space, n)
			}
		}
	}
	for src, n := range from {
		for dst, k := range to {
			if src != dst {
				entry(s.paths, pathKey{src, dst}).add(min(n, k), 0)
			}
		}
	}
	return reads, writes
}

// rank counts event e for its rank. An access to a buffer of another rank counts as
// communication.
func (s *Stats) rank(e *runtime.Event) {
	own, each := &s.ranks[e.Core.Rank], max(len(s.launch.Buffers)/s.launch.Ranks, 1)
	own.count++
	for _, a := range e.Accesses {
		if a.Space != sem.GM || a.Buffer < 0 || a.Buffer/each == e.Core.Rank {
			continue
		}
		for _, r := range a.Runs {
			if a.Kind&runtime.ReadAccess != 0 {
				own.reads += r.Bytes()
			}
			if a.Kind&runtime.WriteAccess != 0 {
				own.writes += r.Bytes()
			}
		}
	}
}

// line adds event e to the counts of the source line of its operation. reads and writes
// are the numbers of bytes that the operation has read and written. Operations without a
// source line are not counted.
func (s *Stats) line(e *runtime.Event, reads, writes int64) {
	src, off := e.Op.Loc().Source()
	if src == nil {
		return
	}
	s.source = src
	n, _ := src.Position(off)
	l := entry(s.lines, n)
	l.name = e.Op.Name()
	l.add(reads, writes)
}

// hotLines is the maximum number of source lines in the report.
const hotLines = 10

// Report writes all counts of the launch as tables of text for a user. out receives the
// text.
func (s *Stats) Report(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer w.Flush()
	total := 0
	for _, n := range s.pipes {
		total += n
	}
	fmt.Fprintf(w, "%s on %s of %s, and %s without a pipe\n\n", ir.Count(total, "instruction"),
		ir.Count(len(s.launch.Cores), "core"), s.blocks(), ir.Count(s.scalars, "scalar operation"))
	s.reportRanks(w)
	s.reportKinds(w)
	s.reportPipes(w)
	s.reportPaths(w)
	s.reportMemory(w)
	s.reportLines(w)
}

// blocks returns the line of the report that states how many blocks and ranks (devices)
// the launch had.
func (s *Stats) blocks() string {
	text := ir.Count(s.launch.Blocks, "block")
	if s.launch.Ranks > 1 {
		text += fmt.Sprintf(" on each of %d ranks", s.launch.Ranks)
	}
	return text
}

// reportRanks writes the table of ranks: their instructions, and the bytes that they read
// and write in the memory of other ranks. It writes nothing for a launch with one rank.
func (s *Stats) reportRanks(w io.Writer) {
	if len(s.ranks) == 1 {
		return
	}
	fmt.Fprintf(w, "rank\tinstructions\tbytes read from other ranks\tbytes written to other ranks\n")
	for i, r := range s.ranks {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\n", i, r.count, r.reads, r.writes)
	}
	fmt.Fprintln(w)
}

// reportKinds writes the table of instructions, the most frequent first. Further sort
// keys make the order deterministic.
func (s *Stats) reportKinds(w io.Writer) {
	fmt.Fprintf(w, "instruction\tpipe\tcount\tbytes read\tbytes written\n")
	for _, k := range sorted(s.kinds, func(a, b kindKey) int {
		return cmp.Or(s.kinds[b].count-s.kinds[a].count, cmp.Compare(a.name, b.name), cmp.Compare(a.pipe, b.pipe))
	}) {
		v := s.kinds[k]
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", k.name, k.pipe, v.count, v.reads, v.writes)
	}
}

// reportPipes writes the table with the number of executed instructions on each pipe, a
// hardware queue of instructions.
func (s *Stats) reportPipes(w io.Writer) {
	fmt.Fprintf(w, "\npipe\tinstructions\n")
	for _, p := range sorted(s.pipes, func(a, b sem.Pipe) int { return cmp.Compare(a, b) }) {
		fmt.Fprintf(w, "%s\t%d\n", p, s.pipes[p])
	}
}

// reportPaths writes the table of copies between memories, with the number of copies and
// of copied bytes.
func (s *Stats) reportPaths(w io.Writer) {
	if len(s.paths) == 0 {
		return
	}
	fmt.Fprintf(w, "\npath\tcopies\tbytes\n")
	for _, k := range sorted(s.paths, func(a, b pathKey) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	}) {
		fmt.Fprintf(w, "%s -> %s\t%d\t%d\n", runtime.SpaceName(k.from), runtime.SpaceName(k.to), s.paths[k].count, s.paths[k].reads)
	}
}

// reportMemory writes the table of memories: their traffic, the highest address in use,
// and the size. Global memory has no fixed size, so the last two are empty for it.
func (s *Stats) reportMemory(w io.Writer) {
	fmt.Fprintf(w, "\nmemory\tbytes read\tbytes written\tpeak\tsize\n")
	for _, k := range sorted(s.memory, func(a, b sem.Space) int { return cmp.Compare(a, b) }) {
		m, peak, size := s.memory[k], "", ""
		if k != sem.GM {
			peak, size = fmt.Sprint(m.peak), fmt.Sprint(k.Size(s.launch.Target))
			if k > sem.FB {
				size = "" // the memories for scales have no size of their own
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", runtime.SpaceName(k), m.reads, m.writes, peak, size)
	}
}

// reportLines writes the table of the source lines with the most executed instructions.
func (s *Stats) reportLines(w io.Writer) {
	fmt.Fprintf(w, "\nhot line\tcount\tbytes\tinstruction\n")
	lines := sorted(s.lines, func(a, b int) int {
		x, y := s.lines[a], s.lines[b]
		return cmp.Or(y.count-x.count, cmp.Compare(y.reads+y.writes, x.reads+x.writes), a-b)
	})
	for _, n := range lines[:min(len(lines), hotLines)] {
		l := s.lines[n]
		fmt.Fprintf(w, "%s:%d\t%d\t%d\t%s\n", s.source.Name, n, l.count, l.reads+l.writes, l.name)
	}
}

// sorted returns the keys of the map m in sorted order. order is the comparison function:
// its result is negative if a comes before b.
func sorted[K comparable, V any](m map[K]V, order func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, order)
	return keys
}
