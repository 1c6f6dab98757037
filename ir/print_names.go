package ir

import "strconv"

// naming is the names of the values and blocks inside one operation that is
// isolated from above. Only values that are not called by their hint are in
// the map.
type naming struct {
	values map[*Value]string
	blocks map[*Block]int
	used   *nameTable[givenName]
	scope  []*named[givenName] // the names in scope, for taking them out again
	next   int                 // next number for values without a hint
	args   int                 // arguments of entry blocks so far: %arg0, %arg1, ...
}

// givenName says whether a name is in scope, and how many copies of it have
// been renamed.
type givenName struct {
	taken  bool
	copies int
}

func newNaming() *naming {
	return &naming{values: map[*Value]string{}, blocks: map[*Block]int{}, used: &nameTable[givenName]{}}
}

// all names what is printed together with op: everything in the operation
// around it that is isolated from above.
func (n *naming) all(op *Op) {
	root := op
	for root.def.Traits&IsolatedFromAbove == 0 && root.Parent() != nil {
		root = root.Parent()
	}
	n.reset()
	n.results(root)
	n.regions(root)
}

// maxSpareNames bounds the names that are remembered from function to function.
const maxSpareNames = 1 << 16

// inside names what is below op, which is isolated from above, and nothing
// else. The memory of n is used again.
func (n *naming) inside(op *Op) *naming {
	n.reset()
	n.regions(op)
	return n
}

// reset forgets all names, but keeps the memory.
func (n *naming) reset() {
	clear(n.values)
	clear(n.blocks)
	if n.used.used > maxSpareNames {
		n.used = &nameTable[givenName]{}
	}
	n.popTo(0)
	n.next, n.args = 0, 0
}

// popTo takes the names out of scope that were given after the mark.
func (n *naming) popTo(mark int) {
	for _, e := range n.scope[mark:] {
		e.val = givenName{}
	}
	n.scope = n.scope[:mark]
}

func (n *naming) regions(op *Op) {
	for _, r := range op.regions {
		n.region(r)
	}
}

// region names what a region defines. Names may be used again after it,
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
	n.popTo(mark)
	n.next, n.args = next, args
}

// groupSize returns how many results from i on share one name: %x:2.
func groupSize(op *Op, i int) int {
	n := 1
	for i+n < len(op.results) && op.results[i+n].hint.sameAs(op.results[i].hint) {
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
	if h := v.hint; h != nil {
		s := n.unique(h.text, h.hash)
		if s != h.text {
			n.values[v] = s
		}
		return s
	}
	s := ""
	if arg {
		s = "arg" + strconv.Itoa(number)
		s = n.unique(s, hashName(s))
	} else {
		s = strconv.Itoa(n.next)
		n.next++
	}
	n.values[v] = s
	return s
}

func (n *naming) unique(hint string, hash uint64) string {
	first := n.used.find(hint, hash)
	if !first.val.taken {
		n.take(first)
		return first.text
	}
	for i := first.val.copies; ; i++ {
		s := hint + "_" + strconv.Itoa(i)
		if e := n.used.find(s, hashName(s)); !e.val.taken {
			first.val.copies = i + 1
			n.take(e)
			return e.text
		}
	}
}

func (n *naming) take(e *named[givenName]) {
	e.val.taken = true
	n.scope = append(n.scope, e)
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
	return v.Name()
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
