//go:build kube1.35

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/server/flagz"
	cliflag "k8s.io/component-base/cli/flag"
)

func flagzOf(set *pflag.FlagSet) any {
	return flagz.NamedFlagSetsReader{FlagSets: cliflag.NamedFlagSets{FlagSets: map[string]*pflag.FlagSet{"kubelet": set}}}
}
