package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	configMaps = "/api/v1/namespaces/default/configmaps"
	nodes      = "/api/v1/nodes"
)

// The objects that are written. There are few, so that clients conflict.
var objects = []string{configMaps + "/a", configMaps + "/b", configMaps + "/c", configMaps + "/d", nodes + "/a", nodes + "/b"}

// A client: sends one request at a time, and records request and answer.
type client struct {
	number   int
	random   *rand.Rand
	begin    time.Time
	address  string
	http     *http.Client
	values   int
	versions map[string]uint64 // the last version it saw of each object
	history  []porcupine.Operation
	wrong    error // an impossible answer
	failed   int   // with 500
}

func newClient(number int, seed int64, address string, begin time.Time) *client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // loopback only, for this test
	return &client{number: number, random: rand.New(rand.NewSource(seed)), begin: begin, address: address,
		http: &http.Client{Transport: transport, Timeout: patience}, versions: map[string]uint64{}}
}

// A value contains its own length, so that partial reads are noticed. Most are small, some fill many pages.
func (c *client) value(prefix string) string {
	size := c.random.Intn(200)
	switch c.random.Intn(20) {
	case 0:
		size = c.random.Intn(60000)
	case 1, 2, 3, 4:
		size = c.random.Intn(6000)
	}
	c.values++
	return fmt.Sprintf("%s.%d.%d.%d", prefix, c.number, c.values, size)
}

func filling(value string) string {
	size, _ := strconv.Atoi(value[strings.LastIndexByte(value, '.')+1:])
	sum := sha256.Sum256([]byte(value))
	text := hex.EncodeToString(sum[:])
	return strings.Repeat(text, size/len(text)+1)[:size]
}

type metadata struct {
	Name            string            `json:"name,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	UID             string            `json:"uid,omitempty"`
	Annotations     map[string]string `json:"annotations,omitempty"`
}

type stored struct {
	Metadata metadata `json:"metadata"`
	Details  *struct {
		UID string `json:"uid"`
	} `json:"details,omitempty"`
}

func (o stored) output(status int) (output, error) {
	version, err := strconv.ParseUint(o.Metadata.ResourceVersion, 10, 64)
	value := o.Metadata.Annotations["value"]
	if err != nil || o.Metadata.Annotations["filling"] != filling(value) {
		return output{}, fmt.Errorf("an object that nobody wrote: %.300v", o)
	}
	return output{status, value, version, o.Metadata.UID}, nil
}

// The request and its answer; Status 0: no answer.
func (c *client) send(method, path, contentType string, body any) (int, []byte) {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, c.address+path, bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer token")
	if body != nil {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil
	}
	return answer.StatusCode, got
}

// One request for one object, and its result.
func (c *client) ask(in input) output {
	const ours = "application/json"
	collection, name, _ := cutLast(in.Object)
	own := metadata{Annotations: map[string]string{"value": in.Value, "filling": filling(in.Value)}}
	if in.Kind == create || in.Kind == replace {
		own.Name = name
	}
	if in.Version != 0 {
		own.ResourceVersion = strconv.FormatUint(in.Version, 10)
	}
	var status int
	var body []byte
	switch in.Kind {
	case create:
		status, body = c.send("POST", collection, ours, stored{Metadata: own})
	case replace:
		status, body = c.send("PUT", in.Object, ours, stored{Metadata: own})
	case patch:
		status, body = c.send("PATCH", in.Object, "application/merge-patch+json", stored{Metadata: own})
	case remove:
		options := map[string]any{}
		if in.Version != 0 {
			options["preconditions"] = map[string]string{"resourceVersion": own.ResourceVersion}
		}
		status, body = c.send("DELETE", in.Object, ours, options)
	default:
		status, body = c.send("GET", in.Object, "", nil)
	}
	out := output{Status: status}
	if status >= 500 {
		c.failed++
	}
	if status == 0 || status == http.StatusNotFound || status == http.StatusConflict || status >= 500 {
		return out
	}
	var answer stored
	err := json.Unmarshal(body, &answer)
	switch {
	case err != nil || status >= 300:
		c.wrong = fmt.Errorf("%s: %d, %.300s", describe(in, output{}), status, body)
	case in.Kind == remove && answer.Details != nil:
		out.UID = answer.Details.UID
	default:
		if out, err = answer.output(status); err != nil {
			c.wrong = fmt.Errorf("%s: %w", describe(in, output{}), err)
		}
	}
	if out.Version != 0 {
		c.versions[in.Object] = out.Version
	}
	return out
}

func cutLast(path string) (string, string, bool) {
	at := strings.LastIndexByte(path, '/')
	return path[:at], path[at+1:], at >= 0
}

func (c *client) now() int64 { return int64(time.Since(c.begin)) }

func (c *client) note(in input, call int64, out output, answered int64) {
	c.history = append(c.history, porcupine.Operation{ClientId: c.number, Input: in, Call: call, Output: out, Return: answered})
}

func (c *client) draw(prefix string) input {
	in := input{Object: objects[c.random.Intn(len(objects))]}
	switch draw := c.random.Intn(100); {
	case draw < 20:
		in.Kind = create
	case draw < 50:
		in.Kind = replace
	case draw < 65:
		in.Kind = patch
	case draw < 80:
		in.Kind = remove
	default:
		in.Kind = read
	}
	if in.Kind == create || in.Kind == replace || in.Kind == patch {
		in.Value = c.value(prefix)
	}
	// The last version that it saw, which others may have replaced long ago.
	if (in.Kind == replace || in.Kind == remove) && c.random.Intn(2) == 0 {
		in.Version = c.versions[in.Object]
	}
	return in
}

// Sends requests until one stays unanswered. That one may take effect until the server is dead, so it ends at `never`.
func (c *client) run(prefix string) {
	defer c.http.CloseIdleConnections()
	for c.wrong == nil {
		call := c.now()
		if c.random.Intn(20) == 0 {
			if !c.list(call) {
				return
			}
			continue
		}
		in := c.draw(prefix)
		out := c.ask(in)
		answered := c.now()
		if out.Status == 0 {
			answered = never
		}
		c.note(in, call, out, answered)
		if out.Status == 0 {
			return
		}
	}
}

// Until the server is dead.
const never = int64(1) << 62

// A list counts as a read of each object.
func (c *client) list(call int64) bool {
	collection := []string{configMaps, nodes}[c.random.Intn(2)]
	status, body := c.send("GET", collection, "", nil)
	answered := c.now()
	if status == 0 {
		return false
	}
	var found struct {
		Items []stored `json:"items"`
	}
	if err := json.Unmarshal(body, &found); err != nil || status != http.StatusOK {
		c.wrong = fmt.Errorf("list %s: %d, %.300s", collection, status, body)
		return true
	}
	there := map[string]output{}
	for _, each := range found.Items {
		if _, ours := each.Metadata.Annotations["value"]; !ours {
			continue // kube-root-ca.crt
		}
		out, err := each.output(http.StatusOK)
		if err != nil {
			c.wrong = fmt.Errorf("list %s: %w", collection, err)
			return true
		}
		there[collection+"/"+each.Metadata.Name] = out
	}
	for _, path := range objects {
		if before, _, _ := cutLast(path); before != collection {
			continue
		}
		out, found := there[path]
		if !found {
			out = output{Status: http.StatusNotFound}
		}
		c.note(input{Object: path, Kind: read}, call, out, answered)
	}
	return true
}
