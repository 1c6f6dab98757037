// This file searches: rounds of predictions on growing sizes.

package tune

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"ptogo/runtime/timing"
)

// Status is the outcome of predicting the time of a candidate.
type Status string

// The outcomes of a prediction. Predicted means that the time is known. Rejected means
// that the program is not legal. Slower means that the prediction ended early: the
// program certainly needs more time than the best candidates.
const (
	Predicted Status = "predicted"
	Rejected  Status = "rejected"
	Slower    Status = "slower"
)

// Prediction is the predicted time of one candidate at one problem size. The results file
// has one line for each prediction.
type Prediction struct {
	// Params are the parameters of the candidate.
	Params Values `json:"params"`
	// Size is the index of the problem size in Space.Sizes.
	Size   int    `json:"size"`
	Status Status `json:"status"`
	// Micros is the predicted time of the kernel, Launch the time including the launch, and
	// Bound a lower bound of Micros from bytes and products, all in microseconds.
	Micros float64 `json:"us,omitempty"`
	Launch float64 `json:"launch_us,omitempty"`
	Bound  float64 `json:"bound_us,omitempty"`
	Blocks int     `json:"blocks,omitempty"`
	// Kind is the performance class of the kernel, such as "streaming vector". Error is
	// the expected relative error of predictions for this class.
	Kind  string  `json:"kind,omitempty"`
	Error float64 `json:"error,omitempty"`
	// Limit names the resource that limits the speed of the kernel.
	Limit string `json:"limit,omitempty"`
	// Memory is the largest use of each local memory in bytes, by the name of the memory.
	Memory map[string]int64 `json:"memory,omitempty"`
	// Why is the reason why the candidate was rejected.
	Why string `json:"why,omitempty"`

	// index is the index of the candidate in the list of candidates.
	index int
}

// Options are the options of Search.
type Options struct {
	// Read returns the contents of a file that an argument of the kernel names.
	Read func(path string) ([]byte, error)
	// Jobs is the number of predictions that run concurrently.
	Jobs int
	// Shard and Shards select every Shards-th candidate of the first round. A search with
	// shards ends after the first round.
	Shard, Shards int
	// Stop returns the reason why the search must end, or "". The search calls it
	// repeatedly.
	Stop func() string
	// Done is called after each prediction; several goroutines may call it.
	Done func(p *Prediction)
	// Round is called before each round, with the index of the problem size and the
	// number of candidates.
	Round func(size, candidates int)
}

// Result is the result of a search for the fastest parameter combination: the predictions
// of all rounds, and the executions of the best candidates.
type Result struct {
	Space *Space
	// Combinations is the number of parameter combinations. Candidates is the number of
	// those that satisfy the constraints and, if only a sample is searched, belong to the
	// sample.
	Combinations, Candidates int
	// Rounds holds the number of candidates in each round.
	Rounds []int
	// All are the predictions of all rounds. Best are the predictions of the last round,
	// with the fastest first.
	All, Best []*Prediction
	// Baseline is the prediction for the baseline at the last problem size, or nil.
	Baseline *Prediction
	// Confirmed holds the results of executing the best candidates.
	Confirmed []*Confirmation
}

// ErrStopped is the error that Search returns when Options.Stop ended the search.
var ErrStopped = errors.New("interrupted")

// search is the state of a running search.
type search struct {
	*Space
	o  Options
	mu sync.Mutex
	// done maps the key of each prediction of an earlier search to the prediction.
	done map[string]*Prediction
	// out receives new predictions, one JSON object per line.
	out io.Writer
	// best holds the times of the current round in microseconds, in ascending order.
	// enough is the number of candidates that the next round or the table needs.
	best   []float64
	enough int
	err    error
}

// resultKey returns the key of a prediction in search.done, for a candidate with
// parameters v at the problem size with the given index.
func resultKey(v Values, size int) string { return fmt.Sprintf("%d %s", size, v.key()) }

// ReadResults parses a results file, which has one JSON prediction per line. It ignores
// an incomplete last line, as an interrupted search leaves one.
func ReadResults(text []byte) ([]*Prediction, error) {
	var list []*Prediction
	in := bufio.NewReader(bytes.NewReader(text))
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return list, nil // after the last complete line
		}
		p := &Prediction{}
		if err := json.Unmarshal(line, p); err != nil {
			return nil, fmt.Errorf("line %d is not a result of --tune: %w", number, err)
		}
		list = append(list, p)
	}
}

// Search predicts the times of the candidates that s describes, in several rounds, one
// for each problem size. earlier contains the results of an earlier search with the same
// description, which Search reuses. If out is not nil, Search appends new results to it,
// one JSON object per line.
func Search(s *Space, o Options, earlier []*Prediction, out io.Writer) (*Result, error) {
	x := &search{Space: s, o: o, done: map[string]*Prediction{}, out: out}
	for _, p := range earlier {
		x.done[resultKey(p.Params, p.Size)] = p
	}
	list, total, err := s.candidates()
	if err != nil {
		return nil, err
	}
	r := &Result{Space: s, Combinations: total, Candidates: len(list)}
	var left []*Prediction
	for i, v := range list {
		if o.Shards > 0 && i%o.Shards != o.Shard {
			continue
		}
		left = append(left, &Prediction{Params: v, index: i})
	}
	for size := range s.Sizes {
		last := size == len(s.Sizes)-1
		r.Rounds = append(r.Rounds, len(left))
		done, err := x.round(left, size, last)
		if err != nil {
			return nil, err
		}
		r.All = append(r.All, done...)
		ranked := rank(done)
		if last || o.Shards > 0 {
			r.Best = ranked
			break
		}
		left = s.survivors(ranked)
	}
	for _, p := range r.Best {
		if s.isBaseline(p.Params) {
			r.Baseline = p
		}
	}
	return r, nil
}

// rank returns the predictions that have a time, with the fastest first.
func rank(list []*Prediction) []*Prediction {
	list = slices.DeleteFunc(slices.Clone(list), func(p *Prediction) bool { return p.Status != Predicted })
	slices.SortStableFunc(list, func(a, b *Prediction) int { return cmp.Compare(a.Micros, b.Micros) })
	return list
}

// kept returns how many of n candidates advance to the next round of the search. This is
// n divided by the field Keep, but at least twice the field Best, and at most n.
func (s *Space) kept(n int) int { return min(n, max(2*s.Best, n/s.Keep)) }

// survivors returns the predictions that advance to the next round, from the list ranked,
// which is sorted by time. The fastest ones advance: the length of the list divided by
// s.Keep, but at least twice s.Best, the number of candidates that will be executed at
// the end. The baseline advances as well.
func (s *Space) survivors(ranked []*Prediction) []*Prediction {
	n := s.kept(len(ranked))
	var next []*Prediction
	for i, p := range ranked {
		if i < n || s.isBaseline(p.Params) {
			next = append(next, &Prediction{Params: p.Params, index: p.index})
		}
	}
	return next
}

// round predicts the times of the candidates in list for one problem size, the size with
// the index in the parameter size. It returns one prediction for each candidate. last
// means that no further round follows. A prediction ends early if the candidate is
// already too slow to advance to the next round, or, in the last round, to appear in the
// table of the report. The error result is set if the search was stopped or has failed.
func (x *search) round(list []*Prediction, size int, last bool) ([]*Prediction, error) {
	if x.o.Round != nil {
		x.o.Round(size, len(list))
	}
	x.best, x.enough = nil, x.kept(len(list))
	if last {
		x.enough = max(2*x.Best, mostShown)
	}
	out := make([]*Prediction, len(list))
	for from := 0; from < len(list) && x.failed() == nil; from += batchSize {
		to := min(from+batchSize, len(list))
		x.batch(list[from:to], out[from:to], size)
	}
	return out, x.failed()
}

// batchSize is the number of candidates that are predicted with the same time limit. The
// limit changes only between batches, so that outcomes depend neither on the number of
// jobs nor on their speed.
const batchSize = 32

// batch predicts the times of the candidates in list concurrently and stores the
// predictions in out. size is the index of the problem size for which it predicts them.
func (x *search) batch(list, out []*Prediction, size int) {
	limit := x.limit()
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(x.o.Jobs, 1) {
		workers.Go(func() {
			for i := range next {
				if x.failed() == nil {
					out[i] = x.one(list[i], size, limit)
				}
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	workers.Wait()
	for _, p := range out {
		if p != nil && p.Status == Predicted {
			at, _ := slices.BinarySearch(x.best, p.Micros)
			x.best = slices.Insert(x.best, at, p.Micros)
		}
	}
}

// failed returns the error that ends the search, or nil. An interruption counts as an
// error.
func (x *search) failed() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.err == nil && x.o.Stop() != "" {
		x.err = ErrStopped
	}
	return x.err
}

// limit returns the time, in microseconds, above which a candidate can neither advance to
// the next round nor appear in the table. It returns 0, which means no limit, while too
// few times are known.
func (x *search) limit() float64 {
	if len(x.best) >= x.enough {
		return x.best[x.enough-1]
	}
	return 0
}

// The method one returns the prediction for the candidate c at one problem size; the
// parameter size is the index of this problem size. If an earlier search has stored the
// prediction, it returns this prediction. Otherwise it runs the timing model. The model
// stops early if the candidate needs more than limit microseconds; 0 means no limit.
func (x *search) one(c *Prediction, size int, limit float64) *Prediction {
	p := x.earlier(c.Params, size)
	if p == nil {
		p = &Prediction{Params: c.Params, Size: size}
		if err := x.fill(p, c.index, limit); err != nil {
			x.mu.Lock()
			x.err = cmp.Or(x.err, err)
			x.mu.Unlock()
			return p
		}
		x.write(p)
	}
	p.index = c.index
	if x.o.Done != nil {
		x.o.Done(p)
	}
	return p
}

// earlier returns a prediction that an earlier search has made, or nil if there is none.
// v contains the parameters of the candidate, and size is the index of the problem size.
func (x *search) earlier(v Values, size int) *Prediction {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done[resultKey(v, size)]
}

// fill loads the candidate with the given index, predicts its time, and stores the
// prediction in p. A candidate that the compiler rejects is not an error. The prediction
// ends early if the candidate needs more than limit microseconds; a limit of 0 means no
// limit.
func (x *search) fill(p *Prediction, index int, limit float64) error {
	prog, err := x.load(index, p.Params, p.Size)
	if err == nil {
		p.Memory, p.Blocks = prog.memory, prog.blocks
		var res *timing.Result
		if x.isBaseline(p.Params) {
			limit = 0
		}
		res, p.Bound, err = x.predict(prog, limit, x.o.Read, x.o.Stop)
		if res != nil {
			p.Status, p.Micros, p.Launch, p.Limit = Predicted, res.Micros, res.Total(), res.Verdict()
			p.Kind, p.Error = res.Kind.Name, res.Kind.Error
		} else if err == nil {
			p.Status, p.Why = Slower, slower
		}
	}
	if _, ok := errors.AsType[rejected](err); ok {
		if x.o.Stop() != "" {
			return ErrStopped
		}
		p.Status, p.Why = Rejected, firstLine(err)
		return nil
	}
	return err
}

// firstLine returns the first line of the message of err.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// write appends the prediction p to the results file as one line of JSON.
func (x *search) write(p *Prediction) {
	if x.out == nil {
		return
	}
	line, err := json.Marshal(p)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err == nil {
		_, err = x.out.Write(append(line, '\n'))
	}
	x.err = cmp.Or(x.err, err)
}
