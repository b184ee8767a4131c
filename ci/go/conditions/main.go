// Command conditions answers chains of authorizers with conditions by the API server's own packages, for
// ci/compare/conditions. It reads and writes what nodebound_condition_answers does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/union"
)

type condition struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Description string `json:"description"`
}

// answer is one of a decision, the conditions of one and a chain of authorizers.
type answer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Error    string `json:"error"`

	Conditions *struct {
		Deny      []condition `json:"deny"`
		NoOpinion []condition `json:"noOpinion"`
		Allow     []condition `json:"allow"`
	} `json:"conditions"`
	// Evaluates is the decision that a broken authorizer comes to, whatever its conditions are.
	Evaluates string `json:"evaluates"`

	Chain []member `json:"chain"`
}

type member struct {
	Name   string `json:"name"`
	Answer answer `json:"answer"`
}

type question struct {
	Chain []member `json:"chain"`
	// Results has the value of each condition by its id: yes, no, unevaluatable or the text of an error.
	Results map[string]string `json:"results"`
	// Union is joined as it is, with names that no chain takes.
	Union []member `json:"union"`
}

var decisions = map[string]authorizer.Decision{
	"Allow": authorizer.DecisionAllow, "Deny": authorizer.DecisionDeny, "NoOpinion": authorizer.DecisionNoOpinion,
}

func failure(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

func conditions(of []condition) []authorizer.Condition {
	var out []authorizer.Condition
	for _, one := range of {
		out = append(out, authorizer.GenericCondition{ID: one.ID, Type: one.Type, Description: one.Description})
	}
	return out
}

func (q question) result(_ context.Context, one authorizer.Condition, _ authorizer.ConditionsData) authorizer.ConditionEvaluationResult {
	switch value := q.Results[one.GetID()]; value {
	case "yes", "no":
		return authorizer.ConditionEvaluationResultBoolean(value == "yes")
	case "unevaluatable":
		return authorizer.ConditionsEvaluationResultUnevaluatable()
	default:
		return authorizer.ConditionEvaluationResultError(failure(value))
	}
}

// one is an authorizer that always answers the same.
type one struct {
	answer   answer
	question question
}

func (o one) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionDeny, "", errors.New("nobody asks without conditions")
}

func (o one) ConditionsAwareAuthorize(context.Context, authorizer.Attributes) authorizer.ConditionsAwareDecision {
	if of := o.answer.Conditions; of != nil {
		return authorizer.ConditionsAwareDecisionConditionsMap(conditions(of.Deny), conditions(of.NoOpinion), conditions(of.Allow))
	}
	return authorizer.ConditionsAwareDecisionFromParts(decisions[o.answer.Decision], o.answer.Reason, failure(o.answer.Error))
}

func (o one) EvaluateConditions(ctx context.Context, decision authorizer.ConditionsAwareDecision, data authorizer.ConditionsData) (authorizer.Decision, string, error) {
	if o.answer.Evaluates != "" {
		return decisions[o.answer.Evaluates], "", nil
	}
	return decision.ConditionsMap().Evaluate(ctx, data,
		func(ctx context.Context, one authorizer.Condition, data authorizer.ConditionsData) (bool, error) {
			result := o.question.result(ctx, one, data)
			if result.IsUnevaluatable() {
				return false, errors.New("unevaluatable")
			}
			return result.IsTrue(), result.Error()
		})
}

func (q question) authorizer(of answer) authorizer.Authorizer {
	if of.Chain == nil {
		return one{of, q}
	}
	var members []union.NamedAuthorizer
	for _, each := range of.Chain {
		members = append(members, union.NamedAuthorizer{AuthorizerName: each.Name, Authorizer: q.authorizer(each.Answer)})
	}
	chain, err := union.New(members...)
	if err != nil {
		panic(err)
	}
	return chain
}

func ids(of func(func(authorizer.Condition) bool)) []string {
	out := []string{}
	of(func(one authorizer.Condition) bool {
		out = append(out, one.GetID())
		return true
	})
	return out
}

func plain(decision authorizer.Decision, reason string, err error) map[string]any {
	out := map[string]any{"decision": decision.String(), "reason": reason, "error": ""}
	if err != nil {
		out["error"] = err.Error()
	}
	return out
}

func shown(decision authorizer.ConditionsAwareDecision) any {
	switch {
	case decision.IsAllow():
		return plain(authorizer.DecisionAllow, decision.Reason(), decision.Error())
	case decision.IsDeny():
		return plain(authorizer.DecisionDeny, decision.Reason(), decision.Error())
	case decision.IsNoOpinion():
		return plain(authorizer.DecisionNoOpinion, decision.Reason(), decision.Error())
	case decision.IsConditionsMap():
		of := decision.ConditionsMap()
		return map[string]any{"deny": ids(of.DenyConditions()), "noOpinion": ids(of.NoOpinionConditions()), "allow": ids(of.AllowConditions())}
	}
	out := []any{}
	for name, each := range decision.UnionedDecisions() {
		out = append(out, map[string]any{"name": name, "decision": shown(each)})
	}
	return out
}

func about(decision authorizer.ConditionsAwareDecision) map[string]any {
	possible := decision.PossibleDecisions().UnsortedList()
	slices.Sort(possible)
	return map[string]any{
		"decision": shown(decision), "possible": fmt.Sprint(possible), "onFailure": decision.FailureDecision().String(),
		"endsTheChain": decision.ContainsUnconditionalAllowOrDeny(),
	}
}

func (q question) answers() map[string]any {
	ctx := context.Background()
	chain := q.authorizer(answer{Chain: q.Chain})
	decision := chain.ConditionsAwareAuthorize(ctx, authorizer.AttributesRecord{})
	var joined authorizer.ConditionsAwareDecisionUnion
	for _, each := range q.Union {
		joined.Add(each.Name, q.authorizer(each.Answer).ConditionsAwareAuthorize(ctx, authorizer.AttributesRecord{}))
	}
	return map[string]any{
		"chain":     about(decision),
		"partially": about(authorizer.PartiallyEvaluateConditionsAwareDecision(ctx, decision, nil, q.result)),
		"evaluated": plain(chain.EvaluateConditions(ctx, decision, nil)),
		"union":     about(joined.ToDecision()),
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintf(os.Stderr, "conditions: %v\n", err)
			os.Exit(2)
		}
		if err := out.Encode(asked.answers()); err != nil {
			os.Exit(1)
		}
	}
}
