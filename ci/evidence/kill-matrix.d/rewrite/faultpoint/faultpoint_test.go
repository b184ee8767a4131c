package faultpoint

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// force puts a fault in force for the rest of a test, with fresh marks.
func force(t *testing.T, fault int32) {
	before, markedBefore := *inForce, marks
	*inForce, marks = fault, make([]byte, 100)
	t.Cleanup(func() { *inForce, marks = before, markedBefore })
}

func TestWithoutAFaultEverythingIsAsItWas(t *testing.T) {
	force(t, 0)
	lost := errors.New("kept")
	rounds := 0
	for name, same := range map[string]bool{
		"If": If(1, true) && !If(1, false), "Forced": Forced(1, true) && !Forced(1, false),
		"And": And(1, true) && !And(1, false), "Or": Or(1, true) && !Or(1, false),
		"Case": Case(1, true) && !Case(1, false), "Not": Not(1, true) && !Not(1, false), "Kept": Kept(1),
		"Instead": Instead(1, "a", "b") == "a", "Error": Error(1, lost) == lost, "NoError": NoError(1) == nil,
		"Loop":  !Loop(1, &rounds) && !Loop(1, &rounds),
		"Equal": Equal(1, "a", "a") && !Equal(1, "a", "ab") && !Equal(1, "", "a"), "Literal": !Literal(1, "gets", "get"),
		"Affix": !Affix(1, false, "a.b.c", ".b"), "Without": reflect.DeepEqual(Without(1, []string{"x"}), []string{"x"}),
	} {
		if !same {
			t.Errorf("%s changes something though no fault is in force", name)
		}
	}
}

func TestAConditionIsNegatedOrForced(t *testing.T) {
	for fault, want := range map[int32][2]bool{1: {false, true}, 2: {true, true}, 3: {false, false}} {
		force(t, fault)
		if got := [2]bool{If(1, true), If(1, false)}; got != want {
			t.Errorf("fault %d makes %v of true and false, expected %v", fault, got, want)
		}
	}
}

func TestALoopEndsBeforeItsFirstOrSecondRound(t *testing.T) {
	for fault, want := range map[int32]int{0: 3, 1: 0, 2: 1} {
		force(t, fault)
		rounds, seen := 0, 0
		for range 3 {
			if Loop(1, &rounds) {
				break
			}
			seen++
		}
		if seen != want {
			t.Errorf("fault %d lets a loop of three go round %d times, expected %d", fault, seen, want)
		}
	}
}

func TestAComparisonIsLoosened(t *testing.T) {
	force(t, 1)
	if !Equal(1, "node-a", "node-ab") || !Equal(1, "node-ab", "node-a") || Equal(1, "node-a", "node-b") || Equal(1, "", "a") {
		t.Error("fault 1 is that one text begins with the other, and nothing else")
	}
	force(t, 2)
	if !Equal(1, "", "a") || !Equal(1, "a", "") || Equal(1, "a", "ab") {
		t.Error("fault 2 is that an empty text equals any, and nothing else")
	}
}

func TestOnlyWhatWouldDifferIsMarked(t *testing.T) {
	force(t, 0)
	Forced(1, true)
	And(3, true)
	Or(4, true)
	Error(5, nil)
	if want := []byte{0, 0, 1, 0, 1, 0}; !reflect.DeepEqual(marks[:6], want) {
		t.Errorf("marks are %v, expected %v", marks[:6], want)
	}
}

func TestTheFileIsShared(t *testing.T) {
	before, markedBefore := inForce, marks
	t.Cleanup(func() { inForce, marks = before, markedBefore })
	path := filepath.Join(t.TempDir(), "faults")
	if err := os.WriteFile(path, make([]byte, 10), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := share(path); err == nil {
		t.Error("a file that is too short is taken")
	}
	if err := os.WriteFile(path, make([]byte, HeaderSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := share(path); err != nil {
		t.Fatal(err)
	}
	marks[0] = 1
	if content, err := os.ReadFile(path); err != nil || content[HeaderSize] != 1 {
		t.Errorf("a mark does not show in the file: %v, %v", content, err)
	}
}
