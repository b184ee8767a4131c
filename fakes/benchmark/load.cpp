// Sends requests to an API server as fast as it answers, over a few persistent connections; ci/benchmark/serve uses it
// to measure.
//
// It shares the processors with the server, so its own cost per request counts: a thread for each connection, one write
// and one read for a request; it parses only status and length, and allocates nothing.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "fakes/benchmark/tls_client.h"

namespace nodebound {
namespace {

using Clock = std::chrono::steady_clock;

/// A request with placeholders for its number.
class Template {
 public:
  explicit Template(const nlohmann::json& request) {
    const std::string body = request.value("body", nlohmann::json()).is_null() ? "" : request["body"].dump();
    split(request.at("method").get<std::string>() + " " + request.at("target").get<std::string>() +
              " HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: nodebound_load\r\naccept: application/json\r\n",
          head_);
    split(body, body_);
    if (!body.empty()) head_.back() += "content-type: application/json\r\n";
  }

  void write(std::string& out, std::size_t number) const {
    thread_local std::string body;
    body.clear();
    fill(body, body_, number);
    out.clear();
    fill(out, head_, number);
    if (!body.empty()) out.append("content-length: ").append(std::to_string(body.size())).append("\r\n");
    out.append("\r\n").append(body);
  }

 private:
  using Parts = std::vector<std::string>;

  static void split(std::string_view text, Parts& out) {
    constexpr std::string_view place = "{n}";
    for (std::size_t at = text.find(place); at != std::string_view::npos; at = text.find(place)) {
      out.emplace_back(text.substr(0, at));
      text.remove_prefix(at + place.size());
    }
    out.emplace_back(text);
  }

  static void fill(std::string& out, const Parts& parts, std::size_t number) {
    out += parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) out.append(std::to_string(number)).append(parts[i]);
  }

  Parts head_;
  Parts body_;
};

struct Load {
  std::vector<Template> requests;
  Clock::time_point begin;
  Clock::time_point end = Clock::time_point::max();
  double per_second = 0;  ///< at most so many requests; 0: as fast as they are answered
  std::size_t count = 0;  ///< 0: no limit, only the end time
  std::atomic<std::size_t> next = 0;
};

struct Measured {
  std::string error;
  std::map<int, std::size_t> statuses;
  std::vector<std::uint32_t> nanoseconds;
};

/// Waits until it is the turn of the request with that number; if that has passed, it is sent at once.
Clock::time_point wait_for_turn(const Load& load, std::size_t number) {
  const std::chrono::duration<double> after(static_cast<double>(number) / load.per_second);
  std::this_thread::sleep_until(load.begin + std::chrono::duration_cast<Clock::duration>(after));
  return Clock::now();
}

void ask(TlsClient& client, Load& load, Measured& out) try {
  std::string request;
  for (auto begin = Clock::now(); begin < load.end;) {
    const std::size_t number = load.next++;
    if (load.count != 0 && number >= load.count) return;
    if (load.per_second > 0) begin = wait_for_turn(load, number);
    load.requests[number % load.requests.size()].write(request, number);
    client.write(request);
    ++out.statuses[client.read_answer()];
    const auto now = Clock::now();
    out.nanoseconds.push_back(static_cast<std::uint32_t>((now - begin).count()));
    begin = now;
  }
} catch (const std::exception& error) {
  out.error = error.what();
}

nlohmann::json summary(std::vector<Measured>& parts, double seconds) {
  std::vector<std::uint32_t> all;
  nlohmann::json out = {{"seconds", seconds}, {"statuses", nlohmann::json::object()}};
  for (const Measured& part : parts) {
    all.insert(all.end(), part.nanoseconds.begin(), part.nanoseconds.end());
    for (const auto& [status, count] : part.statuses) {
      nlohmann::json& sum = out["statuses"][std::to_string(status)];
      sum = (sum.is_null() ? 0 : sum.get<std::size_t>()) + count;
    }
  }
  std::sort(all.begin(), all.end());
  out["requests"] = all.size();
  out["per_second"] = static_cast<double>(all.size()) / seconds;
  for (const auto& [name, share] : {std::pair("p50", 0.5), {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(all.size()));
    if (!all.empty()) out["microseconds"][name] = all[std::min(at, all.size() - 1)] / 1000;
  }
  return out;
}

int run(const nlohmann::json& plan) {
  Load load;
  for (const auto& request : plan.at("requests")) load.requests.emplace_back(request);
  load.count = plan.value("count", std::size_t{0});
  const TlsContext context(plan.at("certificate").get<std::string>(), plan.at("key").get<std::string>());
  // All connections finish their handshakes before the first request.
  std::vector<TlsClient> clients;
  for (unsigned i = 0; i < plan.value("connections", 8U); ++i) {
    clients.emplace_back(context, plan.at("port").get<std::uint16_t>());
  }
  std::vector<Measured> measured(clients.size());
  for (Measured& each : measured) each.nanoseconds.reserve(1U << 20U);
  const auto begin = Clock::now();
  load.begin = begin;
  load.per_second = plan.value("per_second", 0.0);
  if (load.count == 0) load.end = begin + std::chrono::milliseconds(plan.at("milliseconds").get<int>());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      threads.emplace_back([&, i] { ask(clients[i], load, measured[i]); });
    }
  }
  const std::chrono::duration<double> took = Clock::now() - begin;
  for (const Measured& each : measured) {
    if (!each.error.empty()) throw std::runtime_error(each.error);
  }
  std::cout << summary(measured, took.count()).dump() << '\n';
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace nodebound

/// Reads its task as JSON from standard input and prints what it measured: `port`, `certificate` and `key` (files),
/// `connections`, `milliseconds` or `count`, `per_second` if they have a pace, and `requests` (`method`, `target`,
/// `body`), which take turns. `{n}` in a target or body is the number of the request.
int main() {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return nodebound::run(nlohmann::json::parse(std::cin));
  } catch (const std::exception& error) {
    std::cerr << "nodebound_load: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
