#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound::cli {

/// What surrounds the content of a page.
struct SitePage {
  std::string title;
  std::string section;  ///< the entry of the navigation that it belongs to: its address
  std::string to_root;  ///< `../` for a page in a folder
  std::vector<std::string> scripts = {};
  bool runs_library = false;  ///< WebAssembly may be compiled in it
};

/// The whole page; `content` is HTML already.
std::string site_page(const SitePage& page, std::string_view content);

/// `<a href="…">text</a>`
std::string site_link(const std::string& address, const std::string& text);

/// `<h2>text</h2>`
std::string site_heading(const std::string& text);

/// `<code>text</code>`
std::string site_code(const std::string& text);

}  // namespace nodebound::cli
