// Package matrix puts together who catches which fault.
package matrix

import (
	"fmt"
	"os"
	"path"

	"github.com/BurntSushi/toml"

	"nodebound/kill_matrix/rewrite"
)

// Argument explains why nobody can distinguish some faults from the original.
type Argument struct {
	Faults []string `toml:"faults"` // patterns of ids, as of path.Match
	Reason string   `toml:"reason"`
}

// Arguments are those about a release.
type Arguments struct {
	// Equivalent: no request, in any state, is answered otherwise. These do not count.
	Equivalent []Argument `toml:"equivalent"`
	// Unseen: something differs, but not what a request from outside can bring about or see. These count as living.
	Unseen []Argument `toml:"unseen"`
}

// ReadArguments reads the arguments of a release; it is no mistake if there are none yet.
func ReadArguments(file string) (*Arguments, error) {
	list := &Arguments{}
	meta, err := toml.DecodeFile(file, list)
	if os.IsNotExist(err) {
		return list, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s; an [[equivalent]] or [[unseen]] has faults and a reason", file, unknown[0])
	}
	for _, argument := range append(append([]Argument{}, list.Equivalent...), list.Unseen...) {
		if len(argument.Faults) == 0 || argument.Reason == "" {
			return nil, fmt.Errorf("%s: an argument needs faults and a reason", file)
		}
	}
	return list, nil
}

// EquivalentFaults gives the reason of each.
func (a *Arguments) EquivalentFaults(faults []rewrite.Fault) (map[string]string, error) {
	return reasons(a.Equivalent, faults)
}

// reasons gives the reason of each equivalent fault. A pattern that stands for no fault is a mistake.
func reasons(arguments []Argument, faults []rewrite.Fault) (map[string]string, error) {
	found := map[string]string{}
	for _, argument := range arguments {
		for _, pattern := range argument.Faults {
			some := false
			for _, fault := range faults {
				matches, err := path.Match(pattern, fault.ID)
				if err != nil {
					return nil, fmt.Errorf("%q: %w", pattern, err)
				}
				if matches {
					some = true
					found[fault.ID] = argument.Reason
				}
			}
			if !some {
				return nil, fmt.Errorf("no fault is called %q, which the equivalents name", pattern)
			}
		}
	}
	return found, nil
}
