package main

import (
	"testing"

	"github.com/anishathalye/porcupine"
)

// In sequence, unless a test says otherwise.
func history(pairs ...any) []porcupine.Operation {
	var operations []porcupine.Operation
	for i := 0; i < len(pairs); i += 2 {
		at := int64(10 * i)
		operations = append(operations, porcupine.Operation{ClientId: i, Input: pairs[i], Call: at, Output: pairs[i+1], Return: at + 5})
	}
	return operations
}

var (
	made      = output{201, "one", 7, "u1"}
	makeOne   = input{"a", create, "one", 0}
	writeTwo  = input{"a", replace, "two", 0}
	readIt    = input{"a", read, "", 0}
	removeIt  = input{"a", remove, "", 0}
	gone      = output{Status: 404}
	noAnswer  = output{}
	conflict  = output{Status: 409}
	noRoom    = output{Status: 500}
	wroteTwo  = output{200, "two", 8, "u1"}
	readOne   = output{200, "one", 7, "u1"}
	readTwo   = output{200, "two", 8, "u1"}
	wasGone   = output{Status: 200, UID: "u1"}
	cameAgain = output{201, "one", 9, "u2"}
)

func TestWhatIsLinearizable(t *testing.T) {
	for name, operations := range map[string][]porcupine.Operation{
		"nothing lost":                     history(makeOne, made, writeTwo, wroteTwo, readIt, readTwo),
		"no answer, and it happened":       history(makeOne, made, writeTwo, noAnswer, readIt, readTwo),
		"no answer, and it did not":        history(makeOne, made, writeTwo, noAnswer, readIt, readOne),
		"no room, and it did not":          history(makeOne, made, writeTwo, noRoom, readIt, readOne),
		"created without an answer":        history(makeOne, noAnswer, readIt, readOne, writeTwo, wroteTwo),
		"removed without an answer":        history(makeOne, made, removeIt, noAnswer, readIt, gone),
		"removed and made again":           history(makeOne, made, removeIt, wasGone, makeOne, cameAgain),
		"created twice":                    history(makeOne, made, makeOne, conflict),
		"a version that is right":          history(makeOne, made, input{"a", replace, "two", 7}, wroteTwo),
		"a version that is not":            history(makeOne, made, input{"a", replace, "two", 6}, conflict, readIt, readOne),
		"a version that nobody was told":   history(makeOne, noAnswer, input{"a", remove, "", 6}, conflict),
		"replaced what is not there":       history(writeTwo, gone, removeIt, gone, readIt, gone),
		"the newest of what was forgotten": history(makeOne, made, writeTwo, noAnswer, input{"a", replace, "three", 8}, output{200, "three", 9, "u1"}),
	} {
		if !porcupine.CheckOperations(modelOf(object{}), operations) {
			t.Errorf("%s: refused", name)
		}
	}
}

func TestWhatIsNot(t *testing.T) {
	for name, operations := range map[string][]porcupine.Operation{
		"an acknowledged write is lost":         history(makeOne, made, writeTwo, wroteTwo, readIt, readOne),
		"an acknowledged object is lost":        history(makeOne, made, readIt, gone),
		"an acknowledged removal is lost":       history(makeOne, made, removeIt, wasGone, readIt, readOne),
		"a write that was refused happened":     history(makeOne, made, writeTwo, noRoom, readIt, readTwo),
		"a read is taken back":                  history(makeOne, made, writeTwo, noAnswer, readIt, readTwo, readIt, readOne),
		"no answer, and it happens later":       history(makeOne, made, writeTwo, noAnswer, readIt, readOne, readIt, readTwo),
		"created twice":                         history(makeOne, made, makeOne, output{201, "one", 8, "u2"}),
		"a version comes again":                 history(makeOne, made, writeTwo, output{200, "two", 7, "u1"}),
		"a version goes back":                   history(makeOne, made, writeTwo, output{200, "two", 6, "u1"}),
		"another version is read":               history(makeOne, made, readIt, output{200, "one", 8, "u1"}),
		"another UID is read":                   history(makeOne, made, readIt, output{200, "one", 7, "u2"}),
		"a UID comes again":                     history(makeOne, made, removeIt, wasGone, makeOne, output{201, "one", 9, "u1"}),
		"a version that is not right was taken": history(makeOne, made, input{"a", replace, "two", 6}, wroteTwo),
		"a version that is right was not":       history(makeOne, made, input{"a", replace, "two", 7}, conflict),
		"a value that nobody wrote":             history(makeOne, made, readIt, output{200, "none", 7, "u1"}),
	} {
		if porcupine.CheckOperations(modelOf(object{}), operations) {
			t.Errorf("%s: taken for linearizable", name)
		}
	}
}

// Concurrent requests may take effect in either order; requests that do not overlap keep theirs.
func TestSideBySide(t *testing.T) {
	operations := []porcupine.Operation{
		{ClientId: 0, Input: makeOne, Call: 0, Output: made, Return: 5},
		{ClientId: 0, Input: writeTwo, Call: 10, Output: wroteTwo, Return: 30},
		{ClientId: 1, Input: readIt, Call: 11, Output: readTwo, Return: 12},
		{ClientId: 2, Input: readIt, Call: 11, Output: readOne, Return: 12},
	}
	if !porcupine.CheckOperations(modelOf(object{}), operations) {
		t.Error("refused")
	}
	operations[3].Call, operations[3].Return = 13, 14
	if porcupine.CheckOperations(modelOf(object{}), operations) {
		t.Error("a read of what was replaced was taken")
	}
}

func TestDisk(t *testing.T) {
	disk := newDisk(map[string][]byte{"db": []byte("aaaa")})
	disk.write("db", 4, []byte("bbbb"))
	disk.write("wal", 0, []byte("cccc"))
	disk.sync("db")
	disk.write("db", 0, []byte("dddd"))
	if got := string(disk.synced["db"]); got != "aaaabbbb" {
		t.Errorf("db is %q", got)
	}
	if got := string(disk.synced["wal"]); got != "" {
		t.Errorf("wal is %q", got)
	}
	whole := disk.after(func(string, int, int) bool { return true })
	if string(whole["db"]) != "ddddbbbb" || string(whole["wal"]) != "cccc" {
		t.Errorf("with all: %q", whole)
	}
	none := disk.after(func(string, int, int) bool { return false })
	if string(none["db"]) != "aaaabbbb" || len(none["wal"]) != 0 {
		t.Errorf("with none: %q", none)
	}
}
