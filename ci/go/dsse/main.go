// Whether a signed envelope holds, by the Go implementation that Sigstore and in-toto use: for ci/release/check.
//
//	dsse ENVELOPE PUBLIC.pem
//
// Exit codes: 1 it does not hold, or it does though it was changed; 2 bad usage.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/secure-systems-lab/go-securesystemslib/signerverifier"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "dsse:", err)
		os.Exit(1)
	}
	return value
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: dsse ENVELOPE PUBLIC.pem")
		os.Exit(2)
	}
	var envelope dsse.Envelope
	must(0, json.Unmarshal(must(os.ReadFile(os.Args[1])), &envelope))
	key := must(signerverifier.LoadKey(must(os.ReadFile(os.Args[2]))))
	verifier := must(signerverifier.NewECDSASignerVerifierFromSSLibKey(key))
	// Signers choose the names of keys, so any name is accepted if the key verifies the envelope.
	for i := range envelope.Signatures {
		envelope.Signatures[i].KeyID = key.KeyID
	}
	verify := must(dsse.NewEnvelopeVerifier(verifier))
	must(verify.Verify(context.Background(), &envelope))
	fmt.Println("go-securesystemslib: the envelope holds")
	payload := append(must(envelope.DecodeB64Payload()), ' ')
	envelope.Payload = base64.StdEncoding.EncodeToString(payload)
	if _, err := verify.Verify(context.Background(), &envelope); err == nil {
		fmt.Fprintln(os.Stderr, "dsse: it holds though it was changed")
		os.Exit(1)
	}
}
