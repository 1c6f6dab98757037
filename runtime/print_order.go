// This file orders the output of blocks that run in parallel.

package runtime

import (
	"io"
	"sync"

	"ptogo/ir"
)

// print writes text to Options.Out. If blocks run in parallel, it first waits for the end
// of all earlier blocks. It returns a fault if the output exceeds Options.MaxOutput or
// cannot be written.
func (c *core) print(op *ir.Op, text string) *Fault {
	if o := c.cluster.launch.order; o != nil {
		if f := o.await(c.cluster.index); f != nil {
			return f
		}
	}
	c.prog.out.Lock()
	defer c.prog.out.Unlock()
	l, most := c.cluster.launch, c.prog.opts.MaxOutput
	if l.printed += int64(len(text)); most > 0 && l.printed > most {
		return faultAt(op, "prints more than %d bytes in total, the limit of --max-output", most)
	}
	io.WriteString(c.prog.opts.Out, text)
	return nil
}

// printOrder orders the output of blocks that run in parallel. The output is the same as
// if the blocks ran one after the other until the first fault. A block that prints waits
// until all earlier blocks have ended.
type printOrder struct {
	mu     sync.Mutex
	change *sync.Cond
	ended  []bool
	// turn is the number of the first block that has not ended.
	turn int
	// faulted is the lowest number of a block that has faulted so far.
	faulted int
}

// newPrintOrder returns a new printOrder, which orders the output of the given number of
// blocks that run in parallel.
func newPrintOrder(blocks int) *printOrder {
	o := &printOrder{ended: make([]bool, blocks), faulted: blocks}
	o.change = sync.NewCond(&o.mu)
	return o
}

// await waits until all blocks before the given one have ended. It returns a fault if one
// of them has faulted, because the block must then not print.
func (o *printOrder) await(block int) *Fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.turn != block {
		if o.faulted < block {
			return stopped()
		}
		o.change.Wait()
	}
	return nil
}

// end records that a block has ended, with fault f or with nil, and wakes up blocks that
// wait to print.
func (o *printOrder) end(block int, f *Fault) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f != nil {
		o.faulted = min(o.faulted, block)
	} else {
		o.ended[block] = true
	}
	for o.turn < len(o.ended) && o.ended[o.turn] {
		o.turn++
	}
	o.change.Broadcast()
}
