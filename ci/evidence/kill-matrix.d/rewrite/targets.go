package rewrite

import (
	"fmt"
	"path"
	"slices"

	"github.com/BurntSushi/toml"
)

// Kubernetes is the module of kube-apiserver itself.
const Kubernetes = "k8s.io/kubernetes"

// Target is a file that is rewritten, or some functions of it.
type Target struct {
	Part string `toml:"part"`
	// Module is the one that has the file; Kubernetes' own unless it is said.
	Module    string   `toml:"module"`
	File      string   `toml:"file"`
	Functions []string `toml:"functions"`
	Except    []string `toml:"except"`
	// Mentions limits functions of which only a part concerns nodes: to statements that name one of these, and what
	// stands within them.
	Mentions []string `toml:"mentions"`
	// Places limits the faults to some places, like AddPod.call-3.
	Places []string `toml:"places"`
	// Rules: the functions state policy rules, whose words are changed.
	Rules bool `toml:"rules"`
}

// Package is the import path below the module's.
func (t Target) Package() string { return path.Dir(t.File) }

// Import is the whole import path.
func (t Target) Import() string { return path.Join(t.Module, t.Package()) }

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
	// Own: each scenario starts the server as it says.
	Own bool `toml:"own"`
	// Scenarios is a regular expression of those to ask.
	Scenarios string `toml:"scenarios"`
}

// Holds tells whether a minor can be started so.
func (s Server) Holds(minor int) bool { return minor >= s.Since && (s.Until == 0 || minor < s.Until) }

// List is the file targets.toml, or another one like it.
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
	rewritten := map[string]bool{}
	for i := range list.Target {
		target := &list.Target[i]
		if target.Part == "" || target.File == "" {
			return nil, fmt.Errorf("%s: every target needs a part and a file", file)
		}
		if target.Module == "" {
			target.Module = Kubernetes
		}
		source := target.Module + "/" + target.File
		if rewritten[source] {
			return nil, fmt.Errorf("%s: two targets are of %s, and the second would undo the first", file, source)
		}
		rewritten[source] = true
	}
	return list, nil
}

// Modules are those that have a target besides Kubernetes' own.
func (l *List) Modules() []string {
	var modules []string
	for _, target := range l.Target {
		if target.Module != Kubernetes && !slices.Contains(modules, target.Module) {
			modules = append(modules, target.Module)
		}
	}
	return modules
}

// wants tells whether faults are made at a place.
func (t Target) wants(place string) bool {
	return len(t.Places) == 0 || slices.Contains(t.Places, place)
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
