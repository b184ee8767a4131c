#!/usr/bin/env python3
"""A report whose texts carry what a browser or a terminal would act on.

  hostile.py REPORT OUT
"""

import json
import sys

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'--></style></title></dd>"
    "\x1b[31m\x1b]0;owned\x07\u202egnp.exe\u2066\u0000 {}"
) + "\u05d0" * 3


def main():
    source, out = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        report = json.load(file)
    report["target"]["name"] = HOSTILE.format("target")
    report["target"]["version"] = HOSTILE.format("version")
    for number, check in enumerate(report["checks"]):
        for key in ("observed", "why"):
            if check["verdict"] != "pass":
                check[key] = HOSTILE.format(number)
        if check["verdict"] == "fail":
            check["evidence"]["message"] = HOSTILE.format("message") + "y" * (number % 3 * 5000)
    report["subjects"] = [HOSTILE.format(number) for number in range(len(report["subjects"]))]
    report["requests"] = [HOSTILE.format(number) for number in range(len(report["requests"]))]
    for number, scenario in enumerate(report["scenarios"]):
        scenario["title"] = HOSTILE.format(number)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(report, file)


if __name__ == "__main__":
    main()
