package rewrite

import (
	"errors"
	"sort"
)

// edits are insertions into a source text and tokens replaced in it. Nothing adds a line, so a position in the
// rewritten file is one in upstream's.
type edits struct {
	opening, closing []insertion
	replaced         []replacement
}

type insertion struct {
	at    int
	order int
	text  string
}

type replacement struct {
	from, to int
	text     string
}

// wrap puts before and after around the text of a node. Nodes are wrapped from the outside in.
func (e *edits) wrap(from, to int, before, after string) {
	e.opening = append(e.opening, insertion{from, len(e.opening), before})
	e.closing = append(e.closing, insertion{to, len(e.closing), after})
}

func (e *edits) insert(at int, text string) {
	e.opening = append(e.opening, insertion{at, len(e.opening), text})
}

func (e *edits) replace(from, to int, text string) {
	e.replaced = append(e.replaced, replacement{from, to, text})
}

// apply gives the text with all edits made. At one place what closes comes before what opens, the innermost first.
func (e *edits) apply(source []byte) ([]byte, error) {
	sort.Slice(e.opening, func(i, j int) bool {
		a, b := e.opening[i], e.opening[j]
		return a.at < b.at || a.at == b.at && a.order < b.order
	})
	sort.Slice(e.closing, func(i, j int) bool {
		a, b := e.closing[i], e.closing[j]
		return a.at < b.at || a.at == b.at && a.order > b.order
	})
	sort.Slice(e.replaced, func(i, j int) bool { return e.replaced[i].from < e.replaced[j].from })
	var out []byte
	opening, closing, replaced := e.opening, e.closing, e.replaced
	for at := 0; at <= len(source); at++ {
		for ; len(closing) > 0 && closing[0].at == at; closing = closing[1:] {
			out = append(out, closing[0].text...)
		}
		for ; len(opening) > 0 && opening[0].at == at; opening = opening[1:] {
			out = append(out, opening[0].text...)
		}
		if len(replaced) > 0 && replaced[0].from == at {
			out = append(out, replaced[0].text...)
			at, replaced = replaced[0].to-1, replaced[1:]
			continue
		}
		if at < len(source) {
			out = append(out, source[at])
		}
	}
	if len(opening)+len(closing)+len(replaced) > 0 {
		return nil, errors.New("an edit stands within text that another replaces")
	}
	return out, nil
}
