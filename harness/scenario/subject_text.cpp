#include "harness/scenario/subject_text.h"

namespace nodebound {
namespace {

constexpr std::string_view node_word = "node ";
constexpr std::string_view widened_word = "widened ";

bool begins_with(std::string_view text, std::string_view word) {
  return text.starts_with(word) && text.size() > word.size();
}

}  // namespace

SubjectText SubjectText::of(std::string_view text) {
  if (text == "admin") return {Kind::administrator, {}};
  if (text == "anonymous") return {Kind::anonymous, {}};
  if (begins_with(text, node_word)) return {Kind::node, std::string(text.substr(node_word.size()))};
  if (begins_with(text, widened_word)) return {Kind::widened_node, std::string(text.substr(widened_word.size()))};
  return {Kind::named, std::string(text)};
}

std::string to_text(const SubjectText& subject) {
  switch (subject.kind) {
    case SubjectText::Kind::node:
      return std::string(node_word) + subject.name;
    case SubjectText::Kind::widened_node:
      return std::string(widened_word) + subject.name;
    case SubjectText::Kind::administrator:
      return "admin";
    case SubjectText::Kind::anonymous:
      return "anonymous";
    case SubjectText::Kind::named:
      break;
  }
  return subject.name;
}

}  // namespace nodebound
