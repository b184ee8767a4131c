package rewrite

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed faultpoint/faultpoint.go
var faultpointSource []byte

// faultpointFolder is where the package faultpoint goes in the copy of the module.
const faultpointFolder = "pkg/nodeboundfault"

// Modules rewrites the copies of modules in their folders; build is the folder of the main module that requires them, where
// the go command gets this environment. Types come from what the compiler exports, so what the targets import is compiled first.
func Modules(folders map[string]string, build string, targets []Target, environment []string) ([]Fault, error) {
	loader, err := load(folders, build, targets, environment)
	if err != nil {
		return nil, err
	}
	var checked []*rewriter
	for _, target := range loader.present {
		one, err := loader.check(target)
		if err != nil {
			return nil, err
		}
		checked = append(checked, one)
	}
	// Only now, for a rewritten file could not be checked again with another one of its package.
	var faults []Fault
	for _, one := range checked {
		one.first = len(faults) + 1
		one.rewriteFunctions(one.file)
		if err := one.write(folders[one.target.Module]); err != nil {
			return nil, err
		}
		faults = append(faults, one.faults...)
	}
	return faults, writeFaultpoint(filepath.Join(folders[Kubernetes], faultpointFolder), faults)
}

func writeFaultpoint(folder string, faults []Fault) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "faultpoint.go"), faultpointSource, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "refusal.go"), []byte(refusalSource), 0o644); err != nil {
		return err
	}
	names := "package faultpoint\n\nvar names = []string{\n"
	for _, fault := range faults {
		names += fmt.Sprintf("\t%q,\n", fault.ID)
	}
	return os.WriteFile(filepath.Join(folder, "names.go"), []byte(names+"}\n"), 0o644)
}

// An error of any other type is answered with 500, which would tell a fault from a refusal too easily.
const refusalSource = `package faultpoint

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func init() { refusal = apierrors.NewForbidden(schema.GroupResource{}, "", refusal) }
`

type loader struct {
	folders  map[string]string
	present  []Target
	packages map[string]listed
}

type listed struct {
	ImportPath string
	Export     string
	GoFiles    []string
	ImportMap  map[string]string
}

func load(folders map[string]string, build string, targets []Target, environment []string) (*loader, error) {
	l := &loader{folders: folders, packages: map[string]listed{}}
	arguments := []string{"list", "-export", "-deps", "-trimpath", "-json=ImportPath,Export,GoFiles,ImportMap"}
	seen := map[string]bool{}
	for _, target := range targets {
		if _, err := os.Stat(filepath.Join(folders[target.Module], target.File)); err != nil {
			continue
		}
		l.present = append(l.present, target)
		if path := target.Import(); !seen[path] {
			seen[path] = true
			arguments = append(arguments, path)
		}
	}
	list := exec.Command("go", arguments...)
	list.Dir = build
	list.Env, list.Stderr = environment, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var found listed
		if err := decoder.Decode(&found); err == io.EOF {
			return l, nil
		} else if err != nil {
			return nil, err
		}
		l.packages[found.ImportPath] = found
	}
}

// check reads the syntax and the types of the target's file.
func (l *loader) check(target Target) (*rewriter, error) {
	self := l.packages[target.Import()]
	one := &rewriter{
		target: target, fset: token.NewFileSet(), places: map[string]int{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}},
	}
	var files []*ast.File
	for _, name := range self.GoFiles {
		path := filepath.Join(l.folders[target.Module], target.Package(), name)
		file, err := parser.ParseFile(one.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		if name == filepath.Base(target.File) {
			one.file = file
		}
	}
	if one.file == nil {
		return nil, fmt.Errorf("%s is not compiled into its package", target.File)
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(l.packages[path].Export) }
	config := types.Config{Importer: importer.ForCompiler(one.fset, "gc", lookup)}
	if _, err := config.Check(self.ImportPath, one.fset, files, one.info); err != nil {
		return nil, err
	}
	source, err := os.ReadFile(filepath.Join(l.folders[target.Module], target.File))
	one.source = source
	return one, err
}

// write puts the rewritten file in the place of the copy's, which shares its content with the module cache.
func (r *rewriter) write(folder string) error {
	if len(r.faults) == 0 {
		return nil
	}
	end := r.offset(r.file.Name.End())
	r.edits.insert(end, fmt.Sprintf("; import %s \"%s/%s\"", alias, Kubernetes, faultpointFolder))
	rewritten, err := r.edits.apply(r.source)
	if err != nil {
		return fmt.Errorf("%s: %w", r.target.File, err)
	}
	path := filepath.Join(folder, r.target.File)
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, rewritten, 0o644)
}
