// This file names the cores, memories and channels of a launch in messages.

package runtime

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// MemoryName returns a name for the memory that access a uses, for messages about the
// given core. A local memory of the core is named by its space alone, such as the unified
// buffer. The name of a local memory of another core also contains the name of that core.
func (l *Launch) MemoryName(core *CoreInfo, a Access) string {
	switch {
	case a.Space == sem.GM:
		if l.Names != nil {
			return l.BufferName(a.Buffer)
		}
		rank, arg := l.Argument(a.Buffer)
		return fmt.Sprintf("gm argument %d", arg) + l.ofRank(rank)
	case a.Core == core.Number:
		return SpaceName(a.Space)
	}
	return fmt.Sprintf("%s of %s", SpaceName(a.Space), l.coreName(a.Core))
}

// BufferName returns a name for a buffer of global memory. The name contains the number
// or the name of the kernel argument that refers to the buffer.
func (l *Launch) BufferName(buffer int) string {
	rank, arg := l.Argument(buffer)
	if l.Names != nil {
		return "gm buffer " + ir.Visible(l.Names[arg]) + l.ofRank(rank)
	}
	text := fmt.Sprintf("gm argument %d", arg)
	if params := fn.Body(l.Cores[0].Kernel).Args(); arg < len(params) && params[arg].Name() != "" {
		text += " (%" + ir.Visible(params[arg].Name()) + ")"
	}
	return text + l.ofRank(rank)
}

// ofRank returns " of rank N" as a suffix for names. It returns "" in a launch with one
// rank.
func (l *Launch) ofRank(rank int) string {
	if l.Ranks == 1 {
		return ""
	}
	return fmt.Sprintf(" of rank %d", rank)
}

// Argument returns the rank and the argument number of the buffer with the given index in
// Launch.Buffers.
func (l *Launch) Argument(buffer int) (rank, argument int) {
	n := len(l.Buffers) / l.Ranks
	return buffer / n, buffer % n
}

// CoreName returns a name of a core that is unique in the launch, for example "block 0,
// the cube core".
func (l *Launch) CoreName(c *CoreInfo) string {
	text := fmt.Sprintf("block %d, %s", c.Block, c)
	if l.Ranks > 1 {
		text = fmt.Sprintf("rank %d, ", c.Rank) + text
	}
	if c.Task >= 0 {
		text = "task " + ir.Visible(l.Tasks[c.Task].Name) + ", " + text
	}
	return text
}

// coreName returns the name of the core with number n in Launch.Cores. Negative numbers
// are unknown cores, and numbers past the end are vector cores that execute no function.
func (l *Launch) coreName(n int) string {
	switch {
	case n < 0:
		return "another core"
	case n < len(l.Cores):
		return l.Cores[n].String()
	}
	return fmt.Sprintf("vector core %d", (n-len(l.Cores))%vectorCores)
}

// SpaceName returns the name of the memory space s of an Access. It also returns a name
// for the memories of MX scale factors, although programs cannot address these memories.
func SpaceName(s sem.Space) string { return memoryName(s) }

// ChannelName returns a description of channel c, for example "event 0 from PIPE_MTE2 to
// PIPE_V".
func (l *Launch) ChannelName(c Channel) string {
	where := ""
	if c.Block >= 0 {
		where = fmt.Sprintf("block %d: ", c.Block)
	}
	if l.Ranks > 1 {
		where = fmt.Sprintf("rank %d, ", c.Rank) + where
	}
	switch c.Kind {
	case FlagChannel:
		return fmt.Sprintf("%s%s, %s to %s, event %d", where, l.coreName(c.Core), c.Src, c.Dst, c.ID)
	case BufferChannel:
		return fmt.Sprintf("%s%s, buffer %d", where, l.coreName(c.Core), c.ID)
	case CoreChannel:
		if c.Core < 0 {
			return fmt.Sprintf("signal %d for all cores", c.ID)
		}
		return fmt.Sprintf("%ssignal %d from %s to %s", where, c.ID, l.coreName(c.From), l.coreName(c.Core))
	case CoresChannel:
		return "meeting of " + [...]string{"all vector cores", "all cube cores", "all cores"}[c.ID]
	}
	what, way := "entry", "to"
	if c.Kind == SlotChannel {
		what = "free slot"
	}
	if c.ID%sem.QueueWays == sem.ToCube {
		way = "from"
	}
	return fmt.Sprintf("%s%s of queue %d %s %s", where, what, c.ID/sem.QueueWays, way, l.coreName(c.Core))
}
