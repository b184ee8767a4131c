package rewrite

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rewritten makes the faults of a source and gives its text and their ids.
func rewritten(t *testing.T, target Target, source string) (string, []string) {
	t.Helper()
	one := &rewriter{
		target: target, fset: token.NewFileSet(), places: map[string]int{}, first: 1, source: []byte(source),
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}},
	}
	file, err := parser.ParseFile(one.fset, "x.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(one.fset, "source", nil)}
	if _, err := config.Check("x", one.fset, []*ast.File{file}, one.info); err != nil {
		t.Fatal(err)
	}
	one.rewriteFunctions(file)
	text, err := one.edits.apply(one.source)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0); err != nil {
		t.Fatalf("what was made of it is no Go: %v\n%s", err, text)
	}
	if before, after := strings.Count(source, "\n"), strings.Count(string(text), "\n"); before != after {
		t.Errorf("%d lines became %d", before, after)
	}
	var ids []string
	for _, fault := range one.faults {
		ids = append(ids, strings.TrimPrefix(fault.ID, target.Part+"."))
	}
	return string(text), ids
}

func TestEachConstructHasItsFaults(t *testing.T) {
	for name, one := range map[string]struct{ source, text, ids string }{
		"condition": {
			"func f(a int) { if a > 1 { return } }",
			"if nodeboundfault.If(1, a > 1) {", "f.if-1.negated f.if-1.true f.if-1.false",
		},
		"look for nil": {
			"func f(e error) { if e != nil { return } }",
			"if nodeboundfault.Forced(1, e != nil) {", "f.if-1.true f.if-1.false",
		},
		"operands": {
			"func f(a, b bool) { if a && b { return } }",
			"nodeboundfault.Forced(1, nodeboundfault.And(3, a) && nodeboundfault.And(4, b))",
			"f.if-1.true f.if-1.false f.operand-1.dropped f.operand-2.dropped",
		},
		"switch over a value": {
			"func f(a string) { switch a { case \"get\", \"list\": } }",
			"switch nodeboundTag29 := a;  { case nodeboundfault.Case(1, nodeboundTag29 == \"get\"), nodeboundfault.Case(2, nodeboundTag29 == \"list\"):",
			"f.case-1.dropped f.case-2.dropped",
		},
		"comparison of texts": {
			"func f(a, b string) bool { return a != b }",
			"!nodeboundfault.Equal(4, a , b)",
			"f.return-1.negated f.return-1.true f.return-1.false f.comparison-1.prefix f.comparison-1.empty",
		},
		"comparison with a word": {
			"func f(a string) { if a == \"get\" { return } }",
			"nodeboundfault.Literal(4, a , \"get\")",
			"f.if-1.negated f.if-1.true f.if-1.false f.comparison-1.prefix",
		},
		"loop": {
			"func f(a []int) { for range a { println() } }",
			"{ nodeboundRounds1 := 0; for range a { if nodeboundfault.Loop(1, &nodeboundRounds1) { break };  if nodeboundfault.Kept(3) { println() } } }",
			"f.loop-1.skipped f.loop-1.first-only f.call-1.dropped",
		},
		"errors": {
			"func f(e error) (int, error) { if e == nil { return 1, nil }; return 0, e }",
			"return 1, nodeboundfault.NoError(3) }; return 0, nodeboundfault.Error(4, e)",
			"f.if-1.true f.if-1.false f.return-1.error f.return-2.no-error",
		},
		"visitor": {
			"func f() func() bool { return func() bool { return true } }",
			"return nodeboundfault.Not(1, true)", "f.return-1.swapped",
		},
		"assignment to a field": {
			"type s struct { a int }\nfunc f(x *s) { x.a = 1; y := 2; y = 3; _ = y }",
			"if nodeboundfault.Kept(1) { x.a = 1 }", "f.assignment-1.dropped",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, ids := rewritten(t, Target{Part: "part", File: "x.go"}, "package x\n"+one.source+"\n")
			if !strings.Contains(text, one.text) {
				t.Errorf("expected %q in\n%s", one.text, text)
			}
			if got := strings.Join(ids, " "); got != one.ids {
				t.Errorf("faults are %s, expected %s", got, one.ids)
			}
		})
	}
}

func TestOnlyWhatConcernsTheTargetIsRewritten(t *testing.T) {
	source := "package x\nfunc f(a, mirror int) { if a > 1 { return }; if mirror > 1 { if a > 2 { return } } }\nfunc g(a int) { if a > 1 { return } }\n"
	_, ids := rewritten(t, Target{Functions: []string{"f"}, Mentions: []string{"mirror"}}, source)
	got := strings.ReplaceAll(strings.Join(ids, " "), ".", "")
	if want := "fif-1negated fif-1true fif-1false fif-2negated fif-2true fif-2false"; got != want {
		t.Errorf("faults are %s, expected %s", got, want)
	}
}

func TestAPolicyRuleHasFaultsOfItsWords(t *testing.T) {
	source := `package x
type rule struct{}
var helpers struct{ NewRule func(verbs ...string) *rule }
func (r *rule) Resources(names ...string) *rule { return r }
func (r *rule) RuleOrDie() int { return 0 }
func f() []int { return []int{helpers.NewRule("get", "list").Resources("pods").RuleOrDie()} }
`
	_, ids := rewritten(t, Target{Part: "part", Functions: []string{"f"}, Rules: true}, source)
	want := "f.rule-1.dropped f.resource-1.any f.verb-1.get-dropped f.verb-1.any f.verb-1.list-dropped"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("faults are %s, expected %s", got, want)
	}
}

func TestOnlyTheNamedPlacesAreRewritten(t *testing.T) {
	source := `package x
type s struct{ a int }
func f(x *s, b, c string) error {
	for range b { println() }
	if b == c && c != "get" { x.a = 1 }
	switch b { case "list": }
	return nil
}
`
	text, ids := rewritten(t, Target{Part: "part", Places: []string{"f.assignment-1"}}, source)
	if got := strings.Join(ids, " "); got != "f.assignment-1.dropped" {
		t.Errorf("faults are %s", got)
	}
	if got := strings.Count(text, "nodeboundfault."); got != 1 {
		t.Errorf("%d calls in\n%s", got, text)
	}
}

func TestATargetMayBeInAnotherModule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.toml")
	text := "[[target]]\npart = \"a\"\nfile = \"pkg/a/a.go\"\n[[target]]\npart = \"b\"\nmodule = \"k8s.io/apiserver\"\nfile = \"pkg/b/b.go\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := ReadList(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := list.Target[0].Import() + " " + list.Target[1].Import(); got != "k8s.io/kubernetes/pkg/a k8s.io/apiserver/pkg/b" {
		t.Errorf("the targets are in %s", got)
	}
	if got := list.Modules(); len(got) != 1 || got[0] != "k8s.io/apiserver" {
		t.Errorf("other modules are %v", got)
	}
}

func TestAFileIsRewrittenOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "twice.toml")
	target := "[[target]]\npart = \"p\"\nfile = \"a/b.go\"\n"
	if err := os.WriteFile(file, []byte(target+target), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadList(file); err == nil || !strings.Contains(err.Error(), "k8s.io/kubernetes/a/b.go") {
		t.Errorf("two targets of one file: %v", err)
	}
}
