package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// Without these a process logs less, measures less or stops for good: none of it is a node's bounds.
var notOurs = []string{
	"klog.", "Lock(", "RLock(", "Unlock(", "RUnlock(", "Observe(", "panic(", "HandleError", "utilruntime.",
	"RegisterMetrics", "warning.",
}

// statements drops those of a list that do something, and cuts loops short.
func (r *rewriter) statements(list []ast.Stmt) {
	for _, statement := range list {
		around := ast.Node(statement)
		if labeled, ok := statement.(*ast.LabeledStmt); ok {
			statement = labeled.Stmt
		}
		r.stack = append(r.stack, statement)
		covered := r.mentioned()
		r.stack = r.stack[:len(r.stack)-1]
		if !covered {
			continue
		}
		switch n := statement.(type) {
		case *ast.ExprStmt:
			r.dropped(n, "call", "a call is missing")
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && r.matters(n) {
				r.dropped(n, "assignment", "an assignment is missing")
			}
		case *ast.RangeStmt:
			r.loop(around, n.Body)
		case *ast.ForStmt:
			r.loop(around, n.Body)
		}
	}
}

// matters tells an assignment to a field or an element, or one that makes a list longer, from one to a variable whose
// value the conditions around it stand for.
func (r *rewriter) matters(n *ast.AssignStmt) bool {
	switch n.Lhs[0].(type) {
	case *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return strings.HasPrefix(r.text(n.Rhs[0]), "append(")
}

func (r *rewriter) dropped(n ast.Stmt, kind, what string) {
	text := r.text(n)
	for _, name := range notOurs {
		if strings.Contains(strings.SplitN(text, "{", 2)[0], name) {
			return
		}
	}
	fault := r.add(r.place(n, kind), "dropped", what)
	if fault == 0 {
		return
	}
	r.edits.wrap(r.offset(n.Pos()), r.offset(n.End()), fmt.Sprintf("if %s.Kept(%d) { ", alias, fault), " }")
}

// loop lets a loop end before its first round, or before its second.
func (r *rewriter) loop(around ast.Node, body *ast.BlockStmt) {
	at := r.place(around, "loop")
	first := r.add(at, "skipped", "the loop looks at nothing")
	r.add(at, "first-only", "the loop looks at the first element only")
	if first == 0 {
		return
	}
	rounds := fmt.Sprintf("nodeboundRounds%d", first)
	r.edits.wrap(r.offset(around.Pos()), r.offset(around.End()), "{ "+rounds+" := 0; ", " }")
	r.edits.insert(r.offset(body.Lbrace)+1, fmt.Sprintf(" if %s.Loop(%d, &%s) { break }; ", alias, first, rounds))
}

// returned swaps results: allow and no opinion, an error and none, true and false.
func (r *rewriter) returned(n *ast.ReturnStmt, results []string) {
	if len(n.Results) != len(results) {
		return
	}
	for i, result := range results {
		value := n.Results[i]
		switch {
		case strings.HasSuffix(result, "Decision"):
			r.decision(value)
		case result == "bool":
			r.truth(value)
		case result == "error" && !strings.HasSuffix(results[0], "Decision"):
			r.failure(value)
		case strings.HasSuffix(result, "field.ErrorList"):
			if literal, ok := value.(*ast.CompositeLit); ok && len(literal.Elts) > 0 {
				r.call(value, "Instead", r.add(r.place(n, "return"), "no-error", "errors get lost"), "nil")
			}
		}
	}
}

func (r *rewriter) decision(value ast.Expr) {
	selector, ok := value.(*ast.SelectorExpr)
	if !ok {
		return
	}
	other, variant, what := "DecisionAllow", "allow", "allows where it has no opinion"
	if selector.Sel.Name == "DecisionAllow" {
		other, variant, what = "DecisionNoOpinion", "no-opinion", "has no opinion where it allows"
	}
	r.call(value, "Instead", r.add(r.place(value, "return"), variant, what), r.text(selector.X)+"."+other)
}

func (r *rewriter) truth(value ast.Expr) {
	if name, ok := value.(*ast.Ident); ok && (name.Name == "true" || name.Name == "false") {
		r.call(value, "Not", r.add(r.place(value, "return"), "swapped", "returns the opposite of "+name.Name))
		return
	}
	r.condition(value, "return")
}

func (r *rewriter) failure(value ast.Expr) {
	at := r.place(value, "return")
	if name, ok := value.(*ast.Ident); ok && name.Name == "nil" {
		fault := r.add(at, "error", "refuses what is fine")
		if fault == 0 {
			return
		}
		r.edits.replace(r.offset(value.Pos()), r.offset(value.End()), fmt.Sprintf("%s.NoError(%d)", alias, fault))
		return
	}
	r.call(value, "Error", r.add(at, "no-error", "an error gets lost"))
}
