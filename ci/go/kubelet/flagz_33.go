//go:build kube1.33 && !kube1.35

package main

import (
	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/zpages/flagz"
)

func flagzOf(set *pflag.FlagSet) any {
	return flagz.NamedFlagSetsReader{FlagSets: cliflag.NamedFlagSets{FlagSets: map[string]*pflag.FlagSet{"kubelet": set}}}
}
