// Counts the answered requests of nodes in an audit log, as a program of a few lines does with encoding/json.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type event struct {
	Stage string `json:"stage"`
	User  struct {
		Username string   `json:"username"`
		Groups   []string `json:"groups"`
	} `json:"user"`
	Verb           string `json:"verb"`
	RequestURI     string `json:"requestURI"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(bufio.NewReaderSize(file, 1<<20))
	lines.Buffer(nil, 1<<26)
	count := 0
	for lines.Scan() {
		var one event
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if one.Stage != "RequestReceived" && strings.HasPrefix(one.User.Username, "system:node:") {
			count++
		}
	}
	fmt.Println(count)
}
