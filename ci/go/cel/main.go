// Command cel answers match conditions with the API server's own compiler, for ci/compare/cel and ci/benchmark/cel.
//
//	cel answers REQUESTS <EXPRESSIONS
//	cel benchmark REQUESTS <EXPRESSIONS
//
// It reads and writes what nodebound_cel_answers does. The benchmark prints, for each expression, the nanoseconds that
// one evaluation of all requests takes.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	authorizationcel "k8s.io/apiserver/pkg/authorization/cel"
)

type answer struct {
	Cost  uint64  `json:"cost"`
	Match *bool   `json:"match,omitempty"`
	Error *string `json:"error,omitempty"`
}

type line struct {
	Refused *string  `json:"refused,omitempty"`
	Answers []answer `json:"answers,omitempty"`
}

// The fields of k8s.io/apiserver/pkg/authorization/cel.convertObjectToUnstructured, which is not exported: a matcher
// builds them, and the program of its condition is replaced by one that keeps them.
func variables(compiled authorizationcel.CompilationResult, request authorizationv1.SubjectAccessReviewSpec) any {
	keeper := &keeper{Program: compiled.Program}
	kept := compiled
	kept.Program = keeper
	matcher := &authorizationcel.CELMatcher{
		CompilationResults: []authorizationcel.CompilationResult{kept},
		UsesFieldSelector:  compiled.UsesFieldSelector,
		UsesLabelSelector:  compiled.UsesLabelSelector,
	}
	_, _ = matcher.Eval(context.Background(), &authorizationv1.SubjectAccessReview{Spec: request})
	return keeper.variables
}

func evaluate(compiled authorizationcel.CompilationResult, request authorizationv1.SubjectAccessReviewSpec) answer {
	value, details, err := compiled.Program.ContextEval(context.Background(), variables(compiled, request))
	var out answer
	if details != nil && details.ActualCost() != nil {
		out.Cost = *details.ActualCost()
	}
	if err != nil {
		text := err.Error()
		out.Error = &text
		return out
	}
	match, _ := value.Value().(bool)
	out.Match = &match
	return out
}

func refusal(err error) string {
	return strings.TrimPrefix(err.Error(), ": ")
}

func answers(compiler authorizationcel.Compiler, requests []authorizationv1.SubjectAccessReviewSpec, expression string) line {
	compiled, err := compiler.CompileCELExpression(&authorizationcel.SubjectAccessReviewMatchCondition{Expression: expression})
	if err != nil {
		text := refusal(err)
		return line{Refused: &text}
	}
	var out line
	for _, request := range requests {
		out.Answers = append(out.Answers, evaluate(compiled, request))
	}
	return out
}

func benchmark(compiler authorizationcel.Compiler, requests []authorizationv1.SubjectAccessReviewSpec, expression string) (float64, error) {
	compiled, err := compiler.CompileCELExpression(&authorizationcel.SubjectAccessReviewMatchCondition{Expression: expression})
	if err != nil {
		return 0, err
	}
	matcher := &authorizationcel.CELMatcher{
		CompilationResults: []authorizationcel.CompilationResult{compiled},
		UsesFieldSelector:  compiled.UsesFieldSelector,
		UsesLabelSelector:  compiled.UsesLabelSelector,
	}
	const rounds = 20000
	start := time.Now()
	for i := 0; i < rounds; i++ {
		for k := range requests {
			_, _ = matcher.Eval(context.Background(), &authorizationv1.SubjectAccessReview{Spec: requests[k]})
		}
	}
	return float64(time.Since(start).Nanoseconds()) / rounds, nil
}

func run() error {
	if len(os.Args) != 3 {
		return fmt.Errorf("usage: cel answers|benchmark REQUESTS <EXPRESSIONS")
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		return err
	}
	var requests []authorizationv1.SubjectAccessReviewSpec
	if err := json.Unmarshal(text, &requests); err != nil {
		return err
	}
	compiler := authorizationcel.NewDefaultCompiler()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var expression string
		if err := json.Unmarshal(in.Bytes(), &expression); err != nil {
			return err
		}
		if os.Args[1] == "benchmark" {
			nanoseconds, err := benchmark(compiler, requests, expression)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%.1f\n", nanoseconds)
			continue
		}
		if err := encoder.Encode(answers(compiler, requests, expression)); err != nil {
			return err
		}
	}
	return in.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "cel:", err)
		os.Exit(3)
	}
}
