package syncproof

import (
	"fmt"
	"os"

	"ptogo/ir/term"
)

var debugging = os.Getenv("SYNCPROOF_DEBUG") != ""

func debugPair(a, b *record, p, q *Touch, meets term.Term, facts []term.Term, r any) {
	if !debugging {
		return
	}
	fmt.Fprintf(os.Stderr, "PAIR %s @%v / %s @%v rel %v\n  p root=%v from=%s size=%d dims=%v\n  q root=%v from=%s size=%d dims=%v\n", a.op.Name(), a.op.Loc(), b.op.Name(), b.op.Loc(), r, p.Root != nil, p.From, p.Size, p.Dims, q.Root != nil, q.From, q.Size, q.Dims)
	for _, f := range facts {
		fmt.Fprintf(os.Stderr, "   fact %s\n", f)
	}
}
