#include "harness/cli/shell/manual.h"

namespace nodebound::cli {
namespace {

/// Text that roff takes for nothing else: a line that begins with a dot or quote would be a request, a bare `-` a
/// hyphen.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string tagged(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + roff(text) + "\n";
}

std::string tag_of(const DescribedOption& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  if (option.is_argument() || !option.has_value) return out;
  std::string value = option.value.empty() ? "VALUE" : option.value;
  if (!option.choices.empty()) {
    value.clear();
    for (const std::string& choice : option.choices) value += (value.empty() ? "" : "|") + choice;
  }
  return out + " \\fI" + roff(value) + "\\fR";
}

std::string section_of(const DescribedCommand& command) {
  std::string out = ".SS nodebound " + roff(command.path) + "\n" + roff(command.text) + "\n";
  for (const DescribedOption& option : command.options) {
    std::string text = option.text;
    if (!option.default_value.empty()) text += " (default: " + option.default_value + ")";
    out += tagged(tag_of(option), text);
  }
  return out;
}

constexpr const char* beginning = R"(.SH NAME
nodebound \- does a Kubernetes control plane keep a node within its bounds?
.SH SYNOPSIS
.B nodebound
[\fB\-\-config\fR \fIFILE\fR] \fICOMMAND\fR [\fIFLAG\fR ...]
.SH DESCRIPTION
A conformance suite, a reference implementation and a simulator of what a Kubernetes node may do: the Node authorizer,
NodeRestriction, mirror pods, label rules and the kubelet's own API, for every release that it knows.
.PP
To begin with:
.PP
.nf
nodebound run                          judge the reference
nodebound run \-\-target kubeconfig      judge the cluster of your kubeconfig
nodebound compare 1.31 1.34 \-\-brief    what changes between two releases
.fi
.SH COMMANDS
)";

constexpr const char* ending = R"(.SH EXIT STATUS
0 conforms; 1 does not; 2 bad usage or input; 3 could not tell; 4 nothing ran.
.SH FILES
.TP
\fBnodebound.toml\fR
Flags of commands, in the working folder or where \fB\-\-config\fR says: a table for each command, a key for each flag.
.TP
\fBout/report.json\fR, \fBout/junit.xml\fR
The reports of a run.
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
Prints without colours.
.TP
\fBKUBECONFIG\fR, \fBKUBEBUILDER_ASSETS\fR, \fBTEST_ASSET_KUBE_APISERVER\fR, \fBTEST_ASSET_ETCD\fR
Where targets are found.
)";

}  // namespace

std::string manual_page(const DescribedCommand& program, const std::string& version) {
  std::string out = ".TH NODEBOUND 1 \"\" \"nodebound " + roff(version) + "\" \"Nodebound\"\n" + beginning;
  each_command(program, [&](const DescribedCommand& command) {
    if (!command.path.empty()) out += section_of(command);
  });
  return out + ending;
}

}  // namespace nodebound::cli
