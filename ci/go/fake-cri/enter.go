package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// The cluster has neither DNS nor a proxy for services: its API server answers at this name here, too.
const hosts = "127.0.0.1 localhost kubernetes.default.svc\n"

const noNewPrivileges = 38 // PR_SET_NO_NEW_PRIVS

// enter makes this process the container. It runs in a mount namespace of its own, and returns only an error.
func enter(told string) error {
	var is container
	if err := json.Unmarshal([]byte(told), &is); err != nil {
		return err
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	// Nobody else sees what is mounted there.
	root := "/mnt"
	if err := syscall.Mount("none", root, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("a root in memory: %w", err)
	}
	if out, err := exec.Command("cp", "-a", filepath.Join(is.Image, "rootfs")+"/.", root).CombinedOutput(); err != nil {
		return fmt.Errorf("the image: %w: %s", err, out)
	}
	mounts := append([]mount{{"/proc", "/proc", false}, {"/dev", "/dev", false}}, is.Mounts...)
	for _, each := range mounts {
		if each.To == "/etc/hosts" {
			continue
		}
		if err := bind(each.From, filepath.Join(root, each.To), each.ReadOnly); err != nil {
			return fmt.Errorf("mount %s: %w", each.To, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "etc"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "etc/hosts"), []byte(hosts), 0o644); err != nil {
		return err
	}
	if is.ReadOnly {
		if err := syscall.Mount("", root, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("a read-only root: %w", err)
		}
	}
	if err := syscall.Chroot(root); err != nil {
		return err
	}
	if is.Folder == "" {
		is.Folder = "/"
	}
	if err := os.Chdir(is.Folder); err != nil {
		return err
	}
	if err := become(is.User, is.Groups); err != nil {
		return err
	}
	return syscall.Exec(is.Command[0], is.Command, is.Env)
}

func bind(from, to string, readOnly bool) error {
	about, err := os.Stat(from)
	if err != nil {
		return err
	}
	if about.IsDir() {
		err = os.MkdirAll(to, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
		var made *os.File
		if made, err = os.OpenFile(to, os.O_CREATE|os.O_RDONLY, 0o644); err == nil {
			_ = made.Close()
		}
	}
	if err != nil {
		return err
	}
	if err := syscall.Mount(from, to, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return err
	}
	if !readOnly {
		return nil
	}
	return syscall.Mount("", to, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}

func become(user int, groups []int) error {
	if err := syscall.Setgroups(groups); err != nil {
		return err
	}
	if err := syscall.Setgid(groups[0]); err != nil {
		return err
	}
	if err := syscall.Setuid(user); err != nil {
		return err
	}
	_, _, failed := syscall.Syscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0)
	if failed != 0 {
		return failed
	}
	return nil
}
