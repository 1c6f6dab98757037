package diff

import (
	"fmt"

	"ptogo/dialect/pto/lanemap"
)

// memoryInstructions lists the instructions that body.memory generates.
var memoryInstructions = []string{
	"pto.vlds", "pto.vldsx2", "pto.vsld", "pto.plds", "pto.vgather2", "pto.vgatherb", "pto.vsldb", "pto.vldas", "pto.vldus",
	"pto.vsts", "pto.vstsx2", "pto.vsst", "pto.psts", "pto.vscatter", "pto.vsstb", "pto.init_align", "pto.vstus", "pto.vstas",
	"pto.sprclr", "pto.vstur", "pto.vstar", "pto.pstu",
}

// memory adds a random load or store with a special access mode to the program. It does
// not store registers with computed NaNs, because the bits of such NaNs are undefined,
// and these outputs are compared as bytes.
func (p *body) memory() {
	r := p.g.r
	steps := []func(){p.loadDist, p.loadDist, p.loadDist, p.storeDist, p.storeDist, p.storeDist, p.loadStride, p.storeStride, p.loadMask, p.storeMask,
		p.gather, p.gatherBlocks, p.scatter, p.loadBlocks, p.storeBlocks, p.loadUnaligned, p.storeUnaligned, p.storeCompact, p.storeMaskBits}
	steps[r.IntN(len(steps))]()
}

// count records that the generated program contains the instruction with the given name.
// The test counts how often each instruction occurs.
func (p *body) count(name string) { p.names = append(p.names, "pto."+name) }

// lanesFor returns a random lane type of the given width in bits, or of any width for 0.
func (p *body) lanesFor(bits int) string {
	for {
		if t := laneTypes[p.g.r.IntN(len(laneTypes))]; bits == 0 || 8*bytesOf(t) == bits {
			return t
		}
	}
}

func ptrType(elem string) string { return "!pto.ptr<" + elem + ", ub>" }

// legalLine reports whether the verifier accepts one instruction, whose text is line, in
// a function with the parameters params. It caches the result under key.
func (p *body) legalLine(key, params, line string) bool {
	ok, seen := p.g.known[key]
	if !seen {
		ok = legalText(params, line)
		p.g.known[key] = ok
	}
	return ok
}

// loaded adds the results of a load, with the given names and types, to the values that
// later instructions of the program can use.
func (p *body) loaded(names, types []string) {
	for i, n := range names {
		v := register{name: n, typ: types[i]}
		p.values = append(p.values, v)
		if len(p.out) < outBytes/outSlot/2 {
			p.out = append(p.out, v)
		}
	}
}

// source extends the program by a pointer to a random position in its input data, and
// returns the name of this pointer. At least 2048 bytes of input follow the position, so
// that every load stays in the input.
func (p *body) source(elem string) string {
	return p.pointer(elem, fmt.Sprint(32*p.g.r.IntN((dataBytes-2048-64)/32)))
}

func (p *body) loadDist() {
	d := lanemap.LoadDists[p.g.r.IntN(len(lanemap.LoadDists))]
	elem := p.lanesFor(d.Bits)
	reg, ptr := vregType(elem), ptrType(elem)
	if d.Pair {
		if !p.legalLine("vldsx2"+d.Token+elem, "%p: "+ptr+", %i: index", fmt.Sprintf("%%x, %%y = pto.vldsx2 %%p[%%i], %q : %s, index -> %s, %s", d.Token, ptr, reg, reg)) {
			return
		}
		at, x, y := p.source(elem), p.fresh(), p.fresh()
		p.line("%s, %s = pto.vldsx2 %s[%%c0], %q : %s, index -> %s, %s", x, y, at, d.Token, ptr, reg, reg)
		p.count("vldsx2")
		p.loaded([]string{x, y}, []string{reg, reg})
		return
	}
	if !p.legalLine("vlds"+d.Token+elem, "%p: "+ptr+", %i: index", fmt.Sprintf("%%x = pto.vlds %%p[%%i] {dist = %q} : %s -> %s", d.Token, ptr, reg)) {
		return
	}
	at, x, q, y := p.source(elem), p.fresh(), p.fresh(), p.fresh()
	by := p.constant("index", int64(32/bytesOf(elem)*p.g.r.IntN(2)))
	p.line("%s, %s = pto.vlds %s[%s] {dist = %q} : %s -> %s, %s", x, q, at, by, d.Token, ptr, reg, ptr)
	p.line("%s = pto.vlds %s[%%c0] {dist = %q} : %s -> %s", y, q, d.Token, ptr, reg)
	p.count("vlds")
	p.loaded([]string{x, y}, []string{reg, reg})
}

func (p *body) constant(typ string, v int64) string {
	n := p.fresh()
	p.line("%s = arith.constant %d : %s", n, v, typ)
	return n
}

// target reserves n slots of the output for a store, and returns the name of a pointer to
// these slots. elem is the element type of the pointer. The bool result is false if the
// output is full. The test compares the contents of these slots as bytes.
func (p *body) target(elem string, n int) (string, bool) {
	if p.used+n > outBytes/outSlot/2 {
		return "", false
	}
	at := p.pointer(elem, fmt.Sprint(outFrom+outBytes-outSlot*(p.used+n)))
	p.used += n
	return at, true
}

func (p *body) storeDist() {
	d := lanemap.StoreDists[p.g.r.IntN(len(lanemap.StoreDists))]
	if d.Pattern == lanemap.Channels {
		return
	}
	elem := p.lanesFor(d.Bits)
	reg, ptr := vregType(elem), ptrType(elem)
	bits := 8 * bytesOf(elem)
	if d.Mask > 0 {
		bits = d.Mask
	}
	mask := fmt.Sprintf("!pto.mask<b%d>", bits)
	params := fmt.Sprintf("%%v: %s, %%p: %s, %%i: index, %%m: %s", reg, ptr, mask)
	line := func(v, w, at, i, m string) string {
		if d.Pair {
			return fmt.Sprintf("pto.vstsx2 %s, %s, %s[%s], %q, %s : %s, %s, %s, index, %s", v, w, at, i, d.Token, m, reg, reg, ptr, mask)
		}
		return fmt.Sprintf("pto.vsts %s, %s[%s], %s {dist = %q} : %s, %s, %s", v, at, i, m, d.Token, reg, ptr, mask)
	}
	if !p.legalLine("store"+d.Token+elem, params, line("%v", "%v", "%p", "%i", "%m")) {
		return
	}
	v, w, m := p.value(reg, true).name, p.value(reg, true).name, p.value(mask, false).name
	if at, ok := p.target(elem, 1); ok {
		p.line("%s", line(v, w, at, "%c0", m))
		p.count(map[bool]string{true: "vstsx2", false: "vsts"}[d.Pair])
	}
}

func (p *body) loadStride() {
	d := lanemap.StrideDists[p.g.r.IntN(len(lanemap.StrideDists))]
	elem := p.lanesFor(0)
	reg, ptr := vregType(elem), ptrType(elem)
	if !p.legalLine("vsld"+d.Token+elem, "%p: "+ptr+", %i: index", fmt.Sprintf("%%x = pto.vsld %%p[%%i], %q : %s -> %s", d.Token, ptr, reg)) {
		return
	}
	at, x := p.source(elem), p.fresh()
	p.line("%s = pto.vsld %s[%%c0], %q : %s -> %s", x, at, d.Token, ptr, reg)
	p.count("vsld")
	p.loaded([]string{x}, []string{reg})
}

func (p *body) storeStride() {
	d := lanemap.StrideDists[p.g.r.IntN(len(lanemap.StrideDists))]
	elem := p.lanesFor(0)
	reg, ptr := vregType(elem), ptrType(elem)
	if !p.legalLine("vsst"+d.Token+elem, "%v: "+reg+", %p: "+ptr+", %i: index", fmt.Sprintf("pto.vsst %%v, %%p[%%i], %q : %s, %s", d.Token, reg, ptr)) {
		return
	}
	v := p.value(reg, true).name
	if at, ok := p.target(elem, 3); ok {
		p.line("pto.vsst %s, %s[%%c0], %q : %s, %s", v, at, d.Token, reg, ptr)
		p.count("vsst")
	}
}

func (p *body) loadMask() {
	dist := []string{"NORM", "US", "DS"}[p.g.r.IntN(3)]
	typ := fmt.Sprintf("!pto.mask<b%d>", 8<<p.g.r.IntN(3))
	at, x := p.source("ui8"), p.fresh()
	p.line("%s = pto.plds %s[%%c0], %q : !pto.ptr<ui8, ub>, index -> %s", x, at, dist, typ)
	p.count("plds")
	p.loaded([]string{x}, []string{typ})
}

func (p *body) storeMask() {
	dist := []string{"NORM", "PK"}[p.g.r.IntN(2)]
	typ := fmt.Sprintf("!pto.mask<b%d>", 8<<p.g.r.IntN(3))
	m := p.value(typ, false).name
	if at, ok := p.target("ui8", 1); ok {
		p.line("pto.psts %s, %s[%%c0], %q : %s, !pto.ptr<ui8, ub>, index", m, at, dist, typ)
		p.count("psts")
	}
}

// places adds instructions to the generated program and returns the name and the type of
// their result. The result is a register of random offsets. Each offset is an integer of
// the given width in bits, restricted to the bits that are set in limit.
func (p *body) places(bits int, limit int64) (name, typ string) {
	from, to := fmt.Sprintf("!pto.vreg<%dxi%d>", 2048/bits, bits), fmt.Sprintf("!pto.vreg<%dxui%d>", 2048/bits, bits)
	at, x, y, z := p.source(fmt.Sprintf("i%d", bits)), p.fresh(), p.fresh(), p.fresh()
	most := p.constant(fmt.Sprintf("i%d", bits), limit)
	p.line("%s = pto.vlds %s[%%c0] : !pto.ptr<i%d, ub> -> %s", x, at, bits, from)
	p.line("%s = pto.vands %s, %s, %%all%d : %s, i%d, !pto.mask<b%d> -> %s", y, x, most, bits, from, bits, bits, from)
	p.line("%s = pto.vbitcast %s : %s -> %s", z, y, from, to)
	return z, to
}

func (p *body) gather() {
	elem := p.lanesFor([]int{16, 32}[p.g.r.IntN(2)])
	bits := 8 * bytesOf(elem)
	mask := fmt.Sprintf("!pto.mask<b%d>", bits)
	at, m, x := p.source(elem), p.value(mask, false).name, p.fresh()
	o, typ := p.places(bits, 255)
	p.line("%s = pto.vgather2 %s, %s, %s : %s, %s, %s -> %s", x, at, o, m, ptrType(elem), typ, mask, vregType(elem))
	p.count("vgather2")
	p.loaded([]string{x}, []string{vregType(elem)})
}

func (p *body) gatherBlocks() {
	elem := p.lanesFor(32)
	at, m, x := p.source(elem), p.value("!pto.mask<b32>", false).name, p.fresh()
	o, typ := p.places(32, 0x3E0)
	p.line("%s = pto.vgatherb %s, %s, %s : %s, %s, !pto.mask<b32> -> %s", x, at, o, m, ptrType(elem), typ, vregType(elem))
	p.count("vgatherb")
	p.loaded([]string{x}, []string{vregType(elem)})
}

func (p *body) scatter() {
	elem := p.lanesFor([]int{16, 32}[p.g.r.IntN(2)])
	bits := 8 * bytesOf(elem)
	mask := fmt.Sprintf("!pto.mask<b%d>", bits)
	v, m := p.value(vregType(elem), true).name, p.value(mask, false).name
	o, typ := p.places(bits, 255)
	if at, ok := p.target(elem, 1); ok {
		p.line("pto.vscatter %s, %s, %s, %s : %s, %s, %s, %s", v, at, o, m, vregType(elem), ptrType(elem), typ, mask)
		p.count("vscatter")
	}
}

func (p *body) loadBlocks() {
	elem := p.lanesFor(0)
	mask := fmt.Sprintf("!pto.mask<b%d>", 8*bytesOf(elem))
	at, m, x := p.source(elem), p.value(mask, false).name, p.fresh()
	b, s := p.constant("i16", p.g.r.Int64N(5)), p.constant("i16", p.g.r.Int64N(5))
	p.line("%s = pto.vsldb %s, %s, %s, %s : %s, i16, i16, %s -> %s", x, at, b, s, m, ptrType(elem), mask, vregType(elem))
	p.count("vsldb")
	p.loaded([]string{x}, []string{vregType(elem)})
}

func (p *body) storeBlocks() {
	elem := p.lanesFor(0)
	mask := fmt.Sprintf("!pto.mask<b%d>", 8*bytesOf(elem))
	v, m := p.value(vregType(elem), true).name, p.value(mask, false).name
	b, s := p.constant("i16", p.g.r.Int64N(4)), p.constant("i16", p.g.r.Int64N(4))
	if at, ok := p.target(elem, 1); ok {
		p.line("pto.vsstb %s, %s, %s, %s, %s : %s, %s, i16, i16, %s", v, at, b, s, m, vregType(elem), ptrType(elem), mask)
		p.count("vsstb")
	}
}

func (p *body) loadUnaligned() {
	elem := p.lanesFor(0)
	at := p.pointer(elem, fmt.Sprint(bytesOf(elem)*p.g.r.IntN(dataBytes/8)))
	a, b, x, c, q, y := p.fresh(), p.fresh(), p.fresh(), p.fresh(), p.fresh(), p.fresh()
	d := p.fresh()
	by := p.constant("index", p.g.r.Int64N(70))
	p.line("%s = pto.vldas %s : %s -> !pto.align", a, at, ptrType(elem))
	p.line("%s, %s, %s = pto.vldus %s, %s, %s : %s, !pto.align, index -> %s, !pto.align, %s", x, b, q, at, a, by, ptrType(elem), vregType(elem), ptrType(elem))
	p.line("%s = pto.vldas %s : %s -> !pto.align", c, q, ptrType(elem))
	p.line("%s, %s = pto.vldus %s, %s : %s, !pto.align -> %s, !pto.align", y, d, q, c, ptrType(elem), vregType(elem))
	p.count("vldus")
	p.count("vldas")
	p.loaded([]string{x, y}, []string{vregType(elem), vregType(elem)})
}

func (p *body) storeUnaligned() {
	elem := p.lanesFor(0)
	v := p.value(vregType(elem), true).name
	at, ok := p.target(elem, 1)
	if !ok {
		return
	}
	n := p.constant("i32", 1+p.g.r.Int64N(int64(256/bytesOf(elem))))
	a, b := p.fresh(), p.fresh()
	p.line("%s = pto.init_align : !pto.align", a)
	p.line("%s = pto.vstus %s, %s, %s, %s : !pto.align, i32, %s, %s -> !pto.align", b, a, n, v, at, vregType(elem), ptrType(elem))
	p.line("pto.vstas %s, %s, %s : !pto.align, %s, i32", b, at, n, ptrType(elem))
	p.count("init_align")
	p.count("vstus")
	p.count("vstas")
}

// storeCompact adds instructions to the program that store lanes of two registers without
// gaps. A mask for each register selects the lanes. The lanes of the second register
// directly follow those of the first in memory.
func (p *body) storeCompact() {
	elem := p.lanesFor(0)
	reg, mask := vregType(elem), fmt.Sprintf("!pto.mask<b%d>", 8*bytesOf(elem))
	if !p.legalLine("vsqz"+elem, "%v: "+reg+", %m: "+mask, fmt.Sprintf("%%r = pto.vsqz %%v, %%m : %s, %s -> %s", reg, mask, reg)) {
		return
	}
	v, m := p.value(reg, true).name, p.value(mask, false).name
	w, k := p.value(reg, true).name, p.value(mask, false).name
	at, ok := p.target(elem, 1)
	if !ok {
		return
	}
	a := p.fresh()
	p.line("pto.sprclr \"AR\"")
	p.line("%s = pto.init_align : !pto.align", a)
	for _, x := range [][2]string{{v, m}, {w, k}} {
		c, b := p.fresh(), p.fresh()
		p.line("%s = pto.vsqz %s, %s : %s, %s -> %s", c, x[0], x[1], reg, mask, reg)
		p.line("%s = pto.vstur %s, %s, %s, \"POST_UPDATE\" : !pto.align, %s, %s -> !pto.align", b, a, c, at, reg, ptrType(elem))
		a = b
	}
	p.line("pto.vstar %s, %s : !pto.align, %s", a, at, ptrType(elem))
	for _, name := range []string{"sprclr", "init_align", "vstur", "vstar"} {
		p.count(name)
	}
}

func (p *body) storeMaskBits() {
	bits := 16 << p.g.r.IntN(2)
	mask, elem := fmt.Sprintf("!pto.mask<b%d>", bits), fmt.Sprintf("ui%d", bits)
	m, k := p.value(mask, false).name, p.value(mask, false).name
	at, ok := p.target(elem, 1)
	if !ok {
		return
	}
	a, b, c, q, r := p.fresh(), p.fresh(), p.fresh(), p.fresh(), p.fresh()
	p.line("%s = pto.init_align : !pto.align", a)
	p.line("%s, %s = pto.pstu %s, %s, %s : !pto.align, %s, %s -> !pto.align, %s", b, q, a, m, at, mask, ptrType(elem), ptrType(elem))
	p.line("%s, %s = pto.pstu %s, %s, %s : !pto.align, %s, %s -> !pto.align, %s", c, r, b, k, q, mask, ptrType(elem), ptrType(elem))
	p.line("pto.vstas %s, %s, %s : !pto.align, %s, i32", c, r, p.constant("i32", 0), ptrType(elem))
	p.count("pstu")
	p.count("vstas")
}
