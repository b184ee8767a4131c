package rewrite

import (
	"fmt"
	"path"

	"github.com/BurntSushi/toml"
)

// Target is a file that is rewritten, or some functions of it.
type Target struct {
	Part      string   `toml:"part"`
	File      string   `toml:"file"`
	Functions []string `toml:"functions"`
	Except    []string `toml:"except"`
	// Mentions limits functions of which only a part concerns nodes: to statements that name one of these, and what
	// stands within them.
	Mentions []string `toml:"mentions"`
	// Rules: the functions state policy rules, whose words are changed.
	Rules bool `toml:"rules"`
}

// Package is the import path below the module's.
func (t Target) Package() string { return path.Dir(t.File) }

// Integration names integration tests that are about nodes.
type Integration struct {
	Package string `toml:"package"`
	Tests   string `toml:"tests"` // regular expression
}

// Server is a way to start kube-apiserver.
type Server struct {
	Name  string   `toml:"name"`
	Since int      `toml:"since"` // first minor that can be started so; 0 is any
	Until int      `toml:"until"` // first that cannot
	Flags []string `toml:"flags"`
	// Scenarios is a regular expression of those to ask.
	Scenarios string `toml:"scenarios"`
}

// Holds tells whether a minor can be started so.
func (s Server) Holds(minor int) bool { return minor >= s.Since && (s.Until == 0 || minor < s.Until) }

// List is the file targets.toml.
type List struct {
	Target      []Target      `toml:"target"`
	Integration []Integration `toml:"integration"`
	Server      []Server      `toml:"server"`
}

// ReadList reads what is rewritten and what is asked; a key that it does not know is a mistake.
func ReadList(file string) (*List, error) {
	list := &List{}
	meta, err := toml.DecodeFile(file, list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s", file, unknown[0])
	}
	for _, target := range list.Target {
		if target.Part == "" || target.File == "" {
			return nil, fmt.Errorf("%s: every target needs a part and a file", file)
		}
	}
	return list, nil
}

func (t Target) covers(function string) bool {
	for _, name := range t.Except {
		if name == function {
			return false
		}
	}
	for _, name := range t.Functions {
		if name == function {
			return true
		}
	}
	return len(t.Functions) == 0
}
