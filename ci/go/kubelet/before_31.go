//go:build !kube1.31

package main

import "go.opentelemetry.io/otel/trace"

func noTraces() trace.TracerProvider { return trace.NewNoopTracerProvider() }
