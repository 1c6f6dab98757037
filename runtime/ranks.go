// This file binds the arguments of all ranks, and lays out the communication context
// that kernels read.

package runtime

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	satomic "sync/atomic"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// The ranks of a launch are separate machines that run the same kernel. They share only
// windows: buffers that are the same argument on every rank and have equal sizes. All
// buffers of a launch are in one address space. Buffer i of rank r has the number r*n +
// i, where n is the number of arguments of the kernel. The distance between the windows
// of two ranks is therefore equal for all arguments. Kernels rely on that: they compute
// the distance from the communication context and add it to any pointer into a window.

// rank is the state that the blocks of one rank (device) share.
type rank struct {
	number int
	// gm are the buffers by number; buffers that the rank cannot access are nil.
	gm []*Buffer
	// all counts how often each signal that reaches all blocks was raised.
	all [numSignals]int
	// arrived counts, for each kind of barrier across cores, the arrivals of cores so
	// far.
	arrived [numKinds]int
	params  blockArgs
}

// blockArgs returns the values of the kernel parameters for the block with the given
// number: one list of 64-bit values for each core of the block.
type blockArgs func(block int) [][]uint64

// mostBuffers is the maximum number of global buffers of all ranks (devices) together.
// Each buffer has its own range of addresses, and kernels compute distances between
// buffers. With more buffers, these distances would exceed the largest distance that
// address computations accept.
const mostBuffers = 1 << 12

// newLaunch converts the arguments of all ranks (devices) into the parameter values of
// the kernels. It returns an error if the arguments do not match the parameters or the
// number of ranks.
func (p *Program) newLaunch(args []Arg) (*launch, error) {
	n := p.opts.Ranks
	each := len(args) / n
	switch {
	case len(args)%n != 0:
		return nil, fmt.Errorf("got %d arguments, but the same number is required for each of %d ranks", len(args), n)
	case n > 1 && len(args) > mostBuffers:
		return nil, fmt.Errorf("%d ranks with %d arguments each must have at most %d arguments in total", n, each, mostBuffers)
	}
	all := make([]*Buffer, len(args))
	for i, a := range args {
		all[i] = a.Buf
	}
	l := &launch{vectors: new(satomic.Int64), started: new(clusters), ranks: make([]rank, n), each: p.opts.Blocks}
	for r := range l.ranks {
		own := args[r*each : (r+1)*each]
		bound, err := p.bind(own, r*each)
		if err != nil {
			return nil, err
		}
		l.ranks[r] = rank{number: r, gm: visible(all, r, each), params: ofBlocks(own, bound)}
	}
	if err := sameWindows(all, each); err != nil {
		return nil, err
	}
	l.windows = n > 1 && slices.ContainsFunc(all, func(b *Buffer) bool { return b != nil && b.Window })
	for i, a := range args {
		if a.Context {
			if err := fillContext(a.Buf, all, i/each, each); err != nil {
				return nil, err
			}
		}
	}
	if x := p.opts.Lineage; x != nil {
		x.begin(all, func(i int) bool { return args[i].Context })
	}
	l.events = p.newStream(all)
	return l, nil
}

// visible returns the buffers that rank r can access: its own buffers and the windows
// (shared buffers) of other ranks. All other entries of the result are nil. The parameter
// all contains the buffers of all ranks, one rank after the other. each is the number of
// buffers per rank.
func visible(all []*Buffer, r, each int) []*Buffer {
	gm := slices.Clone(all)
	for i, b := range gm {
		if b != nil && i/each != r && !b.Window {
			gm[i] = nil
		}
	}
	return gm
}

// sameWindows returns an error if a buffer is a window (shared between ranks) on some
// ranks only, or if its size differs between ranks. The slice all contains the buffers of
// all ranks, and each is the number of buffers of one rank.
func sameWindows(all []*Buffer, each int) error {
	for i, b := range all {
		first := all[i%each]
		if b == nil || first == nil {
			continue
		}
		if b.Window != first.Window || b.Window && len(b.Data) != len(first.Data) {
			return fmt.Errorf("argument %d must be a window of the same size on all ranks, but differs between rank 0 and rank %d", i%each, i/each)
		}
	}
	return nil
}

// ofBlocks returns a function that returns the parameter values for the cores of a block.
// bound contains the values for block 0. Most values are equal for all blocks. The
// exception is an argument with a field Part other than 0, which passes a different
// section of a buffer to each block. Its value increases by Part from block to block.
func ofBlocks(args []Arg, bound [][]uint64) blockArgs {
	if !slices.ContainsFunc(args, func(a Arg) bool { return a.Part != 0 }) {
		return func(int) [][]uint64 { return bound }
	}
	return func(block int) [][]uint64 {
		own := make([][]uint64, len(bound))
		for i, xs := range bound {
			own[i] = slices.Clone(xs)
			for k, a := range args {
				own[i][k] += uint64(block * a.Part)
			}
		}
		return own
	}
}

const (
	// The communication context describes the memory that ranks share. Kernels read it in
	// the layout of public frontends: address and size of a workspace, rankId and rankNum
	// with 32 bits each, the size of a window (shared range), and the addresses of the
	// windows of up to 64 ranks, for reading and for writing. ContextBytes is its size in
	// bytes.
	ContextBytes = contextOut + 8*MostRanks
	// MostRanks is the maximum number of ranks in a communication context.
	MostRanks = 64

	contextRank    = 16
	contextWinSize = 24
	contextIn      = 32
	contextOut     = contextIn + 8*MostRanks
)

// fillContext writes the communication context of rank r (a device) to buf. A kernel
// reads two things from this data structure: the number of its rank, and the addresses of
// windows, the buffers that ranks share. The context contains one address per rank, that
// of the first window argument. The addresses of a window on two ranks differ by the same
// distance for all windows, so kernels can compute the addresses of the other windows.
// In a domain of some ranks, all numbers of ranks are those in the domain. A rank outside
// of the domain has no context, so its buffer is not changed. The parameter all contains the
// buffers of all ranks, and each is the number of buffers per rank.
func fillContext(buf *Buffer, all []*Buffer, r, each int) error {
	window := slices.IndexFunc(all[:each], func(b *Buffer) bool { return b != nil && b.Window })
	ranks, ctx, members := len(all)/each, buf.Data, buf.Members
	for k := 0; buf.Members == nil && k < ranks; k++ {
		members = append(members, k)
	}
	switch {
	case len(ctx) < ContextBytes:
		return fmt.Errorf("a communication context needs %d bytes, but its buffer has %d", ContextBytes, len(ctx))
	case window < 0:
		return errors.New("a communication context describes windows, but no argument is a window")
	case ranks > MostRanks:
		return fmt.Errorf("a communication context has room for %d ranks, but there are %d", MostRanks, ranks)
	}
	for _, m := range members {
		if m < 0 || m >= ranks {
			return fmt.Errorf("a communication domain has rank %d, but there are only %d ranks, numbered from 0", m, ranks)
		}
	}
	own := slices.Index(members, r)
	if own < 0 {
		return nil
	}
	le := binary.LittleEndian
	le.PutUint32(ctx[contextRank:], uint32(own))
	le.PutUint32(ctx[contextRank+4:], uint32(len(members)))
	le.PutUint64(ctx[contextWinSize:], uint64(len(all[window].Data)))
	for k := range MostRanks {
		at := globalAddress(max(k, ranks)*each + window) // of a rank that does not exist: leads into no buffer
		if k < len(members) {
			at = globalAddress(members[k]*each + window)
		}
		le.PutUint64(ctx[contextIn+8*k:], at)
		le.PutUint64(ctx[contextOut+8*k:], at)
	}
	return nil
}

// blocks returns the number of blocks of the launch: the blocks of one rank times the
// number of ranks.
func (l *launch) blocks() int { return len(l.ranks) * l.each }

// params returns the parameter values of the kernel of each core, for the block with the
// given index.
func (l *launch) params(index int) [][]uint64 { return l.ranks[index/l.each].params(index % l.each) }

// shared reports whether ranks can access each other's memory. In this case, blocks run
// interleaved in a fixed order, so that results are reproducible.
func (l *launch) shared() bool { return l.windows }

// arguments returns the number of kernel arguments, which is the number of buffers of
// each rank.
func (c *core) arguments() int { return len(c.gm) / len(c.cluster.launch.ranks) }

// bufferName returns a name for global buffer i in messages. It contains the argument
// number, the name, and, in a launch with several ranks, the rank.
func (c *core) bufferName(i int) string {
	n, name := c.arguments(), c.gm[i].Name
	if c.cluster.launch.task != "" {
		return fmt.Sprintf("%s of rank %d", ir.Visible(name), i/n)
	}
	if len(c.cluster.launch.ranks) == 1 {
		return fmt.Sprint(i) + quoted(name)
	}
	if params := fn.Body(c.prog.roles[0].kernel.op).Args(); params[i%n].Name() != "" {
		name = "%" + ir.Visible(params[i%n].Name()) + ", " + name
	}
	return fmt.Sprintf("%d%s of rank %d", i%n, quoted(name), i/n)
}

// foreign checks an access to global buffer i, which starts at byte offset off and
// accesses n bytes. It returns a fault if this buffer belongs to another rank that does
// not share it. Otherwise it returns nil.
func (pl *pointee) foreign(c *core, i int, off int64, n int) *Fault {
	ranks, each := len(c.cluster.launch.ranks), c.arguments()
	if ranks == 1 || i < 0 || i >= MostRanks*each {
		return nil
	}
	own, other := c.cluster.rank.number, i/each
	if other >= ranks {
		return faultAt(pl.op, "accesses memory of a rank that does not exist: it %s %s of a window of rank %d through \"%s\", but the launch has only %d ranks", pl.how, span(off, n), other, pl.name, ranks).memory()
	}
	name := fmt.Sprintf("argument %d", i%each)
	if l := c.cluster.launch; l.task != "" { // buffers of a graph have the same names on all ranks
		name = "buffer " + ir.Visible(c.gm[own*each+i%each].Name)
	}
	f := faultAt(pl.op, "accesses memory of another rank: it %s %s of %s of rank %d through \"%s\", but this memory is not a window, so rank %d cannot access it",
		pl.how, span(off, n), name, other, pl.name, own).memory()
	return f.note(f.Loc, "ranks share only arguments that are windows (--arg window=SHAPE)")
}
