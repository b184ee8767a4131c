package main

import (
	"fmt"
	"os"
	"reflect"
)

// Calls a function whose parameters differ from one release to the next: each gets the first of these values that its
// type takes. Returns the first result, and the error if the last one is an error.
func call(function any, values ...any) (any, error) {
	f := reflect.ValueOf(function)
	arguments := make([]reflect.Value, f.Type().NumIn())
	for i := range arguments {
		argument, found := valueFor(f.Type().In(i), values)
		if !found {
			return nil, fmt.Errorf("%v wants a %v, which is not among what this program has", f.Type(), f.Type().In(i))
		}
		arguments[i] = argument
	}
	results := f.Call(arguments)
	if len(results) == 0 {
		return nil, nil
	}
	err, _ := results[len(results)-1].Interface().(error)
	return results[0].Interface(), err
}

func valueFor(wanted reflect.Type, values []any) (reflect.Value, bool) {
	for _, value := range values {
		if value != nil && reflect.TypeOf(value).AssignableTo(wanted) {
			return reflect.ValueOf(value), true
		}
	}
	return reflect.Value{}, false
}

func mustCall(function any, values ...any) {
	if _, err := call(function, values...); err != nil {
		fmt.Fprintln(os.Stderr, "kubelet:", err)
		os.Exit(1)
	}
}
