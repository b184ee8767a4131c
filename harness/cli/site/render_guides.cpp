// Run while building: makes a page's content, as HTML, of each guide.
//
//   render_guides GUIDES OUT       OUT/NAME.html for GUIDES/NAME.md, and the pictures

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Document = std::unique_ptr<cmark_node, FreeNode>;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string out(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw std::runtime_error("cannot read " + file.string());
  return out;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out.fail()) throw std::runtime_error("cannot write " + file.string());
}

Document parsed(const std::string& text) {
  cmark_parser* const parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8);
  cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser, text.data(), text.size());
  Document out(cmark_parser_finish(parser));
  cmark_parser_free(parser);
  return out;
}

void add_path_after(cmark_node* before, const std::string& path) {
  cmark_node* const space = cmark_node_new(CMARK_NODE_TEXT);
  cmark_node_set_literal(space, " ");
  cmark_node_insert_after(before, space);
  cmark_node* const code = cmark_node_new(CMARK_NODE_CODE);
  cmark_node_set_literal(code, path.c_str());
  cmark_node_insert_after(space, code);
}

/// A link to a file of the project leads nowhere on a page: its path follows the text instead, unless the text is a
/// path.
void unlink_file(cmark_node* link, const std::string& path) {
  const bool is_path = cmark_node_get_type(cmark_node_first_child(link)) == CMARK_NODE_CODE;
  cmark_node* before = link;
  while (cmark_node* child = cmark_node_first_child(link)) {
    cmark_node_insert_after(before, child);
    before = child;
  }
  if (!is_path) add_path_after(before, path);
  cmark_node_free(link);
}

/// Links between guides become links between pages.
void mend_links(cmark_node* root) {
  cmark_iter* const each = cmark_iter_new(root);
  while (cmark_iter_next(each) != CMARK_EVENT_DONE) {
    cmark_node* const node = cmark_iter_get_node(each);
    if (cmark_iter_get_event_type(each) != CMARK_EVENT_EXIT || cmark_node_get_type(node) != CMARK_NODE_LINK) continue;
    const std::string url = cmark_node_get_url(node);
    const std::string file = url.substr(0, url.find('#'));
    if (url.starts_with("../../")) {
      unlink_file(node, file.substr(6));
    } else if (file.ends_with(".md")) {
      const std::string name = file.substr(0, file.size() - 3);
      cmark_node_set_url(node, ((name == "README" ? "index" : name) + ".html").c_str());
    }
  }
  cmark_iter_free(each);
}

std::string rendered(const std::string& text) {
  const Document document = parsed(text);
  mend_links(document.get());
  char* const html = cmark_render_html(document.get(), CMARK_OPT_VALIDATE_UTF8, nullptr);
  std::string out = html;
  std::free(html);
  const std::string omitted = "<!-- raw HTML omitted -->\n";
  for (std::size_t at = out.find(omitted); at != std::string::npos; at = out.find(omitted))
    out.erase(at, omitted.size());
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: render_guides GUIDES OUT\n";
    return 2;
  }
  try {
    cmark_gfm_core_extensions_ensure_registered();
    fs::create_directories(argv[2]);
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[1])) {
      const fs::path name = entry.path().stem() == "README" ? "index" : entry.path().stem();
      if (entry.path().extension() == ".md") {
        write(fs::path(argv[2]) / (name.string() + ".html"), rendered(content_of(entry.path())));
      } else if (entry.path().extension() == ".svg") {
        write(fs::path(argv[2]) / entry.path().filename(), content_of(entry.path()));
      }
    }
  } catch (const std::exception& error) {
    std::cerr << "render_guides: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
