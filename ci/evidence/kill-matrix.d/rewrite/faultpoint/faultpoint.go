// Package faultpoint is what rewritten sources call: each fault has a number, at most one is in force at a time, and
// with none in force every function gives back what it was given.
//
// NODEBOUND_FAULT names the fault of a process for its whole life. NODEBOUND_FAULT_FILE names a file instead that is
// mapped into memory: its first four bytes are the fault in force, which may change at any time, and from byte
// HeaderSize on there is a byte for each fault, set to 1 once the fault, had it been in force, would have made a
// difference right where it sits.
package faultpoint

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// HeaderSize is where the marks of the faults begin in the file.
const HeaderSize = 64

// What stands for an error that should not be; the rewriter makes it one that API servers answer with 403.
var refusal = errors.New("a fault refuses this")

var (
	inForce = new(int32)
	marks   = make([]byte, len(names)+1)
)

func init() {
	if path := os.Getenv("NODEBOUND_FAULT_FILE"); path != "" {
		if err := share(path); err != nil {
			fatal("NODEBOUND_FAULT_FILE", err)
		}
		return
	}
	wanted := os.Getenv("NODEBOUND_FAULT")
	if wanted == "" {
		return
	}
	for i, name := range names {
		if name == wanted {
			*inForce = int32(i + 1)
			return
		}
	}
	fatal("NODEBOUND_FAULT", errors.New("there is no fault "+wanted))
}

func fatal(variable string, err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", variable, err)
	os.Exit(2)
}

func share(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	size := HeaderSize + len(names) + 1
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < int64(size) {
		return fmt.Errorf("%s has %d bytes; %d faults need %d", path, info.Size(), len(names), size)
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return err
	}
	inForce = (*int32)(unsafe.Pointer(&memory[0]))
	marks = memory[HeaderSize:]
	return nil
}

// on tells whether the fault is in force; differs, whether it would change anything here.
func on(fault int, differs bool) bool {
	if differs && marks[fault] == 0 {
		marks[fault] = 1
	}
	return atomic.LoadInt32(inForce) == int32(fault)
}

// If is a condition: negated, always true, always false.
func If(first int, value bool) bool {
	if on(first, true) {
		return !value
	}
	return Forced(first+1, value)
}

// Forced is a condition: always true, always false.
func Forced(first int, value bool) bool {
	alwaysTrue, alwaysFalse := on(first, !value), on(first+1, value)
	return alwaysTrue || value && !alwaysFalse
}

// And is an operand of && that may be dropped, Or one of ||.
func And(fault int, value bool) bool { return on(fault, !value) || value }

// Or is an operand of || that may be dropped.
func Or(fault int, value bool) bool { return !on(fault, value) && value }

// Case is what a switch compares; the case may be missing.
func Case(fault int, value bool) bool { return !on(fault, value) && value }

// Not is a result that may be turned round.
func Not(fault int, value bool) bool { return on(fault, true) != value }

// Kept tells whether the statement that follows is still there.
func Kept(fault int) bool { return !on(fault, true) }

// Instead is a value that may be taken for another.
func Instead[T any](fault int, value, other T) T {
	if on(fault, true) {
		return other
	}
	return value
}

// Loop tells whether a loop ends before this round: it never begins, or stops after its first element.
func Loop(first int, rounds *int) bool {
	*rounds++
	skipped, firstOnly := on(first, true), on(first+1, *rounds > 1)
	return skipped || firstOnly && *rounds > 1
}

// Error is an error that may get lost.
func Error(fault int, err error) error {
	if on(fault, err != nil) {
		return nil
	}
	return err
}

// NoError may refuse what is fine.
func NoError(fault int) error {
	if on(fault, true) {
		return refusal
	}
	return nil
}

// Equal is a comparison that may be loosened: one text is the beginning of the other, or an empty one is equal to all.
func Equal[A, B ~string](first int, left A, right B) bool {
	a, b := string(left), string(right)
	exact := a == b
	begins := a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
	prefix := on(first, begins && !exact)
	empty := on(first+1, !exact && (a == "" || b == ""))
	return exact || prefix && begins || empty && (a == "" || b == "")
}

// Literal is a comparison with a word of the source that may be taken for a prefix.
func Literal[A, B ~string](fault int, text A, word B) bool {
	exact := string(text) == string(word)
	begins := strings.HasPrefix(string(text), string(word))
	if on(fault, begins != exact) {
		return begins
	}
	return exact
}

// Affix is HasPrefix or HasSuffix that may find its text anywhere.
func Affix(fault int, value bool, text, part string) bool {
	anywhere := strings.Contains(text, part)
	if on(fault, anywhere != value) {
		return anywhere
	}
	return value
}

// Without is a list from which one word may be missing.
func Without(first int, words []string) []string {
	var kept []string
	for i, word := range words {
		if !on(first+i, true) {
			kept = append(kept, word)
		}
	}
	return kept
}
