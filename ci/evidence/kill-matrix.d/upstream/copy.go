// Package upstream makes private copies of the module k8s.io/kubernetes and of its staging modules, and builds from them.
package upstream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Copy is a copy of the module of one release, and the main module that requires it.
type Copy struct {
	Version string // 1.36.3
	Module  string // folder of the copy
	Build   string // folder of the main module
	// Staging are the folders of the staging modules that are copied, too, by their names.
	Staging map[string]string
}

// Environment for the go command, as ci/real-apiserver has it.
func Environment() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0")
}

// MakeCopy makes the copy anew below folder, with these staging modules. Files are linked to those of the module cache: what is rewritten must be
// removed first.
func MakeCopy(version, folder, mainFile string, staging []string) (*Copy, error) {
	made := &Copy{version, filepath.Join(folder, "module"), filepath.Join(folder, "build"), map[string]string{}}
	others := filepath.Join(folder, "staging")
	for _, old := range []string{made.Module, made.Build, others} {
		if err := os.RemoveAll(old); err != nil {
			return nil, err
		}
	}
	if err := copyModule("k8s.io/kubernetes@v"+version, made.Module); err != nil {
		return nil, err
	}
	for _, module := range staging {
		made.Staging[module] = filepath.Join(others, filepath.Base(module))
		if err := copyModule(module+"@v"+made.stagingVersion(), made.Staging[module]); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(made.Build, 0o755); err != nil {
		return nil, err
	}
	if err := made.linkTrimmed(); err != nil {
		return nil, err
	}
	main, err := os.ReadFile(mainFile)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(made.Build, "main.go"), main, 0o644); err != nil {
		return nil, err
	}
	return made, made.writeGoMod()
}

// Trimmed is the folder below which the sources are found under the names that -trimpath leaves in a program. Integration
// tests look there for files, if TEST_SRCDIR and TEST_WORKSPACE name it.
func (c *Copy) Trimmed() string { return filepath.Join(filepath.Dir(c.Module), "trimmed") }

func (c *Copy) linkTrimmed() error {
	link := filepath.Join(c.Trimmed(), "k8s.io", "kubernetes@v"+c.Version)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	_ = os.Remove(link)
	return os.Symlink(c.Module, link)
}

func (c *Copy) stagingVersion() string { return "0." + strings.TrimPrefix(c.Version, "1.") }

func copyModule(module, folder string) error {
	source, err := download(module)
	if err != nil {
		return err
	}
	return linkTree(source, folder)
}

func download(name string) (string, error) {
	command := exec.Command("go", "mod", "download", "-json", name)
	command.Dir = os.TempDir()
	command.Env = Environment()
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("there is no Go module %s: %w", name, err)
	}
	var module struct{ Dir string }
	err = json.Unmarshal(out, &module)
	return module.Dir, err
}

func linkTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if os.Link(path, target) == nil {
			return nil
		}
		content, err := os.ReadFile(path) // another file system
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}

var stagingModule = regexp.MustCompile(`(?m)^.*\b(k8s\.io/[a-z0-9-]+) => \./staging/`)

// The module's own go.mod maps its staging modules to folders that it does not ship; each is published by itself.
func (c *Copy) writeGoMod() error {
	own, err := os.ReadFile(filepath.Join(c.Module, "go.mod"))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	goLine := regexp.MustCompile(`(?m)^go .*$`).Find(own)
	fmt.Fprintf(&text, "module nodebound/kube-apiserver\n\n%s\n\nrequire k8s.io/kubernetes v%s\n\n", goLine, c.Version)
	fmt.Fprintf(&text, "replace k8s.io/kubernetes => ../module\n")
	for _, match := range stagingModule.FindAllSubmatch(own, -1) {
		if folder, copied := c.Staging[string(match[1])]; copied {
			fmt.Fprintf(&text, "replace %s => %s\n", match[1], folder)
			continue
		}
		fmt.Fprintf(&text, "replace %s => %s v%s\n", match[1], match[1], c.stagingVersion())
	}
	return os.WriteFile(filepath.Join(c.Build, "go.mod"), text.Bytes(), 0o644)
}

// run calls the go command in the main module; what it says goes to standard error.
func (c *Copy) run(arguments ...string) error {
	command := exec.Command("go", arguments...)
	command.Dir = c.Build
	command.Env = Environment()
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("go %s: %w", strings.Join(arguments, " "), err)
	}
	return nil
}
