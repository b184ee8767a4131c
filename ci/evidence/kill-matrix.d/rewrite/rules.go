package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// policyRule makes faults of a rule that is built as NewRule(verbs).Groups(groups).Resources(resources).RuleOrDie().
func (r *rewriter) policyRule(node ast.Node) {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch selector.Sel.Name {
	case "RuleOrDie":
		at := r.place(call, "rule")
		names, resource := r.resourcesOf(call), ""
		if len(names) > 0 {
			resource = " on " + strings.Join(names, ", ")
		}
		fault := r.add(at, "dropped", "the rule"+resource+" is missing")
		r.call(call, "Instead", fault, "rbacv1.PolicyRule{}")
	case "NewRule":
		r.words(call, "verb")
	case "Resources":
		r.words(call, "resource")
	}
}

func (r *rewriter) resourcesOf(rule *ast.CallExpr) []string {
	var names []string
	ast.Inspect(rule, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "Resources" {
			for _, word := range call.Args {
				if literal, ok := word.(*ast.BasicLit); ok {
					names = append(names, strings.Trim(literal.Value, `"`))
				}
			}
		}
		return true
	})
	return names
}

// words drops each word, and takes the first for any.
func (r *rewriter) words(call *ast.CallExpr, kind string) {
	at := r.place(call, kind)
	if call.Ellipsis != token.NoPos {
		// The only list that node rules share are the three verbs that read.
		first := r.add(at, "get-dropped", "the "+kind+" get is missing")
		r.add(at, "list-dropped", "the "+kind+" list is missing")
		r.add(at, "watch-dropped", "the "+kind+" watch is missing")
		r.call(call.Args[0], "Without", first)
		return
	}
	for i, word := range call.Args {
		literal, ok := word.(*ast.BasicLit)
		if !ok {
			continue
		}
		name := strings.Trim(literal.Value, `"`)
		if len(call.Args) > 1 {
			fault := r.add(at, name+"-dropped", fmt.Sprintf("the %s %s is missing", kind, name))
			r.call(literal, "Instead", fault, `"nodebound-nothing"`)
		}
		if i == 0 {
			r.call(literal, "Instead", r.add(at, "any", "any "+kind+" will do"), `"*"`)
		}
	}
}
