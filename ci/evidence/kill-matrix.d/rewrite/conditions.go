package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// condition makes the faults that any condition can have.
func (r *rewriter) condition(expression ast.Expr, kind string) {
	at := r.place(expression, kind)
	function, first := "Forced", 0
	if r.simple(expression) {
		function = "If"
		first = r.add(at, "negated", "the condition is negated")
		r.add(at, "true", "the condition always holds")
	} else {
		first = r.add(at, "true", "the condition always holds")
	}
	r.add(at, "false", "the condition never holds")
	r.call(expression, function, first)
}

// simple tells conditions that are worth negating: one of several operands has faults of each operand instead, and a
// negated look for nil is one that always or never holds, or ends in a crash.
func (r *rewriter) simple(expression ast.Expr) bool {
	switch n := expression.(type) {
	case *ast.Ident:
		return false
	case *ast.UnaryExpr:
		_, name := n.X.(*ast.Ident)
		return !name
	case *ast.BinaryExpr:
		return n.Op != token.LAND && n.Op != token.LOR && r.text(n.Y) != "nil"
	}
	return true
}

// switched drops cases. A switch over a value becomes one over comparisons, for only these can be switched off.
func (r *rewriter) switched(n *ast.SwitchStmt) {
	clauses := n.Body.List
	if len(clauses) == 0 || len(clauses) == 1 && clauses[0].(*ast.CaseClause).List == nil {
		return
	}
	tag := ""
	if n.Tag != nil {
		tag = fmt.Sprintf("nodeboundTag%d", r.offset(n.Pos()))
		if n.Init != nil {
			// Room for one statement only: the first one moves out, into a block around the switch.
			r.edits.wrap(r.offset(n.Pos()), r.offset(n.End()), "{ "+r.text(n.Init)+"; ", " }")
			r.edits.replace(r.offset(n.Init.Pos()), r.offset(n.Tag.Pos()), "")
		}
		r.edits.wrap(r.offset(n.Tag.Pos()), r.offset(n.Tag.End()), tag+" := ", "; ")
	}
	for _, statement := range clauses {
		for _, value := range statement.(*ast.CaseClause).List {
			at := r.place(value, "case")
			fault := r.add(at, "dropped", "a case of the switch is missing")
			r.call(value, "Case", fault)
			if tag != "" {
				r.edits.insert(r.offset(value.Pos()), tag+" == ")
			}
		}
	}
}

// binary drops operands of && and ||, and loosens comparisons of texts.
func (r *rewriter) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND, token.LOR:
		name := map[token.Token]string{token.LAND: "And", token.LOR: "Or"}[n.Op]
		for _, operand := range []ast.Expr{n.X, n.Y} {
			if inner, ok := operand.(*ast.BinaryExpr); ok && inner.Op == n.Op {
				continue // a && b && c has three operands
			}
			at := r.place(operand, "operand")
			r.call(operand, name, r.add(at, "dropped", "an operand of "+n.Op.String()+" is missing"))
		}
	case token.EQL, token.NEQ:
		r.comparison(n)
	}
}

func (r *rewriter) comparison(n *ast.BinaryExpr) {
	if !r.isText(n.X) || !r.isText(n.Y) || r.constant(n.X) != nil {
		return
	}
	at := r.place(n, "comparison")
	function, fault := "Equal", 0
	if word := r.constant(n.Y); word != nil {
		// Of an enumeration no value is the beginning of another.
		if constant.StringVal(word) == "" || r.info.TypeOf(n.Y).String() != "string" {
			return
		}
		function = "Literal"
		fault = r.add(at, "prefix", "what begins with the word is taken for it")
	} else {
		fault = r.add(at, "prefix", "texts are taken for equal if one begins with the other")
		r.add(at, "empty", "an empty text is taken for equal to any")
	}
	if fault == 0 {
		return
	}
	not := ""
	if n.Op == token.NEQ {
		not = "!"
	}
	before := fmt.Sprintf("%s%s.%s(%d, ", not, alias, function, fault)
	r.edits.wrap(r.offset(n.Pos()), r.offset(n.End()), before, ")")
	r.edits.replace(r.offset(n.OpPos), r.offset(n.OpPos)+2, ",")
}

// affix lets a prefix or suffix stand anywhere.
func (r *rewriter) affix(n *ast.CallExpr) {
	name := r.text(n.Fun)
	if name != "strings.HasPrefix" && name != "strings.HasSuffix" {
		return
	}
	fault := r.add(r.place(n, "affix"), "anywhere", "the text may stand anywhere, not only at its end of the other")
	r.call(n, "Affix", fault, r.text(n.Args[0]), r.text(n.Args[1]))
}

func (r *rewriter) isText(expression ast.Expr) bool {
	found := r.info.TypeOf(expression)
	if found == nil {
		return false
	}
	basic, ok := found.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

func (r *rewriter) constant(expression ast.Expr) constant.Value {
	return r.info.Types[expression].Value
}
