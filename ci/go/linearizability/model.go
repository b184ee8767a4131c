package main

import (
	"fmt"
	"net/http"

	"github.com/anishathalye/porcupine"
)

type kind int

const (
	create kind = iota
	replace
	patch
	remove
	read
)

func (k kind) String() string {
	return [...]string{"create", "replace", "patch", "remove", "read"}[k]
}

// A request for one object.
type input struct {
	Object  string
	Kind    kind
	Value   string // what is written
	Version uint64 // the required resourceVersion of a replacement or removal; 0: any
}

// The answer. Without one, Status is 0.
type output struct {
	Status  int
	Value   string
	Version uint64
	UID     string
}

// An object, as far as answers have shown it. An unanswered write has a version and perhaps a UID that nobody has seen.
type object struct {
	There   bool
	Value   string
	Version uint64 // 0: not seen yet
	UID     string // "": not seen yet
	Last    string // the UID of its predecessor, which must not come back
	Newest  uint64 // new versions must be higher
}

// The possible states of the object after a step; empty if the step is impossible.
func steps(state object, in input, out output) []object {
	switch {
	case out.Status == 0:
		// It may have happened before the server died, or not.
		if in.Kind == read {
			return []object{state}
		}
		results := []object{state}
		if succeeds(state, in) {
			results = append(results, written(state, in, output{}))
		}
		return results
	case out.Status >= 500:
		return []object{state}
	case out.Status == http.StatusNotFound:
		return when(in.Kind != create && !state.There, state)
	case out.Status == http.StatusConflict:
		return when(conflicts(state, in), state)
	}
	if !succeeds(state, in) {
		return nil
	}
	if in.Kind == read {
		return seen(state, out)
	}
	if in.Version != 0 && state.Version == 0 && in.Version <= state.Newest {
		return nil
	}
	same := state.UID == "" || out.UID == state.UID
	switch in.Kind {
	case create:
		same = out.UID != state.Last
	case remove:
		return when(same, written(state, in, out))
	}
	return when(same && out.Value == in.Value && out.Version > state.Newest, written(state, in, out))
}

func when(right bool, state object) []object {
	if right {
		return []object{state}
	}
	return nil
}

// Whether the request can succeed. If nobody has seen the object's version, any version in the request can be right.
func succeeds(state object, in input) bool {
	if in.Kind == create {
		return !state.There
	}
	return state.There && (in.Version == 0 || state.Version == 0 || in.Version == state.Version)
}

func conflicts(state object, in input) bool {
	if in.Kind == create {
		return state.There
	}
	return state.There && in.Version != 0 && in.Version != state.Version
}

// What a successful read shows.
func seen(state object, out output) []object {
	if out.Value != state.Value || (state.UID != "" && out.UID != state.UID) || (state.UID == "" && out.UID == state.Last) {
		return nil
	}
	if state.Version == 0 && out.Version <= state.Newest || state.Version != 0 && out.Version != state.Version {
		return nil
	}
	state.UID, state.Version, state.Newest = out.UID, out.Version, max(state.Newest, out.Version)
	return []object{state}
}

func written(state object, in input, out output) object {
	newest := max(state.Newest, out.Version, in.Version)
	uid := state.UID
	if in.Kind == create || out.UID != "" {
		uid = out.UID
	}
	if in.Kind == remove {
		return object{Last: uid, Newest: newest}
	}
	last := state.Last
	return object{There: true, Value: in.Value, Version: out.Version, UID: uid, Last: last, Newest: newest}
}

// A model of one object that was `first` at the beginning.
func modelOf(first object) porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{first} },
		Step: func(state, in, out any) []any {
			var results []any
			for _, each := range steps(state.(object), in.(input), out.(output)) {
				results = append(results, each)
			}
			return results
		},
		DescribeOperation: func(in, out any) string { return describe(in.(input), out.(output)) },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
	return model.ToModel()
}

func describe(in input, out output) string {
	text := in.Kind.String() + " " + in.Object
	if in.Value != "" {
		text += " " + in.Value
	}
	if in.Version != 0 {
		text += fmt.Sprintf(" if %d", in.Version)
	}
	switch {
	case out.Status == 0:
		return text + ": no answer"
	case out.Status < 300:
		return fmt.Sprintf("%s: %d %s at %d, %s", text, out.Status, out.Value, out.Version, out.UID)
	}
	return fmt.Sprintf("%s: %d", text, out.Status)
}
