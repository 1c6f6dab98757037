package headercheck

import "regexp"

// refusals maps error messages of the verifier to the known reasons why it rejects calls
// that the headers accept. The results page marks all other errors as open, and TestPage
// then fails.
var refusals = []struct {
	text   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`^cannot move a tile from`), "The headers have no code for this way and move nothing."},
	{regexp.MustCompile(`must be a !pto\.tile_buf`), "No ISA page has tiles in this memory here, and the headers have no code for them."},
	{regexp.MustCompile(`in a move from|must have the same layout|^if "src" is`), "The ISA pages list the layouts of each way; the headers would read or write other elements."},
	{regexp.MustCompile(`^an atomic add requires`), "No source defines how elements are added to those of another type."},
	{regexp.MustCompile(`does not support elements of type T|must have elements of type T`), "The headers compile and do not compute this conversion."},
	{regexp.MustCompile(`^valid rows`), "The ISA page asks for equal valid regions; the headers convert the region of one tile."},
	{regexp.MustCompile(`"bias" must be row_major`), "The ISA page has a bias of one row in rows."},
	{regexp.MustCompile(`counts single numbers`), "Tile and memory count 4-bit floats differently, so extents cannot agree."},
	{regexp.MustCompile(`between a layout with boxes`), "The ISA page of TRESHAPE forbids it."},
}

// refusalFor searches for a known reason why the headers accept a call that the verifier
// rejects. text is the error message of the verifier. It returns "" if the reason is not
// known.
func refusalFor(text string) string {
	for _, r := range refusals {
		if r.text.MatchString(text) {
			return r.reason
		}
	}
	return open
}
