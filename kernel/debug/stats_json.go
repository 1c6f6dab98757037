// This file writes statistics as JSON.

package debug

import (
	"cmp"

	"ptogo/dialect/pto/sem"
	"ptogo/runtime"
)

// Counts are the counts of Stats in JSON format, for other programs (--stats-json). Byte
// counts are the bytes that instructions have read and written. A copy between two
// memories counts the smaller of the bytes read and the bytes written.
type Counts struct {
	Blocks       int                `json:"blocks"`
	Cores        int                `json:"cores"`
	Scalars      int                `json:"scalar_operations"`
	Instructions []InstructionCount `json:"instructions"`
	Paths        []PathCount        `json:"paths"`
	Memories     []MemoryCount      `json:"memories"`
	Lines        []LineCount        `json:"lines"`
	// Ranks are the counts of each rank, if there are several.
	Ranks []RankCount `json:"ranks,omitempty"`
}

// RankCount counts the instructions of a rank. Read and Written are bytes in the memory
// of other ranks.
type RankCount struct {
	Rank    int   `json:"rank"`
	Count   int   `json:"instructions"`
	Read    int64 `json:"bytes_read_from_ranks"`
	Written int64 `json:"bytes_written_to_ranks"`
}

// InstructionCount counts the executions of an instruction on a pipe, and the bytes that
// they read and write.
type InstructionCount struct {
	Name    string `json:"name"`
	Pipe    string `json:"pipe"`
	Count   int    `json:"count"`
	Read    int64  `json:"bytes_read"`
	Written int64  `json:"bytes_written"`
}

// PathCount counts the copies from one memory space to another, and the copied bytes.
type PathCount struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Copies int    `json:"copies"`
	Bytes  int64  `json:"bytes"`
}

// MemoryCount counts the accesses to a memory space. Peak is the offset after the highest
// byte that any core has accessed; it is set only for local memories.
type MemoryCount struct {
	Name    string `json:"name"`
	Read    int64  `json:"bytes_read"`
	Written int64  `json:"bytes_written"`
	Peak    int64  `json:"peak,omitempty"`
}

// LineCount describes the instruction in one source line: how often a run has executed
// it, and how many bytes all executions have read and written.
type LineCount struct {
	Line    int    `json:"line"`
	Name    string `json:"name"`
	Count   int    `json:"count"`
	Read    int64  `json:"bytes_read"`
	Written int64  `json:"bytes_written"`
}

// Counts returns all counts as a value that encoding/json can encode. The source lines
// are in ascending order.
func (s *Stats) Counts() Counts {
	c := Counts{Blocks: s.launch.Blocks, Cores: len(s.launch.Cores), Scalars: s.scalars,
		Instructions: []InstructionCount{}, Paths: []PathCount{}, Memories: []MemoryCount{}, Lines: []LineCount{}}
	for _, k := range sorted(s.kinds, func(a, b kindKey) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.pipe, b.pipe)) }) {
		v := s.kinds[k]
		c.Instructions = append(c.Instructions, InstructionCount{k.name, k.pipe.String(), v.count, v.reads, v.writes})
	}
	for _, k := range sorted(s.paths, func(a, b pathKey) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) }) {
		c.Paths = append(c.Paths, PathCount{runtime.SpaceName(k.from), runtime.SpaceName(k.to), s.paths[k].count, s.paths[k].reads})
	}
	for _, k := range sorted(s.memory, func(a, b sem.Space) int { return cmp.Compare(a, b) }) {
		m := MemoryCount{runtime.SpaceName(k), s.memory[k].reads, s.memory[k].writes, s.memory[k].peak}
		if k == sem.GM {
			m.Peak = 0 // the arguments are separate memories, so there is no common peak
		}
		c.Memories = append(c.Memories, m)
	}
	for _, n := range sorted(s.lines, func(a, b int) int { return a - b }) {
		l := s.lines[n]
		c.Lines = append(c.Lines, LineCount{n, l.name, l.count, l.reads, l.writes})
	}
	for i, r := range s.ranks {
		if len(s.ranks) > 1 {
			c.Ranks = append(c.Ranks, RankCount{i, r.count, r.reads, r.writes})
		}
	}
	return c
}
