package ir

import "strconv"

// naming is the names of the values and blocks inside one operation that is
// isolated from above. Only values that are not called by their hint are in
// the map.
type naming struct {
	values map[*Value]string
	blocks map[*Block]int
	used   map[string]int // names in scope; the count of renamed copies
	scope  []string       // the names in scope, for taking them out again
	next   int            // next number for values without a hint
	args   int            // arguments of entry blocks so far: %arg0, %arg1, ...
}

// nameValues names what is printed together with op: everything in the
// operation around it that is isolated from above.
func nameValues(op *Op) *naming {
	root := op
	for root.def.Traits&IsolatedFromAbove == 0 && root.Parent() != nil {
		root = root.Parent()
	}
	n := &naming{values: map[*Value]string{}, blocks: map[*Block]int{}, used: map[string]int{}}
	n.results(root)
	n.regions(root)
	return n
}

// inside names what is below op, which is isolated from above, and nothing
// else. The memory of n is used again.
func (n *naming) inside(op *Op) *naming {
	clear(n.values)
	clear(n.blocks)
	clear(n.used)
	n.scope, n.next, n.args = n.scope[:0], 0, 0
	n.regions(op)
	return n
}

func (n *naming) regions(op *Op) {
	for _, r := range op.regions {
		n.region(r)
	}
}

// region names what a region defines. Names may be used again behind it,
// since nothing outside sees them. Isolated operations are passed over: their
// insides are named when they are printed.
func (n *naming) region(r *Region) {
	next, args, mark := n.next, n.args, len(n.scope)
	number := 0
	for b := r.first; b != nil; b = b.next {
		if r.first != r.last {
			n.blocks[b] = number
		}
		number++
		for _, a := range b.args {
			n.name(a, b == r.first)
		}
	}
	for b := r.first; b != nil; b = b.next {
		for op := b.first; op != nil; op = op.next {
			n.results(op)
			if op.def.Traits&IsolatedFromAbove == 0 {
				n.regions(op)
			}
		}
	}
	for _, name := range n.scope[mark:] {
		delete(n.used, name)
	}
	n.scope, n.next, n.args = n.scope[:mark], next, args
}

// groupSize returns how many results from i on share one name: %x:2.
func groupSize(op *Op, i int) int {
	n := 1
	for i+n < len(op.results) && op.results[i+n].name == op.results[i].name {
		n++
	}
	return n
}

// results names the results of op.
func (n *naming) results(op *Op) {
	for i := 0; i < len(op.results); {
		size := groupSize(op, i)
		name := n.name(&op.results[i], false)
		for k := range size {
			if size > 1 {
				n.values[&op.results[i+k]] = name + "#" + strconv.Itoa(k)
			}
		}
		i += size
	}
}

// name chooses the name of v: its hint, made unique, or a number. Arguments
// of an entry block are counted whether they have a hint or not, so that the
// name of one does not depend on the others.
func (n *naming) name(v *Value, arg bool) string {
	number := n.args
	if arg {
		n.args++
	}
	if v.name == "" {
		s := ""
		if arg {
			s = n.unique("arg" + strconv.Itoa(number))
		} else {
			s = strconv.Itoa(n.next)
			n.next++
		}
		n.values[v] = s
		return s
	}
	s := n.unique(v.name)
	if s != v.name {
		n.values[v] = s
	}
	return s
}

func (n *naming) unique(hint string) string {
	if _, taken := n.used[hint]; !taken {
		n.take(hint)
		return hint
	}
	for i := n.used[hint]; ; i++ {
		s := hint + "_" + strconv.Itoa(i)
		if _, taken := n.used[s]; !taken {
			n.used[hint] = i + 1
			n.take(s)
			return s
		}
	}
}

func (n *naming) take(name string) {
	n.used[name] = 0
	n.scope = append(n.scope, name)
}

// group returns the name of the results that start with v, without number.
func (n *naming) group(v *Value) string {
	s := n.of(v)
	for i := range len(s) {
		if s[i] == '#' {
			return s[:i]
		}
	}
	return s
}

func (n *naming) of(v *Value) string {
	if len(n.values) > 0 {
		if s, ok := n.values[v]; ok {
			return s
		}
	}
	return v.name
}

func (n *naming) append(b []byte, v *Value) []byte {
	if v == nil {
		return append(b, "<<null>>"...)
	}
	return append(append(b, '%'), n.of(v)...)
}

func (n *naming) appendBlock(b []byte, blk *Block) []byte {
	return strconv.AppendInt(append(b, "^bb"...), int64(n.blocks[blk]), 10)
}
