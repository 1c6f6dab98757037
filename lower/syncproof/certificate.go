// This file checks certificates of proofs, and writes them.

package syncproof

import (
	"maps"
	"slices"
	"strings"

	"ptogo/ir"
)

// Certificate is what a search has found: how the rounds of loops are divided, and a state
// for each loop head. Nothing in it is trusted. Check follows the program once, and accepts
// the certificate if every state holds whenever execution reaches its loop head, and every
// pair of accesses that may share a byte has an argument.
type Certificate struct {
	x *prover
}

// certificate returns the plans and states of the search, without anything else that it
// has found.
func (x *prover) certificate() *Certificate {
	y := newProver(x.Input)
	// Names: of terms, blocks and loops.
	y.pool, y.vars, y.owner, y.waits, y.bodies, y.calls, y.depth, y.loops, y.byID, y.groups, y.positions = x.pool, x.vars, x.owner, x.waits, x.bodies, x.calls, x.depth, x.loops, x.byID, x.groups, x.positions
	for i, t := range y.threads {
		t.env, t.memory = x.threads[i].env, x.threads[i].memory
	}
	y.block, y.count, y.bounds, y.answers, y.loads, y.lastUse = x.block, x.count, x.bounds, x.answers, x.loads, x.lastUse
	// Claims.
	y.apart, y.peeled, y.plans, y.nodes = x.apart, x.peeled, x.plans, maps.Clone(x.nodes)
	return &Certificate{y}
}

// Result is what a proof has found out.
type Result struct {
	// Gaps are the places that the proof could not decide. The synchronization is proved if
	// there are none.
	Gaps []Gap
	// Assumptions are the names of the assumptions of the proof.
	Assumptions []string
	// Instructions is the number of instructions that access memory.
	Instructions int
	// Cores is the number of cores of the proof. Blocks means that it also compares the
	// accesses of different blocks.
	Cores  int
	Blocks bool
	// Meetings lists, for accesses in vector functions, earlier ones that no argument orders
	// before them. Of accesses to the same bytes it has only the last ones.
	Meetings map[*ir.Op][]*ir.Op
	// Arguments are the reasons why pairs of accesses are in order or apart.
	Arguments []Argument
}

// Argument is the reason why two accesses that may conflict are no hazard.
type Argument struct {
	First, Second *ir.Op
	// Text names the reason: an order, or that the bytes are different.
	Text string
}

// Check follows the program with the states of the certificate.
func (c *Certificate) Check() Result {
	x := c.x
	x.checking = true
	clear(x.inits)
	clear(x.assumed)
	clear(x.meetings)
	clear(x.arguments)
	x.pass()
	if !slices.ContainsFunc(x.gaps, Gap.Cuts) {
		x.argue()
	}
	return x.result()
}

// result returns what the last pass has found.
func (x *prover) result() Result {
	seen := map[*ir.Op]bool{}
	for _, r := range x.records {
		seen[r.op] = true
	}
	return Result{
		Gaps: x.gaps, Assumptions: x.assumptions(), Instructions: len(seen), Meetings: x.meetings, Cores: len(x.Cores), Blocks: !x.block.IsZero(), Arguments: x.reasons(),
	}
}

// Cuts reports whether the proof has not followed the program past the gap. Accesses after
// it have not been compared.
func (g Gap) Cuts() bool {
	switch g.Kind {
	case "pair", "reload", "cache", BetweenBlocks, "cores", "foreign", "line", "inside", "slot", "overlap":
		return false
	}
	return true
}

// Complete reports whether the proof has compared all accesses.
func (r Result) Complete() bool { return !slices.ContainsFunc(r.Gaps, Gap.Cuts) }

// reason records why a pair of records is no hazard.
func (x *prover) reason(a, b *record, text string) { x.arguments[argumentKey{a.op, b.op, text}] = true }

// argumentKey is an Argument as a key.
type argumentKey struct {
	first, second *ir.Op
	text          string
}

// reasons returns the arguments, in the order of the records. Pairs that conflict and for
// which the states alone exclude that the first access is incomplete are in order.
func (x *prover) reasons() (list []Argument) {
	at := map[*ir.Op]int{}
	for i, r := range x.records {
		if _, known := at[r.op]; !known {
			at[r.op] = i
		}
	}
	for k := range x.arguments {
		list = append(list, Argument{k.first, k.second, k.text})
	}
	slices.SortFunc(list, func(a, b Argument) int {
		if d := at[a.Second] - at[b.Second]; d != 0 {
			return d
		}
		if d := at[a.First] - at[b.First]; d != 0 {
			return d
		}
		return strings.Compare(a.Text, b.Text)
	})
	return list
}
