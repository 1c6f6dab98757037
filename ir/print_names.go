// This file assigns names to values and blocks for printing.

package ir

import "strconv"

// naming maps the values and blocks inside one operation that is isolated from above to
// the names with which they are printed. The map values contains only values whose name
// differs from their hint.
type naming struct {
	// values holds the names of values that differ from their name hint.
	values map[*Value]string
	// starts holds an entry for each operation whose results do not all share one name.
	// Element i of the entry is the index of the first result that has the same name as
	// result i.
	starts map[*Op][]int32
	// blocks holds the number N of each block ^bbN.
	blocks map[*Block]int
	// used records which names are in scope.
	used *nameTable[givenName]
	// scope is the stack of the names that are currently in scope.
	scope []*named[givenName]
	// next is the number of the next value without a name hint.
	next int
	// keep makes every name in the text unique; see PrintOptions.Unique.
	keep bool
	// args is the number of the next argument of an entry block: %arg0, %arg1, ...
	args int
}

// givenName is what the printer records about a name of a value, so that all values in a
// scope have different names.
type givenName struct {
	// taken reports whether the name is in scope.
	taken bool
	// copies is the number with which the search for a unique name_N starts.
	copies int
}

// newNaming returns an empty naming, the record of the names that a printer has given to
// values and blocks.
func newNaming() *naming {
	return &naming{values: map[*Value]string{}, starts: map[*Op][]int32{}, blocks: map[*Block]int{}, used: &nameTable[givenName]{}}
}

// all chooses names for all values and blocks that can appear in the text of op. The
// names of values depend on the values before them. Therefore all also names the values
// before op, from the start of the nearest enclosing operation that is isolated from
// above. The names are then the same as in the text of the full program.
func (n *naming) all(op *Op) {
	root := op
	for root.def.Traits&IsolatedFromAbove == 0 && root.Parent() != nil {
		root = root.Parent()
	}
	n.reset()
	n.results(root)
	n.regions(root)
}

// maxSpareNames limits the number of name entries that are kept from one function to the
// next.
const maxSpareNames = 1 << 16

// inside chooses names for the values and blocks in op, which must be isolated from
// above. It discards the names that n contains, reuses their memory, and returns n.
func (n *naming) inside(op *Op) *naming {
	n.reset()
	n.regions(op)
	return n
}

// reset discards all names and keeps the memory.
func (n *naming) reset() {
	clear(n.values)
	clear(n.starts)
	clear(n.blocks)
	if n.used.used > maxSpareNames {
		n.used = &nameTable[givenName]{}
	}
	n.popTo(0)
	n.next, n.args = 0, 0
}

// popTo removes the most recently added names from the scope and keeps the first ones.
// mark is the number of names to keep: the length of the scope at an earlier time.
func (n *naming) popTo(mark int) {
	for _, e := range n.scope[mark:] {
		e.val = givenName{}
	}
	n.scope = n.scope[:mark]
}

// regions chooses names for the values and blocks of all regions of op.
func (n *naming) regions(op *Op) {
	for _, r := range op.regions {
		n.region(r)
	}
}

// region chooses names for the values and blocks of a region. Operations outside of the
// region may use the same names for other values, because they cannot refer to values of
// the region. region skips the regions of isolated operations: the printer names the
// values in them when it prints them.
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
			if n.keep || op.def.Traits&IsolatedFromAbove == 0 {
				n.regions(op)
			}
		}
	}
	if n.keep {
		return
	}
	n.popTo(mark)
	n.next, n.args = next, args
}

// groupSize returns the number of successive results, starting with result i, that share
// one name (%x:2).
func groupSize(op *Op, i int) int {
	n := 1
	for i+n < len(op.results) && op.results[i+n].hint.sameAs(op.results[i].hint) {
		n++
	}
	return n
}

// results chooses the names of the results of op. The results of a group are %x#0, %x#1
// and so on.
func (n *naming) results(op *Op) {
	var starts []int32
	for i := 0; i < len(op.results); {
		size := groupSize(op, i)
		n.name(&op.results[i], false)
		if starts != nil || size < len(op.results) {
			for range size {
				starts = append(starts, int32(i))
			}
		}
		i += size
	}
	if starts != nil {
		n.starts[op] = starts
	}
}

// name chooses a name for v and returns it. The name is the name hint of v, made unique,
// or else a number. arg is true if v is an argument of an entry block. In a name %argN, N
// is the position of the argument in the argument list; arguments with a hint are counted
// as well.
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

// unique returns hint if that name is not in scope. Otherwise it returns the first free
// name among hint_0, hint_1 and so on. hash is the result of hashName for hint.
func (n *naming) unique(hint string, hash uint64) string {
	first := find(n.used, hint, hash)
	if !first.val.taken {
		n.take(first)
		return first.text
	}
	for i := first.val.copies; ; i++ {
		s := hint + "_" + strconv.Itoa(i)
		if e := find(n.used, s, hashName(s)); !e.val.taken {
			first.val.copies = i + 1
			n.take(e)
			return e.text
		}
	}
}

// take adds the name e to the current scope.
func (n *naming) take(e *named[givenName]) {
	e.val.taken = true
	n.scope = append(n.scope, e)
}

// base returns the name of v without the %. If v belongs to a group of results that share
// one name, it returns the name of the group.
func (n *naming) base(v *Value) string {
	if v.op != nil && len(v.op.results) > 1 {
		first := int32(0)
		if starts := n.starts[v.op]; starts != nil {
			first = starts[v.index]
		}
		v = &v.op.results[first]
	}
	if len(n.values) > 0 {
		if s, ok := n.values[v]; ok {
			return s
		}
	}
	return v.Name()
}

// append appends the name of v, with its %, to b. For nil it appends <<null>>. An operand
// can be nil only while a pass changes the program, and the printer must also print such
// programs for debugging.
func (n *naming) append(b []byte, v *Value) []byte {
	if v == nil {
		return append(b, "<<null>>"...)
	}
	b = append(append(b, '%'), n.base(v)...)
	if v.op == nil || len(v.op.results) == 1 {
		return b
	}
	first, shared := int32(0), true
	if starts := n.starts[v.op]; starts != nil {
		first = starts[v.index]
		next := int(v.index) + 1
		shared = first < v.index || next < len(starts) && starts[next] == first
	}
	if shared {
		b = strconv.AppendInt(append(b, '#'), int64(v.index-first), 10)
	}
	return b
}

// appendBlock appends the label of a block.
func (n *naming) appendBlock(b []byte, blk *Block) []byte {
	return strconv.AppendInt(append(b, "^bb"...), int64(n.blocks[blk]), 10)
}
