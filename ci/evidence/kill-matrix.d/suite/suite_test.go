package suite

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestTheScenarioOfACheckIsFound(t *testing.T) {
	for check, want := range map[string]string{
		"conformance/leases/get@authorizer":                    "conformance/leases",
		"conformance/claim-status[named]/before-the-pod":       "conformance/claim-status[named]",
		"conformance/resource-slice-selectors[list]/its-own/x": "conformance/resource-slice-selectors[list]",
	} {
		match := checkLine.FindStringSubmatch(check)
		if match == nil || match[1] != want {
			t.Errorf("%s: got %v, expected %s", check, match, want)
		}
	}
}

func TestAReportIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	report := `{"summary": {"broken_rules": ["r"]}, "checks": [{"id": "a", "verdict": "fail"}, {"id": "b", "verdict": "pass",
		"reason": {"expected": "x", "match": true}}, {"id": "c", "verdict": "inconclusive"}, {"id": "d", "verdict": "pass"}, {"id": "e",
		"verdict": "fail", "reason": {"expected": "x", "match": false}}]}`
	if err := os.WriteFile(path, []byte(report), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := readReport(path)
	want := Verdict{Failed: []string{"a", "e"}, Words: []string{"e"}, Rules: []string{"r"}, Inconclusive: []string{"c"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v, expected %+v", got, err, want)
	}
}

func TestOtherWordsAreToldFromAWrongDecision(t *testing.T) {
	for _, one := range []struct {
		verdict Verdict
		how     string
	}{
		{Verdict{Failed: []string{"a", "b"}, Words: []string{"b"}}, "fails"},
		{Verdict{Failed: []string{"b"}, Words: []string{"b"}, Inconclusive: []string{"c"}}, OtherWords},
		{Verdict{Failed: []string{"b"}, Words: []string{"b"}, Broke: "the server ended"}, "the server ended"},
		{Verdict{Inconclusive: []string{"c"}}, Inconclusive},
	} {
		if got := how(one.verdict); got != one.how || !one.verdict.Caught() {
			t.Errorf("%+v is %q, expected %q", one.verdict, got, one.how)
		}
	}
}

func TestAnEditedScenarioIsRunAnew(t *testing.T) {
	coverage := &Coverage{Scenarios: map[string][]int{"old": {1}, "edited": {1}, "of-before-hashes": {1}},
		Files: map[string]string{"old": "1", "edited": "1"}}
	now := map[string]string{"old": "1", "edited": "2", "of-before-hashes": "1", "new": "1"}
	all := []string{"old", "edited", "of-before-hashes", "new"}
	if got, want := coverage.Unknown(all, now), []string{"edited", "new"}; !reflect.DeepEqual(got, want) {
		t.Errorf("unknown are %v, expected %v", got, want)
	}
	now["of-before-hashes"] = "2"
	if got := coverage.Unknown([]string{"of-before-hashes"}, now); len(got) != 1 {
		t.Error("the hash of a scenario without one was not kept")
	}
}

func TestWhatCaughtItsLikeIsAskedFirst(t *testing.T) {
	coverage := &Coverage{Scenarios: map[string][]int{"a": {1}, "b": {1, 2}, "c": {1, 2, 3}, "d": {3}}}
	memory := NewMemory([]string{"f", "f", "g"})
	scenarios := coverage.meeting(1)
	memory.order("f", scenarios, coverage)
	if want := []string{"b", "c", "a"}; !reflect.DeepEqual(scenarios, want) {
		t.Errorf("order is %v, expected %v: what meets most of the function and least else", scenarios, want)
	}
	memory.note("f", []string{"a/step"})
	memory.note("f", []string{"conformance/a/step"})
	coverage.Scenarios["conformance/a"] = []int{1}
	scenarios = coverage.meeting(1)
	if memory.order("f", scenarios, coverage); scenarios[0] != "a" && scenarios[0] != "conformance/a" {
		t.Errorf("first is %s, which caught nothing yet", scenarios[0])
	}
}

func TestFaultsArePutAndMarksAreRead(t *testing.T) {
	control, err := NewControl(filepath.Join(t.TempDir(), "faults"), 5)
	if err != nil {
		t.Fatal(err)
	}
	control.Put(3)
	content, err := os.ReadFile(control.Path)
	if err != nil || content[0] != 3 || len(content) != headerSize+6 {
		t.Errorf("the file has %d bytes and begins with %v: %v", len(content), content[:4], err)
	}
	control.memory[headerSize+2] = 1
	if got := control.Marked(); !reflect.DeepEqual(got, []int{2}) {
		t.Errorf("marked are %v", got)
	}
	if control.Forget(); control.Marked() != nil {
		t.Error("marks are not forgotten")
	}
}

func TestPortionsLoseNothing(t *testing.T) {
	for _, count := range []int{0, 1, 3, 30, 500} {
		total := 0
		for _, part := range portions(make([]string, count)) {
			total += len(part)
		}
		if total != count {
			t.Errorf("%d scenarios became %d", count, total)
		}
	}
}
