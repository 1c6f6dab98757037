// This file lets graphs use the memory of other processes.

package run

import (
	"cmp"
	"fmt"
	"strings"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// graphShared is a range of a file that another process maps into its memory, such as a
// file in /dev/shm. The range holds the contents of a buffer before and after the run, so
// no data is copied.
type graphShared struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	// Slack is the number of bytes after the range that kernels can access too. Such an access
	// causes a warning, as with --gm-slack.
	Slack int64 `json:"slack"`
}

// checkShared returns an error if a buffer of a graph with the given number of ranks has
// both a spec and shared memory, or neither, or the same shared memory on several ranks.
func (l *graphLine) checkShared(ranks int) error {
	switch {
	case l.Shared == nil && l.Spec == "":
		return fmt.Errorf(`the contents are missing: add "spec", such as "zeros=16x64xf32"`)
	case l.Shared == nil:
		return nil
	case l.Spec != "":
		return fmt.Errorf(`"shared" and "spec" cannot be used together`)
	case l.Shared.Bytes < 0 || l.Shared.Slack < 0:
		return fmt.Errorf(`"bytes" and "slack" must not be negative, but are %d and %d`, l.Shared.Bytes, l.Shared.Slack)
	case ranks > 1 && !strings.Contains(l.Shared.File, data.RankText):
		return fmt.Errorf("'%s' names one file for %d ranks: use {rank} in its name", l.Shared.File, ranks)
	}
	return nil
}

// contents creates the buffer that line b of the graph file declares, for the rank that at
// identifies. The parameter p has the name and the type of the buffer.
func (g *graph) contents(b *graphLine, p kernel.Param, at data.Place) (*data.Arg, error) {
	if b.Shared == nil {
		return data.Parse(b.Spec, p, at)
	}
	file := at.OfRank(b.Shared.File)
	memory, done, err := g.shared.Use(file, b.Shared.Offset, b.Shared.Bytes+b.Shared.Slack)
	if err != nil {
		return nil, err
	}
	g.done = append(g.done, done)
	buf := &runtime.Buffer{Data: memory, Name: p.Name, Size: int(b.Shared.Bytes)}
	return &data.Arg{Value: runtime.Arg{Buf: buf}, Array: data.Flat(memory[:b.Shared.Bytes], ir.ElementType(p.Type))}, nil
}

// release unmaps the shared files of the graph. It returns the first error.
func (g *graph) release() (err error) {
	for _, done := range g.done {
		err = cmp.Or(err, done())
	}
	for i := range g.buffers {
		if s := g.buffers[i].Shared; s != nil {
			for rank := range g.run.Ranks {
				g.shared.Forget(data.Place{Rank: rank}.OfRank(s.File))
			}
		}
	}
	return err
}
