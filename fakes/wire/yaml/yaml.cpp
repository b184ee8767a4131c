#include "fakes/wire/yaml/yaml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <vector>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "fakes/wire/go/go_text.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/go/json_syntax.h"
#include "fakes/wire/yaml/yaml_scalar.h"
#include "reference/encoding/base64.h"
#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::string_view yaml_tag = "tag:yaml.org,2002:";

// How much of a document may come from aliases: nearly all of a small document, down to a tenth of a large one, so that
// a few bytes cannot expand to more than fits into memory (the limits of go-yaml).
bool is_excessive(double from_aliases, double all) {
  constexpr double small = 400000;
  constexpr double large = 4000000;
  if (from_aliases <= 100 || all <= 1000) return false;
  const double share = std::clamp((all - small) / (large - small), 0.0, 1.0);
  return from_aliases / all > 0.99 - 0.89 * share;
}

std::string key_text(const Object& key) {
  if (key.is_string()) return key.get<std::string>();
  if (key.is_null()) throw Mistake("unsupported map key of type: %!s(<nil>), key: <nil>");
  return key.dump();
}

/// Builds a document from the parser's events.
class Builder final : public YAML::EventHandler {
 public:
  Object document;
  std::vector<std::string> repeated;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { OnScalar(mark, "", anchor, ""); }

  void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw Mistake("yaml: anchor value contains itself");
    from_aliases_ += found->second.nodes;
    add(found->second.value, found->second.nodes);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    // A parser gives a scalar in quotes the tag "!".
    const bool plain = tag.empty() || tag == "?";
    const bool merge = plain && text == "<<" && wants_key();
    if (merge) {
      open_.back().key = text;
      open_.back().merges = true;
      return;
    }
    Object value = scalar(tag, text);
    if (wants_key() && !value.is_null() && open_.back().value.contains(key_text(value))) {
      repeated.push_back("line " + std::to_string(mark.line + 1) + ": key " + go_syntax(value) + " already set in map");
    }
    if (anchor != 0) anchors_[anchor] = {value, 1};
    add(std::move(value), 1);
  }

  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(Object::array(), anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    begin(Object::object(), anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Level {
    Object value;
    YAML::anchor_t anchor;
    std::size_t nodes_before;
    std::optional<std::string> key = std::nullopt;
    bool merges = false;
    std::vector<Object> merged = {};  ///< the maps of `<<`
  };
  struct Anchored {
    Object value;
    std::size_t nodes;
  };

  [[nodiscard]] bool wants_key() const { return !open_.empty() && open_.back().value.is_object() && !open_.back().key; }

  static Object scalar(const std::string& tag, const std::string& text) {
    if (tag == "!" || tag == std::string(yaml_tag) + "str") return text;
    if (tag == std::string(yaml_tag) + "binary") {
      const std::optional<std::string> bytes = base64_decode(text);
      if (!bytes) throw Mistake("yaml: !!binary value contains invalid base64 data");
      return valid_utf8(*bytes);
    }
    Object value = plain_yaml_scalar(text);
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
      const double number = value.get<double>();
      throw Mistake(std::string("json: unsupported value: ") + (std::isnan(number) ? "NaN"
                                                                : number > 0       ? "+Inf"
                                                                                   : "-Inf"));
    }
    return value;
  }

  void begin(Object container, YAML::anchor_t anchor) {
    if (wants_key()) throw Mistake("yaml: invalid map key");
    open_.push_back({std::move(container), anchor, nodes_});
    ++nodes_;
  }

  void end() {
    Level level = std::move(open_.back());
    open_.pop_back();
    for (const Object& other : level.merged) level.value.insert(other.begin(), other.end());
    const std::size_t nodes = nodes_ - level.nodes_before;
    if (level.anchor != 0) anchors_[level.anchor] = {level.value, nodes};
    place(std::move(level.value));
  }

  void add(Object value, std::size_t nodes) {
    nodes_ += nodes;
    if (is_excessive(static_cast<double>(from_aliases_), static_cast<double>(nodes_))) {
      throw Mistake("yaml: document contains excessive aliasing");
    }
    if (!wants_key()) return place(std::move(value));
    if (value.is_structured()) throw Mistake("yaml: invalid map key");
    open_.back().key = key_text(value);
  }

  // Values that are nested too deep are read and dropped, as in JSON.
  void place(Object value) {
    if (open_.empty()) {
      document = std::move(value);
      return;
    }
    Level& level = open_.back();
    if (open_.size() > deepest_kept && value.is_structured()) value = nullptr;
    if (level.value.is_array()) {
      level.value.push_back(std::move(value));
      return;
    }
    if (level.merges) {
      merge(level, value);
    } else {
      level.value[*level.key] = std::move(value);
    }
    level.key.reset();
    level.merges = false;
  }

  static void merge(Level& level, const Object& value) {
    const auto add = [&](const Object& one) {
      if (!one.is_object()) throw Mistake("yaml: map merge requires map or sequence of maps as the value");
      level.merged.push_back(one);
    };
    if (value.is_array()) {
      for (const Object& one : value) add(one);
    } else {
      add(value);
    }
  }

  std::vector<Level> open_;
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0;
  std::size_t from_aliases_ = 0;
};

/// The texts of both parsers for the same mistake.
struct Wording {
  std::string_view ours;  ///< how yaml-cpp's message begins
  std::string_view go;
  bool of_scanner;  ///< go-yaml counts the lines of scanner errors from one, of others from zero
};

constexpr std::array<Wording, 16> wordings = {{
    {"unknown token", "found character that cannot start any token", true},
    {"end of map not found", "did not find expected key", false},
    {"end of map flow not found", "did not find expected ',' or '}'", false},
    {"end of sequence not found", "did not find expected '-' indicator", false},
    {"end of sequence flow not found", "did not find expected ',' or ']'", false},
    {"illegal EOF in scalar", "found unexpected end of stream", true},
    {"illegal document indicator in scalar", "found unexpected document indicator", true},
    {"illegal tab when looking for indentation", "found character that cannot start any token", true},
    {"illegal block entry", "block sequence entries are not allowed in this context", true},
    {"illegal map key", "mapping keys are not allowed in this context", true},
    {"illegal map value", "mapping values are not allowed in this context", true},
    {"unknown escape character", "found unknown escape character", true},
    {"bad character found while scanning hex number", "did not find expected hexdecimal number", true},
    {"bad YAML version", "found incompatible YAML document", false},
    {"YAML major version too large", "found incompatible YAML document", false},
    {"illegal flow end", "did not find expected node content", false},
}};

std::string_view line_of(std::string_view text, int number) {
  for (; number > 0; --number) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.substr(0, text.find('\n'));
}

// go-yaml refuses tabs in the indentation; yaml-cpp takes them for blanks.
bool is_indented_by_tab(std::string_view line) {
  return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

std::string go_error(const YAML::Exception& problem, std::string_view text) {
  constexpr std::string_view unknown_anchor = "the referenced anchor is not defined";
  if (problem.msg.starts_with(unknown_anchor)) {
    std::string_view name = text.substr(std::min(static_cast<std::size_t>(problem.mark.pos), text.size()));
    name.remove_prefix(std::min(name.find_first_not_of('*'), name.size()));
    return "yaml: unknown anchor '" + std::string(name.substr(0, name.find_first_of(" \t\r\n,[]{}"))) + "' referenced";
  }
  const auto* found = std::find_if(wordings.begin(), wordings.end(),
                                   [&](const Wording& own) { return problem.msg.starts_with(own.ours); });
  int line = problem.mark.line;
  if (is_indented_by_tab(line_of(text, line))) found = wordings.begin();
  const bool known = found != wordings.end();
  if (known && found->ours.find("flow not found") != std::string_view::npos) {
    // yaml-cpp reports where the text began, go-yaml where it should have ended.
    line = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + (text.ends_with('\n') ? 0 : 1);
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    const bool wants_node =
        last != std::string_view::npos && std::string_view("[,").find(text[last]) != std::string_view::npos;
    if (wants_node) found = wordings.end();
  }
  std::string where;
  if (line > 0) where = "line " + std::to_string(line + (found != wordings.end() && found->of_scanner ? 1 : 0)) + ": ";
  return "yaml: " + where + std::string(found != wordings.end() ? found->go : "did not find expected node content");
}

// Some of these bytes end the text for yaml-cpp.
std::optional<std::string> odd_bytes(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    if (!take_character(text)) {
      const bool leads = (first & 0xc0U) == 0x80 || first >= 0xf8;
      return leads ? "yaml: invalid leading UTF-8 octet" : "yaml: invalid trailing UTF-8 octet";
    }
    if ((first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7f) {
      return "yaml: control characters are not allowed";
    }
  }
  return std::nullopt;
}

tl::expected<Builder, std::string> built(std::string_view text) {
  if (std::optional<std::string> odd = odd_bytes(text)) return tl::unexpected(std::move(*odd));
  Builder builder;
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    parser.HandleNextDocument(builder);
  } catch (const Mistake& mistake) {
    return tl::unexpected(std::string(mistake.what()));
  } catch (const YAML::DeepRecursion&) {
    return tl::unexpected("yaml: exceeded max depth of " + std::to_string(deepest_json));
  } catch (const YAML::Exception& problem) {
    return tl::unexpected(go_error(problem, text));
  }
  return builder;
}

}  // namespace

tl::expected<Object, std::string> read_yaml(std::string_view text) {
  return built(text).map([](Builder&& builder) { return std::move(builder.document); });
}

std::vector<std::string> repeated_yaml_keys(std::string_view text) {
  auto builder = built(text);
  return builder ? std::move(builder->repeated) : std::vector<std::string>();
}

std::string yaml_keys_error(const std::vector<std::string>& keys) {
  std::string out = "yaml: unmarshal errors:";
  for (const std::string& key : keys) out += "\n  " + key;
  return out;
}

}  // namespace nodebound
