// SPDX-License-Identifier: Apache-2.0
#include "gs_web/page_files.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace gs_web {
namespace {

// FNV-1a: another version of a file has another tag, nobody is to be convinced by it.
std::string tagOf(std::string_view content) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  std::array<char, 19> text{};
  std::snprintf(text.data(), text.size(), "\"%016llx\"", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace

std::string_view contentTypeOf(std::string_view path) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTypes = {{
      {".html"sv, "text/html; charset=utf-8"sv},
      {".js"sv, "text/javascript; charset=utf-8"sv},
      {".mjs"sv, "text/javascript; charset=utf-8"sv},
      {".css"sv, "text/css; charset=utf-8"sv},
      {".json"sv, "application/json"sv},
      {".svg"sv, "image/svg+xml"sv},
      {".png"sv, "image/png"sv},
      {".jpg"sv, "image/jpeg"sv},
      {".ico"sv, "image/x-icon"sv},
      {".wasm"sv, "application/wasm"sv},
      {".woff2"sv, "font/woff2"sv},
  }};
  for (const auto& [end, type] : kTypes)
    if (path.ends_with(end)) return type;
  return "application/octet-stream";
}

HttpResponse pageResponse(std::span<const PageFile> files, const HttpRequest& request) {
  std::string_view path = request.path();
  if (!path.starts_with('/')) return {.status = 400, .body = "that is no path\n"};
  path.remove_prefix(1);
  if (path.empty()) path = "index.html";
  const auto found = std::find_if(files.begin(), files.end(),
                                  [path](const PageFile& file) { return file.path == path; });
  if (found == files.end()) return {.status = 404, .body = "there is no such page\n"};
  HttpResponse response{
      .content_type = std::string(contentTypeOf(path)), .body = "", .etag = tagOf(found->content)};
  if (request.if_none_match == response.etag) response.status = 304;
  else response.body = found->content;
  return response;
}

}  // namespace gs_web
