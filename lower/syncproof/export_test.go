package syncproof

// Search returns the certificate that the search finds, or nil.
func Search(in Input) *Certificate {
	x := newProver(in)
	for range mostPasses {
		if x.fixpoint() {
			if c := x.certificate(); len(c.Check().Gaps) == 0 {
				return x.certificate()
			}
		}
		if !x.improve() {
			break
		}
	}
	return nil
}

// Claims calls f for each claim of the certificate that an instruction is complete at a loop
// head, with a function that makes the certificate claim more, and one that undoes this.
func (c *Certificate) Claims(f func(more, undo func())) {
	for _, n := range c.x.nodes {
		n.s.each(func(k clock) {
			for l, col := range k {
				if len(col) > 0 {
					f(func() { k[l] = col[1:] }, func() { k[l] = col })
				}
			}
		})
	}
}

// Drop removes a state from the certificate.
func (c *Certificate) Drop() {
	for k := range c.x.nodes {
		delete(c.x.nodes, k)
		return
	}
}

// Divide changes into how many classes the certificate divides the rounds of each loop.
func (c *Certificate) Divide() {
	for _, p := range c.x.plans {
		p.period++
	}
}
