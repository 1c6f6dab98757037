// This file parses command lines.

package lit

import (
	"fmt"
	"regexp"
)

// node is a node of the syntax tree of a command line.
type node interface{ isNode() }

// The kinds of nodes in the syntax tree of a command line.
type (
	// list is two commands, joined by `;`, `&&` or `||`.
	list struct {
		left, right node
		op          string
	}
	// pipeline is a sequence of commands, each of which reads the output of the
	// previous one.
	pipeline struct {
		stages  []node
		negated bool
	}
	// group is a list of commands in parentheses, which run in a subshell, or in braces.
	group struct {
		body     node
		subshell bool
		redirs   []redirection
	}
	// simple is one command: assignments of variables, the words of the command, and
	// redirections.
	simple struct {
		assigns []assignment
		words   []word
		redirs  []redirection
	}
)

func (*list) isNode()     {}
func (*pipeline) isNode() {}
func (*group) isNode()    {}
func (*simple) isNode()   {}

// assignment is NAME=value before a command.
type assignment struct {
	name  string
	value word
}

// redirection connects a file descriptor to a file or to another descriptor.
type redirection struct {
	op     string
	fd     int
	target word
}

// String returns the redirection as text for the log. It omits the file descriptor if it
// is the default of the operator: 0 for input or 1 for output.
func (r redirection) String() string {
	fd := ""
	if r.fd == 2 {
		fd = "2"
	}
	return fd + r.op + r.target.plain()
}

// maxGroups is the maximum nesting depth of groups, such as { ... }, in a command line.
const maxGroups = 50

// shellParser parses tokens by recursive descent.
type shellParser struct {
	tokens []token
	pos    int
	depth  int
}

// parseCommand parses a command line. It returns nil for an empty one.
func parseCommand(line string) (node, error) {
	tokens, err := lex(line)
	if err != nil {
		return nil, err
	}
	p := &shellParser{tokens: tokens}
	if len(tokens) == 0 {
		return nil, nil
	}
	n, err := p.list("")
	if err == nil && p.pos < len(p.tokens) {
		err = p.unexpected()
	}
	return n, err
}

// peek returns the next token without consuming it.
func (p *shellParser) peek() token {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return token{op: "end of line"}
}

// accept consumes the operator op if it is the next token. It reports whether it has
// consumed a token.
func (p *shellParser) accept(op string) bool {
	if p.peek().op != op || p.pos >= len(p.tokens) {
		return false
	}
	p.pos++
	return true
}

// keyword reports whether the next token is the given word without quotes. Words
// such as { are special only at the start of a command.
func (p *shellParser) keyword(text string) bool {
	t := p.peek()
	return t.op == "" && len(t.word) == 1 && t.word[0] == fragment{text: text}
}

// unexpected returns the error for a token that the syntax does not allow at its
// position.
func (p *shellParser) unexpected() error {
	t := p.peek()
	if t.op != "" {
		return fmt.Errorf("unexpected %s in a command", t.op)
	}
	return fmt.Errorf("unexpected word %q in a command", t.word.plain())
}

// plain returns the word without quotes, for messages.
func (w word) plain() string {
	s := ""
	for _, f := range w {
		s += f.text
	}
	return s
}

// list parses commands that are joined by semicolons, up to the end or, in a group, up to
// the closing token.
func (p *shellParser) list(closing string) (node, error) {
	left, err := p.conditional()
	for err == nil && p.accept(";") {
		// A semicolon may end the list.
		if p.pos >= len(p.tokens) || p.closes(closing) {
			break
		}
		var right node
		right, err = p.conditional()
		left = &list{left, right, ";"}
	}
	return left, err
}

// closes reports whether the next token is the closing token of the current group.
func (p *shellParser) closes(closing string) bool {
	return closing == ")" && p.peek().op == ")" || closing == "}" && p.keyword("}")
}

// conditional parses pipelines that are joined by && and ||.
func (p *shellParser) conditional() (node, error) {
	left, err := p.pipeline()
	for err == nil {
		op := p.peek().op
		if op != "&&" && op != "||" {
			break
		}
		p.pos++
		var right node
		right, err = p.pipeline()
		left = &list{left, right, op}
	}
	return left, err
}

// pipeline parses commands that are joined by |. The operator |& has the meaning of 2>&1
// |.
func (p *shellParser) pipeline() (node, error) {
	n := &pipeline{}
	for p.keyword("!") {
		n.negated = !n.negated
		p.pos++
	}
	for {
		stage, err := p.stage()
		if err != nil {
			return nil, err
		}
		n.stages = append(n.stages, stage)
		switch {
		case p.accept("|&"):
			addRedirection(stage, redirection{op: ">&", fd: 2, target: word{{text: "1"}}})
		case !p.accept("|"):
			return n, nil
		}
	}
}

// addRedirection adds the redirection r to the command n.
func addRedirection(n node, r redirection) {
	switch n := n.(type) {
	case *group:
		n.redirs = append(n.redirs, r)
	case *simple:
		n.redirs = append(n.redirs, r)
	}
}

// stage parses one command of a pipeline: a group or a simple command.
func (p *shellParser) stage() (node, error) {
	switch {
	case p.accept("("):
		return p.group(")")
	case p.keyword("{"):
		p.pos++
		return p.group("}")
	}
	return p.simple()
}

// group parses a group of shell commands, up to its closing token ")" or "}", and the
// redirections that follow. closing is the closing token. It returns an error if the
// groups are nested too deeply.
func (p *shellParser) group(closing string) (node, error) {
	if p.depth++; p.depth > maxGroups {
		return nil, fmt.Errorf("groups are nested too deeply")
	}
	defer func() { p.depth-- }()
	body, err := p.list(closing)
	if err != nil {
		return nil, err
	}
	if !p.closes(closing) {
		return nil, fmt.Errorf("missing %s in a command", closing)
	}
	p.pos++
	g := &group{body: body, subshell: closing == ")"}
	for {
		r, ok, err := p.redirection()
		if err != nil || !ok {
			return g, err
		}
		g.redirs = append(g.redirs, r)
	}
}

// assignmentStart matches the text NAME= at the start of a word in a command line.
var assignmentStart = regexp.MustCompile(`^([A-Za-z_]\w*)=`)

// simple parses a command: assignments, words and redirections in any order. After the
// first word, NAME=value is an argument.
func (p *shellParser) simple() (node, error) {
	c := &simple{}
	for p.pos < len(p.tokens) {
		r, ok, err := p.redirection()
		if err != nil {
			return nil, err
		}
		if ok {
			c.redirs = append(c.redirs, r)
			continue
		}
		t := p.peek()
		if t.op != "" {
			break
		}
		p.pos++
		if a, ok := assignmentOf(t.word); ok && len(c.words) == 0 {
			c.assigns = append(c.assigns, a)
			continue
		}
		c.words = append(c.words, t.word)
	}
	// There is no command before an operator such as && or at the end of the line.
	if len(c.words)+len(c.assigns)+len(c.redirs) == 0 {
		return nil, p.unexpected()
	}
	return c, nil
}

// assignmentOf returns the assignment in a word, and false if the word is not
// NAME=value.
func assignmentOf(w word) (assignment, bool) {
	if len(w) == 0 || w[0].quoted {
		return assignment{}, false
	}
	m := assignmentStart.FindStringSubmatch(w[0].text)
	if m == nil {
		return assignment{}, false
	}
	// As in a shell, the value of an assignment is not expanded as a glob.
	value := append(word{{text: w[0].text[len(m[0]):], quoted: true}}, w[1:]...)
	return assignment{m[1], value}, true
}

// redirection parses a redirection. ok is false if the next token does not start one.
func (p *shellParser) redirection() (r redirection, ok bool, err error) {
	t := p.peek()
	switch t.op {
	case ">", ">>", ">&", ">|":
		r = redirection{op: t.op, fd: 1}
	case "<":
		r = redirection{op: t.op, fd: 0}
	case "&>", "&>>":
		r = redirection{op: t.op, fd: 1}
	case "<&":
		return r, false, fmt.Errorf("redirection <& is not supported in RUN lines")
	default:
		return r, false, nil
	}
	if r.op == ">|" {
		r.op = ">"
	}
	if t.fd >= 0 {
		r.fd = t.fd
	}
	if r.fd > 2 {
		return r, false, fmt.Errorf("file descriptor %d is not supported in RUN lines", r.fd)
	}
	p.pos++
	if p.pos >= len(p.tokens) || p.peek().op != "" {
		return r, false, fmt.Errorf("the redirection %s requires a target file", t.op)
	}
	r.target = p.peek().word
	p.pos++
	return r, true, nil
}
