// How many decisions a second of CPU time the conversation with a program of `--target exec:COMMAND` takes;
// ci/benchmark/certify runs it. The program's own time is not counted.
//
//   nodebound_exec_decisions COMMAND [DECISIONS [UNDER_WAY]]

#include <charconv>
#include <ctime>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "harness/endpoint/authorizer/exec_program.h"

namespace nodebound {
namespace {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// As the suite asks them: a secret of its own for each of 5,000 nodes.
std::string question(std::size_t number) {
  const std::string node = "node-" + std::to_string(number % 5000);
  return R"({"groups":["system:nodes","system:authenticated"],"resourceAttributes":{"group":"","name":"secret-)" +
         std::to_string(number) +
         R"(","namespace":"shop","resource":"secrets","verb":"get","version":"v1"},"user":"system:node:)" + node +
         R"("})";
}

int fail(const std::string& what) {
  std::cerr << "nodebound_exec_decisions: " << what << '\n';
  return 1;
}

std::size_t number_of(std::string_view text, std::size_t otherwise) {
  std::size_t out = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

int measure(const std::string& command, std::size_t decisions, std::size_t most_under_way) {
  auto program = ExecProgram::start({.command = command});
  if (!program) return fail(program.error().text());
  std::deque<std::shared_ptr<ExecProgram::Pending>> under_way;
  std::size_t answered = 0;
  const auto await_first = [&]() -> bool {
    const Result<AccessAnswer> answer = (*program)->await(*under_way.front());
    under_way.pop_front();
    answered += answer ? 1 : 0;
    return answer.has_value();
  };
  const double begin = cpu_seconds();
  for (std::size_t number = 0; number < decisions; ++number) {
    if (under_way.size() == most_under_way && !await_first()) break;
    under_way.push_back((*program)->ask(question(number)));
  }
  while (!under_way.empty() && await_first()) {
  }
  const double used = cpu_seconds() - begin;
  if (answered != decisions) return fail("the program answered " + std::to_string(answered) + " questions only");
  std::cout << decisions << ' ' << used << '\n';
  return (*program)->finish() ? 0 : fail("the program did not end in order");
}

}  // namespace
}  // namespace nodebound

int main(int count, char** words) {
  if (count < 2) return nodebound::fail("expected COMMAND [DECISIONS [UNDER_WAY]]");
  return nodebound::measure(words[1], count > 2 ? nodebound::number_of(words[2], 0) : 200'000,
                            count > 3 ? nodebound::number_of(words[3], 1) : 64);
}
