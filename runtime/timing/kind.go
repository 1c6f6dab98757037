// This file classifies kernels by the accuracy of their predictions.

package timing

import (
	"fmt"

	"ptogo/dialect/pto/sem"
)

// Kind is a class of kernels for which predictions have a similar accuracy, for example
// matrix products.
type Kind struct {
	Name string
	// Error is the expected relative error of predictions: 0.1 means 10 %. 0 means that
	// the error is unknown.
	Error float64
	// Why is the source of the value of Error.
	Why string
}

var (
	// These are the kinds of kernels, with the prediction errors that docs/timing.md
	// reports.
	kindLaunch  = Kind{"launch-bound", 0.5, "no public source gives the time of scalar work and the launch"}
	kindGemm    = Kind{"GEMM", 0.10, "GEMM and convolution on A3, mxfp8 on 950"}
	kindMixed   = Kind{"cube and vector", 0.25, "flash attention on 910B2 and A3"}
	kindSort    = Kind{"sort", 0.10, "top-k on A3"}
	kindStream  = Kind{"streaming vector", 0.15, "add on 910B2, Hadamard and copies on 950"}
	kindVector  = Kind{"vector", 0.20, "single instructions"}
	kindScope   = Kind{"vector functions", 0.25, "within 12 % of the vendor's simulator, which no device has been compared with"}
	kindRanks   = Kind{"several ranks", 0, "no public source gives the time of a launch on several ranks"}
	kindUnknown = Kind{"nothing measured is like it", 0.5, ""}
)

// kind returns the accuracy class of the kernel, which depends on the instructions that
// it executes and on the result res.
func (p *replay) kind(res *Result) Kind {
	var cube, vector, sort, scope bool
	for i := range p.r.works {
		w := &p.r.works[i]
		switch w.pipe {
		case sem.PipeM:
			cube = true
		case sem.PipeV:
			switch w.op.Def().Sem.(type) {
			case sem.TileSort, sem.TileMerge:
				sort = true
			case sem.WaitFlag, sem.SetFlag, sem.Barrier:
			default:
				vector = true
			}
			scope = scope || w.cycles > 0
		}
	}
	moving := 0.0
	for _, u := range res.Units {
		for _, use := range u.Pipes {
			if use.Pipe == sem.PipeMTE2 || use.Pipe == sem.PipeMTE3 {
				moving = max(moving, use.Share)
			}
		}
	}
	switch {
	case p.r.launch.Ranks > 1:
		return kindRanks
	case res.Micros < res.Launch:
		return kindLaunch
	case cube && vector:
		return kindMixed
	case cube:
		return kindGemm
	case sort:
		return kindSort
	case moving > 0.8:
		return kindStream
	case scope:
		return kindScope
	case vector:
		return kindVector
	}
	return kindUnknown
}

// known returns a pointer to the expected relative error of predictions for kernels of
// kind k, or nil if the error is unknown.
func (k Kind) known() *float64 {
	if k.Error == 0 {
		return nil
	}
	return &k.Error
}

// expectation returns a text that states the expected error of a prediction, for reports.
func (k Kind) expectation() string {
	if k.Error == 0 {
		return "no error known (" + k.Name + ")"
	}
	return fmt.Sprintf("expected within %.0f %% (%s)", 100*k.Error, k.Name)
}

// Verdict returns a short text that states what limits the speed of the kernel: a pipe
// that is busy most of the time, or waits.
func (r *Result) Verdict() string {
	var top PipeUse
	for _, u := range r.Units {
		for _, p := range u.Pipes {
			if p.Share > top.Share {
				top = p
			}
		}
	}
	switch {
	case len(r.Ranks) > 0 && r.onPath("link") > r.Cycles/2:
		return "links between ranks"
	case r.Micros < r.Launch:
		return "the launch"
	case top.Share < 0.8 && r.replay.r.copyPart() < 0.5:
		return fmt.Sprintf("latency: no pipe is busy 80 %% of the time, and copies are small (%d bytes on average)", whole(r.replay.r.copyBytes()))
	case top.Share < 0.8:
		return "latency: no pipe is busy 80 % of the time"
	}
	switch top.Pipe {
	case sem.PipeMTE2:
		return "loads from global memory (MTE2)"
	case sem.PipeMTE3:
		return "stores to global memory (MTE3)"
	case sem.PipeM:
		return "the cube unit"
	case sem.PipeV:
		return "the vector unit"
	case sem.PipeMTE1:
		return "loads of operands (MTE1)"
	case sem.PipeFix:
		return "the way out of the accumulator (FIXP)"
	}
	return "the scalar unit"
}
