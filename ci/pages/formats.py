#!/usr/bin/env python3
"""Whether the SARIF log is as its schema says, and Prometheus reads the metrics.

  formats.py WORK RUN
"""

import json
import pathlib
import sys

import jsonschema
from prometheus_client.openmetrics.parser import text_string_to_metric_families

SCHEMA = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"


def main():
    work, run = map(pathlib.Path, sys.argv[1:])
    schema = json.loads((work / SCHEMA).read_text())
    log = json.loads((run / "report.sarif").read_text())
    jsonschema.Draft7Validator(schema).validate(log)
    families = {family.name: family for family in text_string_to_metric_families((run / "metrics.txt").read_text())}
    summary = json.loads((run / "report.json").read_text())["summary"]
    counted = sum(sample.value for sample in families["nodebound_checks"].samples)
    if counted != summary["checks"]:
        sys.exit(f"{run}: the metrics count {counted} checks, the report {summary['checks']}")
    print(f"{run}: {len(log['runs'][0]['results'])} results, {len(families)} metrics")


if __name__ == "__main__":
    main()
