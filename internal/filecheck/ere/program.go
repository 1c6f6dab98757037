// This file compiles expressions to instructions.

package ere

// opcode is the operation of an instruction of the matcher.
type opcode uint8

const (
	opClass  opcode = iota // consume one character of the set
	opChar                 // consume this character
	opAnchor               // be at this position
	opSplit                // go on at x, or else at y
	opJump                 // go on at x
	opSave                 // note the position in slot x
	opRef                  // consume what group x matched
	opDone                 // the end of the expression
)

// instruction is one instruction of a compiled expression. The opcode determines which
// other fields are used.
type instruction struct {
	op   opcode
	char rune
	at   anchor
	x, y int
	set  *set
}

// maxProgram limits the number of instructions, because counted repetitions are expanded.
const maxProgram = 20000

// program is an expression compiled for this package's own search. An expression consists
// of parts at the top level; starts[i] is the index of the first instruction of part i,
// and the last entry of starts is the number of instructions.
type program struct {
	code   []instruction
	starts []int
	// failed states that the expression needs too many instructions.
	failed bool
}

// assemble compiles the top-level parts of a regular expression to instructions of a
// matching program. It returns an error if the program would need more than maxProgram
// instructions.
func assemble(parts []node) (*program, error) {
	p := &program{}
	for _, part := range parts {
		p.starts = append(p.starts, len(p.code))
		p.emit(part)
		if p.failed {
			return nil, errTooComplex
		}
	}
	p.starts = append(p.starts, len(p.code))
	p.add(instruction{op: opDone})
	return p, nil
}

// add appends an instruction and returns its index. If the program exceeds maxProgram
// instructions, add marks it as failed and appends nothing more.
func (p *program) add(i instruction) int {
	if len(p.code) >= maxProgram {
		p.failed = true
		return 0
	}
	p.code = append(p.code, i)
	return len(p.code) - 1
}

// emit appends the instructions of the node n.
func (p *program) emit(n node) {
	if p.failed {
		return
	}
	switch n := n.(type) {
	case char:
		p.add(instruction{op: opChar, char: rune(n)})
	case class:
		p.add(instruction{op: opClass, set: &n.set})
	case anchor:
		p.add(instruction{op: opAnchor, at: n})
	case backref:
		p.add(instruction{op: opRef, x: int(n)})
	case sequence:
		for _, part := range n {
			p.emit(part)
		}
	case group:
		p.add(instruction{op: opSave, x: 2 * n.index})
		p.emit(n.body)
		p.add(instruction{op: opSave, x: 2*n.index + 1})
	case mark:
		p.add(instruction{op: opSave, x: int(n)})
	case choice:
		p.emitChoice(n)
	case repeat:
		p.emitRepeat(n)
	}
}

// emitChoice appends code that tries the alternatives in order.
func (p *program) emitChoice(n choice) {
	var jumps []int
	for i, alternative := range n {
		if i == len(n)-1 {
			p.emit(alternative)
			break
		}
		split := p.add(instruction{op: opSplit})
		p.code[split].x = len(p.code)
		p.emit(alternative)
		jumps = append(jumps, p.add(instruction{op: opJump}))
		p.code[split].y = len(p.code)
	}
	for _, j := range jumps {
		p.code[j].x = len(p.code)
	}
}

// emitRepeat emits code for the repetition n. It appends the code of the repeated body
// once for each required match. A loop, or one optional copy of the body for each further
// match, follows. The code tries another match of the body before it continues after the
// repetition, which makes the repetition greedy.
func (p *program) emitRepeat(n repeat) {
	for range n.min {
		p.emit(n.body)
	}
	if n.max < 0 {
		split := p.add(instruction{op: opSplit})
		p.code[split].x = len(p.code)
		p.emit(n.body)
		p.add(instruction{op: opJump, x: split})
		p.code[split].y = len(p.code)
		return
	}
	var splits []int
	for range n.max - n.min {
		split := p.add(instruction{op: opSplit})
		p.code[split].x = len(p.code)
		splits = append(splits, split)
		p.emit(n.body)
	}
	for _, s := range splits {
		p.code[s].y = len(p.code)
	}
}
