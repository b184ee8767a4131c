package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"path/filepath"
	"reflect"
	"strconv"

	"github.com/spf13/pflag"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/component-base/version/verflag"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/kubeletconfig/configfiles"
	utilfs "k8s.io/kubernetes/pkg/util/filesystem"
)

func newFlagSet() *pflag.FlagSet {
	set := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	set.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	return set
}

// Flags win over the file, so they are set again over what was read from it; those that have nothing to do with the
// configuration must not be heard twice.
func applyFlags(config *kubeletconfig.KubeletConfiguration, args []string) error {
	global, set := newFlagSet(), newFlagSet()
	options.AddGlobalFlags(global)
	global.VisitAll(func(flag *pflag.Flag) { set.VarP(cliflag.NoOp{}, flag.Name, flag.Shorthand, flag.Usage) })
	options.NewKubeletFlags().AddFlags(set)
	options.AddKubeletConfigFlags(set, config)
	set.SetOutput(io.Discard)

	gatesOfFile := config.FeatureGates
	if err := set.Parse(args); err != nil {
		return err
	}
	for gate, on := range gatesOfFile {
		if _, isFlag := config.FeatureGates[gate]; !isFlag {
			config.FeatureGates[gate] = on
		}
	}
	return nil
}

// kubelet's own check of ports has no place for 0. The server listens by itself and late, so the port is one that the
// kernel gives to nobody else in between: it is below those that it hands out.
func choosePort(config *kubeletconfig.KubeletConfiguration) error {
	if config.Port != 0 {
		return nil
	}
	var err error
	for range [100]struct{}{} {
		port := int32(16384 + rand.Intn(16384))
		var listener net.Listener
		if listener, err = net.Listen("tcp", net.JoinHostPort(config.Address, strconv.Itoa(int(port)))); err == nil {
			config.Port = port
			return listener.Close()
		}
	}
	return err
}

func load(ctx context.Context, file string, args []string) (*kubeletconfig.KubeletConfiguration, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	loader, err := configfiles.NewFsLoader(&utilfs.DefaultFs{}, path)
	if err != nil {
		return nil, err
	}
	loaded, err := call(loader.Load, ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	config := loaded.(*kubeletconfig.KubeletConfiguration)
	return config, applyFlags(config, args)
}

// What kubelet's command has read before it starts anything.
type settings struct {
	flags  *options.KubeletFlags
	config *kubeletconfig.KubeletConfiguration
	set    *pflag.FlagSet
}

// Flags, then the file under them, then kubelet's own checks: the order of kubelet's command.
func configure(ctx context.Context, args []string) (*settings, error) {
	config, err := options.NewKubeletConfiguration()
	if err != nil {
		return nil, err
	}
	made := &settings{options.NewKubeletFlags(), config, newFlagSet()}
	made.flags.AddFlags(made.set)
	options.AddKubeletConfigFlags(made.set, config)
	options.AddGlobalFlags(made.set)
	if err := made.set.Parse(args); err != nil {
		return nil, err
	}
	verflag.PrintAndExitIfRequested()
	if made.set.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", made.set.Arg(0))
	}
	if made.set.Changed("config-dir") {
		return nil, errors.New("--config-dir: kubelet does not export how it merges files; give one file by --config")
	}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(config.FeatureGates); err != nil {
		return nil, err
	}
	if err := options.ValidateKubeletFlags(made.flags); err != nil {
		return nil, err
	}
	if made.flags.KubeletConfigFile != "" {
		if made.config, err = load(ctx, made.flags.KubeletConfigFile, args); err != nil {
			return nil, err
		}
	}
	return made, apply(made.config)
}

// Gates are set again after the file: it may name others.
func apply(config *kubeletconfig.KubeletConfiguration) error {
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(config.FeatureGates); err != nil {
		return err
	}
	logs.InitLogs()
	if err := logsapi.ValidateAndApply(&config.Logging, utilfeature.DefaultFeatureGate); err != nil {
		return err
	}
	if err := choosePort(config); err != nil {
		return err
	}
	utilfeature.DefaultMutableFeatureGate.AddMetrics()
	return validation.ValidateKubeletConfiguration(withoutCgroups(config), utilfeature.DefaultFeatureGate)
}

// A check of the machine, not of the configuration: whether containers could run here, where none does.
func withoutCgroups(config *kubeletconfig.KubeletConfiguration) *kubeletconfig.KubeletConfiguration {
	copied := config.DeepCopy()
	// Since 1.31.
	if field := reflect.ValueOf(copied).Elem().FieldByName("FailCgroupV1"); field.IsValid() {
		field.SetBool(false)
	}
	return copied
}
