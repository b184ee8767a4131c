#include "harness/cli/share_flag.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "reports/text.h"

namespace nodebound::cli {
namespace {

bool number_of(std::string_view text, std::size_t& out) {
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, out);
  return problem == std::errc() && end == last;
}

/// `job/4` in a pod of an Indexed Job, whose index counts from 0: `1/4` to `4/4`.
std::string of_indexed_job(const std::string& text) {
  const char* const index = std::getenv("JOB_COMPLETION_INDEX");
  std::size_t number = 0;
  if (!text.starts_with("job/") || index == nullptr || !number_of(index, number)) return text;
  return std::to_string(number + 1) + text.substr(3);
}

}  // namespace

Result<Share> read_share(const std::string& given, const std::string& of) {
  Share out;
  if (given.empty()) return out;
  const std::string text = of_indexed_job(given);
  const std::size_t slash = std::min(text.find('/'), text.size());
  const bool read = number_of({text.data(), slash}, out.index) &&
                    number_of(std::string_view(text).substr(std::min(slash + 1, text.size())), out.of);
  if (read && out.index > 0 && out.index <= out.of) return out;
  return input_error("--shard", "\"" + printable(text) + "\" is not a share of the " + of,
                     "give it as i/n, from 1/n to n/n; in a pod of an Indexed Job as job/n");
}

}  // namespace nodebound::cli
