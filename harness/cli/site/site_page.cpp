#include "harness/cli/site/site_page.h"

#include "reports/html.h"

namespace nodebound::cli {
namespace {

// The page loads nothing but the site's own files, sends nothing and runs no script of others.
std::string policy(const SitePage& page) {
  return std::string("default-src 'none'; style-src 'self' file:; script-src 'self' file:") +
         (page.runs_library ? " 'wasm-unsafe-eval'" : "") +
         "; img-src 'self' file:; base-uri 'none'; form-action 'none'";
}

std::string navigation(const SitePage& page) {
  const std::pair<const char*, const char*> entries[] = {
      {"index.html", "Ask"}, {"rules.html", "Rules"}, {"releases.html", "Releases"}, {"guides/index.html", "Guides"}};
  std::string out = "<header><nav aria-label=\"Site\"><strong>Nodebound</strong>";
  for (const auto& [address, text] : entries) {
    out += "<a href=\"" + page.to_root + address + "\"" + (page.section == address ? " aria-current=\"true\"" : "") +
           ">" + text + "</a>";
  }
  return out + "</nav></header>\n";
}

}  // namespace

std::string site_page(const SitePage& page, std::string_view content) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy(page) + "\">\n";
  out += "<title>" + html_text(page.title) + " · Nodebound</title>\n";
  out += "<link rel=\"stylesheet\" href=\"" + page.to_root + "style.css\">\n</head>\n<body>\n";
  out += "<a class=\"skip\" href=\"#content\">To the content</a>\n" + navigation(page);
  out += "<main id=\"content\">\n" + std::string(content) + "\n</main>\n";
  for (const std::string& script : page.scripts) {
    out += "<script src=\"" + page.to_root + script + "\"></script>\n";
  }
  return out + "</body>\n</html>\n";
}

std::string site_link(const std::string& address, const std::string& text) {
  return "<a href=\"" + html_text(address) + "\">" + html_text(text) + "</a>";
}

std::string site_heading(const std::string& text) {
  return "<h2>" + html_text(text) + "</h2>\n";
}

std::string site_code(const std::string& text) {
  return "<code>" + html_text(text) + "</code>";
}

}  // namespace nodebound::cli
