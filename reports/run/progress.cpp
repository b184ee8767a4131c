#include "reports/run/progress.h"

#include <algorithm>

#include "reports/text.h"

namespace nodebound {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_redraws{100};
constexpr std::chrono::seconds between_lines{5};
constexpr std::size_t bar_cells = 20;
constexpr const char* clear_line = "\r\x1b[K";

std::string two_digits(long long number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

/// `7s`, `3m05s`, `1h02m`.
std::string duration_text(steady_clock::duration duration) {
  const auto seconds = std::max(0LL, static_cast<long long>(duration / std::chrono::seconds(1)));
  if (seconds < 60) return std::to_string(seconds) + "s";
  if (seconds < 3600) return std::to_string(seconds / 60) + "m" + two_digits(seconds % 60) + "s";
  return std::to_string(seconds / 3600) + "h" + two_digits(seconds / 60 % 60) + "m";
}

}  // namespace

ProgressBar::ProgressBar(std::ostream& out, std::size_t total, Style style, Clock now)
    : out_(out), total_(total), style_(style), now_(std::move(now)), started_(now_()), drawn_(started_) {}

ProgressBar::~ProgressBar() {
  finish();
}

void ProgressBar::advance(Verdict verdict, const std::string& scenario) {
  const std::lock_guard lock(mutex_);
  if (finished_ || style_.quiet) return;
  ++done_;
  if (verdict == Verdict::fail) ++failed_;
  if (style_.terminal) {
    draw(scenario);
  } else {
    print_now_and_then();
  }
}

void ProgressBar::finish() {
  const std::lock_guard lock(mutex_);
  if (visible_) out_ << clear_line << std::flush;
  visible_ = false;
  finished_ = true;
}

std::string ProgressBar::line(const std::string& scenario) const {
  const std::size_t total = std::max(total_, done_);
  const steady_clock::duration elapsed = now_() - started_;
  const double seconds_each = std::chrono::duration<double>(elapsed).count() / static_cast<double>(done_);
  const std::chrono::duration<double> left(seconds_each * static_cast<double>(total - done_));
  std::string text = std::to_string(done_) + "/" + std::to_string(total) + ", " + std::to_string(failed_) +
                     " failed, " + duration_text(elapsed);
  if (done_ < total) text += ", " + duration_text(std::chrono::duration_cast<steady_clock::duration>(left)) + " left";
  if (!scenario.empty()) text += ", " + printable(scenario);
  return text;
}

void ProgressBar::draw(const std::string& scenario) {
  const auto now = now_();
  // A terminal is slower than the checks, so redraws that nobody could see are skipped.
  if (visible_ && now - drawn_ < between_redraws && done_ < total_) return;
  const std::size_t filled = total_ == 0 ? bar_cells : std::min(bar_cells, done_ * bar_cells / total_);
  const std::string bar = "[" + std::string(filled, '#') + std::string(bar_cells - filled, '.') + "] ";
  // The last column stays free, or some terminals would go on to the next line.
  const auto width = static_cast<std::size_t>(std::max(style_.width - 1, 1));
  out_ << clear_line << clip(bar + line(scenario), width) << std::flush;
  drawn_ = now;
  visible_ = true;
}

void ProgressBar::print_now_and_then() {
  const auto now = now_();
  if (now - drawn_ < std::max<steady_clock::duration>(between_lines, (now - started_) / 10)) return;
  const std::size_t percent = total_ == 0 ? 100 : std::min<std::size_t>(100, done_ * 100 / total_);
  out_ << pad_left(std::to_string(percent), 3) << "% " << line("") << "\n" << std::flush;
  drawn_ = now;
}

}  // namespace nodebound
