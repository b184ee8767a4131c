//go:build !kube1.37

package main

import (
	cadvisorapi "github.com/google/cadvisor/info/v1"
	cadvisorv2 "github.com/google/cadvisor/info/v2"
)

func (h *host) GetVersionInfo() (*cadvisorapi.VersionInfo, error) {
	return &cadvisorapi.VersionInfo{KernelVersion: "6.1.0", ContainerOsVersion: "none", CadvisorVersion: "none"}, nil
}

func (h *host) GetCachedMachineInfo() (*cadvisorapi.MachineInfo, error) {
	return &cadvisorapi.MachineInfo{Timestamp: start.Time, NumCores: 2, MemoryCapacity: 4 << 30, MachineID: "0"}, nil
}

func (h *host) GetRequestedContainersInfo(string, cadvisorv2.RequestOptions) (map[string]*cadvisorapi.ContainerInfo, error) {
	return nil, nil
}
