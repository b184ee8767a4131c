#include "harness/cli/shell/completion.h"

#include <functional>

namespace nodebound::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// Between single quotes of a shell; fish wants `\'` where others end and begin the quotes.
std::string quoted(const std::string& text, const char* quote_inside = R"('\'')") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote_inside;
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out + "'";
}

/// The first sentence: a list of candidates has one line for each.
std::string summary(const std::string& text) {
  const std::size_t end = std::min(text.find(". "), text.find('\n'));
  return text.substr(0, std::min(end, std::size_t{90}));
}

/// Which words of `nodebound completion words` an option takes; empty if none.
std::string asked_words(const DescribedOption& option) {
  if (option.names.front() == "--profile") return "profiles";
  if (option.names.front() == "--release") return "releases";
  return option.names.front() == "id" ? "rules" : "";
}

std::string asked(const std::string& kind) {
  return "nodebound completion words " + kind + " 2>/dev/null";
}

std::vector<std::string> candidates(const DescribedCommand& command) {
  std::vector<std::string> out;
  for (const DescribedCommand& each : command.commands) out.push_back(each.name);
  for (const DescribedOption& option : command.options) {
    if (!option.is_argument()) out.push_back(option.names.front());
  }
  return out;
}

/// `"run --out"|"run -o"`: the command and a flag of it, as a pattern of `case`.
std::string pattern_of(const DescribedCommand& command, const DescribedOption& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "\"" : "|\"") + command.path + " " + name + "\"";
  return out;
}

/// Calls `write` with each flag that takes a value.
void each_value(const DescribedCommand& program,
                const std::function<void(const std::string& pattern, const DescribedOption& option)>& write) {
  each_command(program, [&](const DescribedCommand& command) {
    for (const DescribedOption& option : command.options) {
      if (!option.is_argument() && option.has_value) write(pattern_of(command, option), option);
    }
  });
}

/// Lines of bash and zsh that put the command of the words before the cursor into $command.
std::string command_of_words(const DescribedCommand& program, const std::string& words) {
  std::string paths;
  each_command(program, [&](const DescribedCommand& command) {
    if (command.path.empty()) return;
    const std::string before = command.path.find(' ') == std::string::npos ? " " : "";
    paths += (paths.empty() ? "\"" : "|\"") + before + command.path + "\"";
  });
  return "  for word in " + words + "; do\n    case \"$command $word\" in\n      " + paths +
         ") command=\"${command:+$command }$word\" ;;\n    esac\n  done\n";
}

}  // namespace

std::string bash_completion(const DescribedCommand& program) {
  std::string out = "# Completion of nodebound for bash, as `nodebound completion bash` prints it.\n_nodebound() {\n";
  out += "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word words=\n";
  out += command_of_words(program, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
  out += "  COMPREPLY=()\n  case \"$command $previous\" in\n";
  each_value(program, [&](const std::string& pattern, const DescribedOption& option) {
    const std::string kind = asked_words(option);
    std::string then = "return";
    if (!option.choices.empty()) then = "words=" + quoted(joined(option.choices));
    if (!kind.empty()) then = "words=$(" + asked(kind) + ")";
    out += "    " + pattern + ") " + then + " ;;\n";
  });
  out += "    *)\n      case \"$command\" in\n";
  each_command(program, [&](const DescribedCommand& command) {
    out += "        \"" + command.path + "\")";
    if (command.commands.empty()) out += " [[ $current == -* ]] &&";
    out += " words=" + quoted(joined(candidates(command))) + " ;;\n";
  });
  out += "      esac ;;\n  esac\n";
  out += "  [[ $command == rules && $current != -* && -z $words ]] && words=$(" + asked("rules") + ")\n";
  out += "  [[ -n $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n  return 0\n}\n";
  return out + "complete -o default -F _nodebound nodebound kubectl-nodebound\n";
}

std::string zsh_completion(const DescribedCommand& program) {
  std::string out =
      "#compdef nodebound kubectl-nodebound\n# As `nodebound completion zsh` prints it.\n_nodebound() {\n";
  out += "  local command= word previous=${words[CURRENT-1]}\n  local -a entries\n";
  out += command_of_words(program, "${words[2,CURRENT-1]}");
  out += "  case \"$command $previous\" in\n";
  each_value(program, [&](const std::string& pattern, const DescribedOption& option) {
    const std::string kind = asked_words(option);
    std::string then = "_files";
    if (!option.choices.empty()) then = "compadd " + joined(option.choices);
    if (!kind.empty()) then = "compadd ${(f)\"$(" + asked(kind) + ")\"}";
    out += "    " + pattern + ") " + then + "; return ;;\n";
  });
  out += "  esac\n  case \"$command\" in\n";
  each_command(program, [&](const DescribedCommand& command) {
    out += "    \"" + command.path + "\")\n      entries=(\n";
    const auto entry = [&](const std::string& name, const std::string& text) {
      out += "        " + quoted(name + ":" + summary(text)) + "\n";
    };
    for (const DescribedCommand& each : command.commands) entry(each.name, each.text);
    for (const DescribedOption& option : command.options) {
      if (!option.is_argument()) entry(option.names.front(), option.text);
    }
    out += "      ) ;;\n";
  });
  out += "  esac\n";
  out += "  if [[ $command == rules && ${words[CURRENT]} != -* ]]; then\n    compadd ${(f)\"$(" + asked("rules") +
         ")\"}\n";
  out +=
      "  elif [[ -n $command && ${words[CURRENT]} != -* && $command != report && $command != init ]]; then\n    "
      "_files\n";
  out += "  else\n    _describe 'nodebound' entries\n  fi\n}\n";
  // As a file of $fpath it is the body of the function; read by `source` it only announces it.
  return out + "if [[ $funcstack[1] == _nodebound ]]; then _nodebound \"$@\"; else compdef _nodebound nodebound; fi\n";
}

std::string fish_completion(const DescribedCommand& program) {
  std::string out = "# Completion of nodebound for fish, as `nodebound completion fish` prints it.\n";
  out +=
      "function __nodebound_at\n  set -l command\n  for word in (commandline -opc)[2..]\n    switch \"$command "
      "$word\"\n";
  out += "      case";
  each_command(program, [&](const DescribedCommand& command) {
    if (command.path.empty()) return;
    out += " " + quoted((command.path.find(' ') == std::string::npos ? " " : "") + command.path, "\\'");
  });
  out +=
      "\n        set command (string trim \"$command $word\")\n    end\n  end\n  test \"$command\" = \"$argv\"\nend\n";
  each_command(program, [&](const DescribedCommand& command) {
    const std::string at = "complete -c nodebound -n " + quoted("__nodebound_at " + command.path, "\\'");
    for (const DescribedCommand& each : command.commands) {
      out += at + " -f -a " + each.name + " -d " + quoted(summary(each.text), "\\'") + "\n";
    }
    for (const DescribedOption& option : command.options) {
      const std::string kind = asked_words(option);
      const std::string words = kind.empty() ? joined(option.choices) : "(" + asked(kind) + ")";
      if (option.is_argument()) {
        if (!words.empty() && !kind.empty()) out += at + " -f -a " + quoted(words, "\\'") + "\n";
        continue;
      }
      out += at;
      for (const std::string& name : option.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (option.has_value) out += words.empty() ? " -r" : " -x -a " + quoted(words, "\\'");
      out += " -d " + quoted(summary(option.text), "\\'") + "\n";
    }
  });
  return out;
}

}  // namespace nodebound::cli
