#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// How far a run is, for the person who waits for it. On a terminal one line, redrawn in place and gone at the end;
/// anywhere else a plain line every few seconds, and rarer the longer it takes, so that a CI log stays short. Safe to
/// use from many threads.
class ProgressBar {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  struct Style {
    bool terminal = false;
    int width = 80;
    bool quiet = false;  ///< nothing is shown
  };

  /// `out` must outlive the bar, and nobody else may write to it until `finish` if it is a terminal.
  ProgressBar(std::ostream& out, std::size_t total, Style style, Clock now = std::chrono::steady_clock::now);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// One more check of `scenario` is judged.
  void advance(Verdict verdict, const std::string& scenario);
  /// Clears the line. Later calls of anything do nothing.
  void finish();

 private:
  [[nodiscard]] std::string line(const std::string& scenario) const;
  void draw(const std::string& scenario);
  void print_now_and_then();

  std::ostream& out_;
  const std::size_t total_;
  const Style style_;
  const Clock now_;
  const std::chrono::steady_clock::time_point started_;

  std::mutex mutex_;  ///< guards what follows, and `out_`
  std::chrono::steady_clock::time_point drawn_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  bool visible_ = false;
  bool finished_ = false;
};

}  // namespace nodebound
