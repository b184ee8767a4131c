package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-client/pkg/fake"
)

// The first argument of the process that becomes a container.
const inContainer = "--in-container"

// runtime is upstream's fake, except that containers of known images run as processes.
type runtime struct {
	*fake.RemoteRuntime
	images map[string]string // folders by the image's name

	mutex   sync.Mutex
	planned map[string]container // by the container's id
}

// container is what the process that becomes it is told, as JSON.
type container struct {
	Image    string // its folder
	Log      string
	Command  []string
	Env      []string
	Folder   string // that it starts in
	Mounts   []mount
	User     int
	Groups   []int // the first is its own
	ReadOnly bool
	process  *os.Process
}

type mount struct {
	From     string
	To       string
	ReadOnly bool
}

func (r *runtime) CreateContainer(ctx context.Context, request *cri.CreateContainerRequest) (*cri.CreateContainerResponse, error) {
	answer, err := r.RemoteRuntime.CreateContainer(ctx, request)
	folder, known := r.images[request.GetConfig().GetImage().GetUserSpecifiedImage()]
	if !known {
		folder, known = r.images[request.GetConfig().GetImage().GetImage()]
	}
	if err != nil || !known {
		return answer, err
	}
	planned, err := planOf(folder, request)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.planned[answer.ContainerId] = planned
	return answer, nil
}

func planOf(folder string, request *cri.CreateContainerRequest) (container, error) {
	var image struct {
		Config struct {
			User       string
			Env        []string
			Entrypoint []string
			Cmd        []string
			WorkingDir string
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "config.json"))
	if err == nil {
		err = json.Unmarshal(text, &image)
	}
	if err != nil {
		return container{}, fmt.Errorf("the image's configuration: %w", err)
	}
	config := request.GetConfig()
	security := config.GetLinux().GetSecurityContext()
	out := container{
		Image:    folder,
		Log:      filepath.Join(request.GetSandboxConfig().GetLogDirectory(), config.GetLogPath()),
		Env:      image.Config.Env,
		Folder:   image.Config.WorkingDir,
		ReadOnly: security.GetReadonlyRootfs(),
	}
	// As Kubernetes says: a command replaces the image's entry point and arguments, arguments only the latter.
	out.Command = append(out.Command, config.GetCommand()...)
	arguments := config.GetArgs()
	if len(config.GetCommand()) == 0 {
		out.Command = append(out.Command, image.Config.Entrypoint...)
		if len(arguments) == 0 {
			arguments = image.Config.Cmd
		}
	}
	out.Command = append(out.Command, arguments...)
	if len(out.Command) == 0 {
		return container{}, fmt.Errorf("neither the image nor the pod says what to run")
	}
	if user := security.GetRunAsUser(); user != nil {
		out.User = int(user.Value)
	} else if _, err := fmt.Sscanf(image.Config.User, "%d", &out.User); image.Config.User != "" && err != nil {
		return container{}, fmt.Errorf("the image's user %q is no number", image.Config.User)
	}
	out.Groups = append(out.Groups, int(security.GetRunAsGroup().GetValue()))
	for _, group := range security.GetSupplementalGroups() {
		out.Groups = append(out.Groups, int(group))
	}
	for _, each := range config.GetEnvs() {
		out.Env = append(out.Env, each.Key+"="+string(each.Value))
	}
	if config.GetWorkingDir() != "" {
		out.Folder = config.GetWorkingDir()
	}
	for _, each := range config.GetMounts() {
		out.Mounts = append(out.Mounts, mount{each.HostPath, each.ContainerPath, each.Readonly})
	}
	return out, nil
}

func (r *runtime) StartContainer(ctx context.Context, request *cri.StartContainerRequest) (*cri.StartContainerResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	planned, known := r.planned[request.ContainerId]
	answer, err := r.RemoteRuntime.StartContainer(ctx, request)
	if err != nil || !known {
		return answer, err
	}
	if planned.process, err = r.start(request.ContainerId, planned); err != nil {
		return nil, err
	}
	r.planned[request.ContainerId] = planned
	return answer, nil
}

func (r *runtime) start(id string, planned container) (*os.Process, error) {
	told, err := json.Marshal(planned)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(planned.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	if err != nil {
		return nil, err
	}
	command := exec.Command("/proc/self/exe", inContainer, string(told))
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL, Setpgid: true}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() {
		var written sync.Mutex
		var copied sync.WaitGroup
		for name, from := range map[string]io.Reader{"stdout": stdout, "stderr": stderr} {
			copied.Add(1)
			go func() {
				defer copied.Done()
				copyLog(log, &written, name, from)
			}()
		}
		copied.Wait()
		_ = command.Wait()
		_ = log.Close()
		r.ended(id, command.ProcessState)
	}()
	return command.Process, nil
}

// copyLog writes lines as kubelets read them.
func copyLog(log io.Writer, written *sync.Mutex, name string, from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			part := "F"
			if line[len(line)-1] != '\n' {
				line += "\n"
			}
			written.Lock()
			fmt.Fprintf(log, "%s %s %s %s", time.Now().UTC().Format(time.RFC3339Nano), name, part, line)
			written.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (r *runtime) ended(id string, state *os.ProcessState) {
	r.RuntimeService.Lock()
	defer r.RuntimeService.Unlock()
	status, found := r.RuntimeService.Containers[id]
	if !found {
		return
	}
	status.State = cri.ContainerState_CONTAINER_EXITED
	status.FinishedAt = time.Now().UnixNano()
	status.ExitCode = int32(state.ExitCode())
	status.Reason = "Completed"
	if status.ExitCode != 0 {
		status.Reason = "Error"
	}
}

func (r *runtime) StopContainer(ctx context.Context, request *cri.StopContainerRequest) (*cri.StopContainerResponse, error) {
	r.kill(request.ContainerId)
	return r.RemoteRuntime.StopContainer(ctx, request)
}

func (r *runtime) RemoveContainer(ctx context.Context, request *cri.RemoveContainerRequest) (*cri.RemoveContainerResponse, error) {
	r.kill(request.ContainerId)
	return r.RemoteRuntime.RemoveContainer(ctx, request)
}

func (r *runtime) kill(id string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if process := r.planned[id].process; process != nil {
		_ = syscall.Kill(-process.Pid, syscall.SIGKILL)
	}
	delete(r.planned, id)
}
