package matrix

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nodebound/kill_matrix/gotests"
	"nodebound/kill_matrix/rewrite"
	"nodebound/kill_matrix/suite"
)

func faults() []rewrite.Fault {
	return []rewrite.Fault{
		{ID: "graph.AddPod.call-1.dropped", Part: "graph", Kind: "call"},
		{ID: "graph.AddPod.if-1.true", Part: "graph", Kind: "if"},
		{ID: "rules.f.if-1.true", Part: "rules", Kind: "if"},
		{ID: "rules.f.if-1.false", Part: "rules", Kind: "if"},
	}
}

func TestTheMatrixCounts(t *testing.T) {
	ours := map[string]suite.Catch{
		"graph.AddPod.call-1.dropped": {How: "fails"}, "graph.AddPod.if-1.true": {}, "rules.f.if-1.true": {},
		"words": {How: suite.OtherWords}, "unjudged": {How: suite.Inconclusive},
	}
	unit := map[string]gotests.Catch{"graph.AddPod.call-1.dropped": {}, "rules.f.if-1.true": {How: "fails", Test: "TestIt"}}
	arguments := &Arguments{Equivalent: []Argument{{Faults: []string{"graph.*.if-1.true"}, Reason: "none can tell"}}}
	m := Matrix{Version: "1.36.3"}
	all := append(faults(), rewrite.Fault{ID: "words", Part: "rules", Kind: "if"}, rewrite.Fault{ID: "unjudged", Part: "rules", Kind: "if"})
	if err := m.Add(all, arguments, ours, unit, nil); err != nil {
		t.Fatal(err)
	}
	counts := m.Counts(func(r Row) string { return r.Part })
	want := Count{Name: "total", Faults: 6, Equivalent: 1, Nodebound: Column{4, 3}, Unit: Column{2, 1},
		WordsAlone: 1, UnjudgedAlone: 1, TestsAlone: 1}
	if got := counts[len(counts)-1]; got != want {
		t.Errorf("counted %+v, expected %+v", got, want)
	}
	living := m.Living()
	if len(living) != 1 || living[0].ID != "rules.f.if-1.true" {
		t.Errorf("living are %v", living)
	}
	for _, text := range []string{m.Terminal(), m.Markdown()} {
		if !strings.Contains(text, "rules.f.if-1.true") || !strings.Contains(text, "75.0 %") || !strings.Contains(text, "TestIt") {
			t.Errorf("the survivor, the score or who catches it is missing in\n%s", text)
		}
	}
	if head := "Of the 3 that Nodebound catches, 1 by the words of a refusal alone (`--exact-reasons`), 1 because a check could not be judged."; !strings.Contains(m.Markdown(), head) {
		t.Errorf("%q is missing in\n%s", head, m.Markdown())
	}
}

func TestACaughtFaultIsNotEquivalent(t *testing.T) {
	arguments := &Arguments{Equivalent: []Argument{{Faults: []string{"graph.AddPod.call-1.dropped"}, Reason: "wrong"}}}
	err := (&Matrix{}).Add(faults(), arguments, map[string]suite.Catch{"graph.AddPod.call-1.dropped": {How: "fails"}}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "it is caught") {
		t.Errorf("expected a complaint, got %v", err)
	}
}

func TestAnArgumentIsAboutSomething(t *testing.T) {
	arguments := &Arguments{Unseen: []Argument{{Faults: []string{"graph.Gone.*"}, Reason: "x"}}}
	if err := (&Matrix{}).Add(faults(), arguments, nil, nil, nil); err == nil {
		t.Error("a pattern that stands for no fault is taken")
	}
	file := filepath.Join(t.TempDir(), "x.toml")
	for _, text := range []string{"[[equivalent]]\nfaults = [\"x\"]\n", "[[equivalent]]\nfaults = [\"x\"]\nreason = \"y\"\nwhy = 1\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadArguments(file); err == nil {
			t.Errorf("this is taken:\n%s", text)
		}
	}
}

func TestTheArgumentsOfTheTreeAreReadable(t *testing.T) {
	files, err := filepath.Glob("../equivalents/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no equivalents found: %v", err)
	}
	for _, file := range files {
		if _, err := ReadArguments(file); err != nil {
			t.Error(err)
		}
	}
	if _, err := rewrite.ReadList("../targets.toml"); err != nil {
		t.Error(err)
	}
}

func TestWhatLivesNeedsAReason(t *testing.T) {
	ours := map[string]suite.Catch{"graph.AddPod.call-1.dropped": {How: "fails"}, "graph.AddPod.if-1.true": {}, "rules.f.if-1.true": {}}
	arguments := &Arguments{Unseen: []Argument{{Faults: []string{"graph.AddPod.if-1.true"}, Reason: "nobody sees it"}}}
	var m Matrix
	if err := m.Add(faults(), arguments, ours, nil, nil); err != nil {
		t.Fatal(err)
	}
	counts := m.Counts(func(r Row) string { return r.Part })
	if total := counts[len(counts)-1]; total.UnseenLiving != 1 || total.Nodebound != (Column{3, 1}) {
		t.Errorf("counted %+v", total)
	}
	if page := m.Markdown(); !strings.Contains(page, "Of the 2 that it lets live, 1 are such") || !strings.Contains(page, "catches 50.0 %.") {
		t.Error(page)
	}
	// One lives without a reason, one was not asked about.
	if got := m.Unexplained(); !slices.Equal(got, []string{"rules.f.if-1.true", "rules.f.if-1.false"}) {
		t.Errorf("unexplained are %v", got)
	}
}
