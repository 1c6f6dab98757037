// This file models several ranks: the links between their memories, and the signals that
// kernels exchange through memory.

package timing

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// RankUse is the activity of the chip of one rank (device) in a launch: its times and its
// traffic.
type RankUse struct {
	Rank int `json:"rank"`
	// Micros is the time until the last core of the rank ends.
	Micros float64 `json:"us"`
	// Waits is the longest time that a core of the rank waits for signals of other ranks,
	// in microseconds.
	Waits float64 `json:"waits_us"`
	// LinkBytes is the number of bytes that the rank reads from and writes to other
	// ranks. LinkRate is their rate in GB/s, averaged over the time of the rank.
	LinkBytes float64 `json:"link_bytes"`
	LinkRate  float64 `json:"link_gb_per_s"`
}

// ranks returns the activity of each rank (device) of the launch, or nil for a launch
// with one rank.
func (p *replay) ranks() []RankUse {
	if p.r.launch.Ranks == 1 {
		return nil
	}
	list := make([]RankUse, p.r.launch.Ranks)
	for i := range p.cores {
		c, u := &p.cores[i], &list[p.r.launch.Cores[i].Rank]
		u.Micros = max(u.Micros, c.end/p.chip.clock())
		waits := 0.0
		for _, n := range c.items {
			if p.why[n] == RankSignal {
				waits += p.start[n] - p.issued[n]
			}
		}
		u.Waits = max(u.Waits, waits/p.chip.clock())
	}
	for rank := range list {
		u := &list[rank]
		u.Rank, u.LinkBytes = rank, p.gm[rank].far
		u.LinkRate = share(u.LinkBytes*1e-9, u.Micros*1e-6)
	}
	return list
}

// rankText returns the section of the report about the ranks (devices) of a launch, or ""
// for a launch with one rank.
func (r *Result) rankText() string {
	if len(r.Ranks) == 0 {
		return ""
	}
	var b strings.Builder
	for _, u := range r.Ranks {
		fmt.Fprintf(&b, "rank %d: %s, %s of it waiting for other ranks; link: %s B, %.3g GB/s\n", u.Rank, micros(u.Micros), micros(u.Waits), count(u.LinkBytes), u.LinkRate)
	}
	total := r.Chip.must("link.total")
	fmt.Fprintf(&b, "links: copies of 4 KiB to 4 MiB %s, %.3g GB/s for all copies of a rank %s; other copies, loads, stores and signals assumed\n",
		r.Chip.must("link.4K").Class, total.Value, total.Class)
	return b.String()
}

// linkSizes lists the sizes of copies between ranks (devices) for which the chip data
// contain a rate. The field bytes is the size in bytes, and name is the suffix of the
// name of the constant.
var linkSizes = []struct {
	bytes float64
	name  string
}{{4 << 10, "4K"}, {64 << 10, "64K"}, {1 << 20, "1M"}, {4 << 20, "4M"}}

// linkRate returns the rate of a copy of the given number of bytes between two ranks by
// the instruction op. The rate is in bytes per cycle and includes all latencies. The
// second result states how reliable the constants of the model are.
//
// The chip description contains the rates of several sizes. Between two of these sizes,
// linkRate interpolates logarithmically. A copy below the smallest of them needs the same
// time as a copy of that size. Loads and stores have the rates of synchronous copies.
func (c *Chip) linkRate(bytes int64, op *ir.Op) (rate float64, class Class) {
	prefix := "link."
	kind, copies := op.Def().Sem.(sem.CommCopy)
	if kind.Async {
		prefix = "link.async."
	}
	at := func(i int) Constant { return c.must(prefix + linkSizes[i].name) }
	last := len(linkSizes) - 1
	n := float64(bytes)
	gb := at(last).Value
	switch {
	case n < linkSizes[0].bytes:
		gb = at(0).Value * n / linkSizes[0].bytes
	case n < linkSizes[last].bytes:
		i := 0
		for n >= linkSizes[i+1].bytes {
			i++
		}
		part := math.Log(n/linkSizes[i].bytes) / math.Log(linkSizes[i+1].bytes/linkSizes[i].bytes)
		gb = at(i).Value * math.Pow(at(i+1).Value/at(i).Value, part)
	}
	if class = at(0).Class; !copies || n < linkSizes[0].bytes || n > linkSizes[last].bytes {
		class = Assumed
	}
	return c.chipPerCycle(gb / 1000), class
}

// buffersOfRank returns the number of buffers of each rank.
func buffersOfRank(l *runtime.Launch) int { return max(len(l.Buffers)/l.Ranks, 1) }

// word identifies a word of global memory that carries signals: the buffer and the byte
// offset.
type word struct {
	buffer int
	at     int64
}

// wordSends records, in order, the signals that instructions raised in one word of global
// memory.
type wordSends struct {
	// items identify the signals. values are the contents of the word after each signal.
	items  []int32
	values []int64
	// add means that the last signal was an addition to the contents.
	add bool
	// seen is, for each core, the number of signals for which the core has already
	// waited.
	seen map[int32]int
}

// send records that the instruction with index item raises a signal in the word w of
// global memory. value is the contents of the word after the signal. add states whether
// the signal was an addition.
func send(words map[word]*wordSends, w word, item int32, value int64, add bool) {
	s := words[w]
	if s == nil {
		s = &wordSends{seen: map[int32]int{}}
		words[w] = s
	}
	s.items, s.values, s.add = append(s.items, item), append(s.values, value), add
}

// await returns the indices of the items (recorded signals) that a core must wait for.
// Several items can write the same word of global memory, and the core waits until this
// word satisfies a condition. Usually await returns one item: the first one after which
// the word satisfies the condition. If the items add to the word, the core must also wait
// for all earlier items, because the sum includes them. await omits items for which the
// core has already waited.
func await(s *wordSends, core int32, condition runtime.Signal) (items []int32) {
	if s == nil || condition.Fulfils == nil {
		return nil
	}
	from := s.seen[core]
	if from > 0 && condition.Fulfils(s.values[from-1], condition.Value) {
		return nil
	}
	for k := from; k < len(s.items); k++ {
		fulfilled := condition.Fulfils(s.values[k], condition.Value)
		if s.add || fulfilled {
			items = append(items, s.items[k])
		}
		if fulfilled {
			s.seen[core] = k + 1
			break
		}
	}
	return items
}

// notified records the signals that event e raises in words of global memory. The
// recording consists of items (instructions and waits). The signals are attributed to the
// last one, so e must belong to this item.
func (r *Recorder) notified(e *runtime.Event) {
	for w, value := range r.wordsOf(e, runtime.WriteAccess) {
		send(r.words, w, int32(len(r.items)-1), value, e.Signal.Add)
	}
}

// awaited makes the last recorded item depend on the items that raised the signals for
// which event e waits.
func (r *Recorder) awaited(e *runtime.Event) {
	core := r.items[len(r.items)-1].core
	for w := range r.wordsOf(e, runtime.ReadAccess) {
		for _, n := range await(r.words[w], core, e.Signal) {
			why := CrossCore
			if r.launch.Cores[r.items[n].core].Rank != r.launch.Cores[core].Rank {
				why = RankSignal
			}
			r.need(dep{n, n, why})
		}
	}
}

// wordsOf yields the signal words of global memory that event e accesses. For each word,
// it yields the number of the word and its contents. The parameter how selects the
// accesses: writes, which raise signals, or reads, which wait for signals.
func (r *Recorder) wordsOf(e *runtime.Event, how runtime.AccessKind) func(yield func(word, int64) bool) {
	return func(yield func(word, int64) bool) {
		for _, a := range e.Accesses {
			if a.Space != sem.GM || a.Kind&how == 0 || a.Buffer < 0 || a.Buffer >= len(r.launch.Buffers) {
				continue
			}
			data := r.launch.Buffers[a.Buffer].Data
			for _, run := range a.Runs {
				for i := range run.Count {
					at := run.Start + i*run.Stride
					for end := at + run.Length; at+wordBytes <= min(end, int64(len(data))); at += wordBytes {
						value := int64(int32(binary.LittleEndian.Uint32(data[at:])))
						if !yield(word{a.Buffer, at}, value) {
							return
						}
					}
				}
			}
		}
	}
}

// wordBytes is the size of a signal in bytes: signals are 32-bit integers.
const wordBytes = 4
