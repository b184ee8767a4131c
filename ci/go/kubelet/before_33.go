//go:build !kube1.33

package main

import "github.com/spf13/pflag"

// There is no /flagz.
func flagzOf(*pflag.FlagSet) any { return nil }
