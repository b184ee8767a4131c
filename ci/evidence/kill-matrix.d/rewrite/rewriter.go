package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The name under which rewritten files import the package faultpoint.
const alias = "nodeboundfault"

// rewriter makes the faults of one file.
type rewriter struct {
	target   Target
	fset     *token.FileSet
	info     *types.Info
	source   []byte
	file     *ast.File
	edits    edits
	first    int // number of the first fault of this file
	faults   []Fault
	function string
	places   map[string]int
	stack    []ast.Node
}

// place is where faults are made: the first part of their ids.
type place struct {
	kind string
	id   string
	line int
}

func (r *rewriter) place(node ast.Node, kind string) place {
	key := r.function + "." + kind
	r.places[key]++
	return place{kind, fmt.Sprintf("%s.%s-%d", r.target.Part, key, r.places[key]), r.fset.Position(node.Pos()).Line}
}

// add makes a fault and gives its number; 0 if the target does not want it.
func (r *rewriter) add(at place, variant, what string) int {
	if !r.target.wants(strings.TrimPrefix(at.id, r.target.Part+".")) {
		return 0
	}
	r.faults = append(r.faults, Fault{
		ID: at.id + "." + variant, Part: r.target.Part, Function: r.function, Kind: at.kind,
		File: r.target.File, Line: at.line, What: what,
	})
	return r.first + len(r.faults) - 1
}

func (r *rewriter) offset(pos token.Pos) int { return r.fset.Position(pos).Offset }

func (r *rewriter) text(node ast.Node) string {
	return string(r.source[r.offset(node.Pos()):r.offset(node.End())])
}

// call wraps an expression into a call of the package faultpoint whose first argument is the fault's number.
func (r *rewriter) call(node ast.Node, function string, fault int, more ...string) {
	if fault == 0 {
		return
	}
	after := ")"
	for i := len(more) - 1; i >= 0; i-- {
		after = ", " + more[i] + after
	}
	r.edits.wrap(r.offset(node.Pos()), r.offset(node.End()), fmt.Sprintf("%s.%s(%d, ", alias, function, fault), after)
}

// rewriteFunctions makes the faults of all functions that the target covers.
func (r *rewriter) rewriteFunctions(file *ast.File) {
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Body == nil || !r.target.covers(function.Name.Name) {
			continue
		}
		r.function = function.Name.Name
		r.stack = []ast.Node{function}
		r.visit(function.Body)
	}
}

// visit goes through the nodes from the outside in, and knows those around it.
func (r *rewriter) visit(root ast.Node) {
	depth := len(r.stack)
	ast.Inspect(root, func(node ast.Node) bool {
		if node == nil {
			r.stack = r.stack[:len(r.stack)-1]
			return true
		}
		r.stack = append(r.stack, node)
		if r.mentioned() {
			r.rewrite(node)
		}
		return true
	})
	r.stack = r.stack[:depth]
}

func (r *rewriter) rewrite(node ast.Node) {
	if r.target.Rules {
		r.policyRule(node)
	}
	switch n := node.(type) {
	case *ast.IfStmt:
		r.condition(n.Cond, "if")
	case *ast.SwitchStmt:
		r.switched(n)
	case *ast.ReturnStmt:
		r.returned(n, r.results())
	case *ast.BlockStmt:
		r.statements(n.List)
	case *ast.CaseClause:
		r.statements(n.Body)
	case *ast.BinaryExpr:
		r.binary(n)
	case *ast.CallExpr:
		r.affix(n)
	}
}

// mentioned tells whether the node is in a part of the function that is rewritten.
func (r *rewriter) mentioned() bool {
	if len(r.target.Mentions) == 0 {
		return true
	}
	for _, node := range r.stack {
		text := ""
		switch n := node.(type) {
		case *ast.IfStmt:
			text = string(r.source[r.offset(n.Pos()):r.offset(n.Body.Pos())])
		case *ast.AssignStmt, *ast.ExprStmt:
			text = r.text(n)
		}
		for _, name := range r.target.Mentions {
			if strings.Contains(text, name) {
				return true
			}
		}
	}
	return false
}

// results are the types that the innermost function returns.
func (r *rewriter) results() []string {
	for i := len(r.stack) - 1; i >= 0; i-- {
		var function *ast.FuncType
		switch n := r.stack[i].(type) {
		case *ast.FuncLit:
			function = n.Type
		case *ast.FuncDecl:
			function = n.Type
		default:
			continue
		}
		var types []string
		if function.Results != nil {
			for _, field := range function.Results.List {
				for range max(1, len(field.Names)) {
					types = append(types, r.text(field.Type))
				}
			}
		}
		return types
	}
	return nil
}
