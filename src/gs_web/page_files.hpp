// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gs_web/http.hpp"

namespace gs_web {

// One file of the page, part of the program.
struct PageFile {
  std::string_view path;  // "index.html", "assets/main.js"
  std::string_view content;
};

// Generated when the program is built; see cmake/EmbedFiles.cmake.
std::span<const PageFile> embeddedPage();

std::string_view contentTypeOf(std::string_view path);

// The file that a request asks for. Only names of the list are ever found, so no path can leave
// it.
HttpResponse pageResponse(std::span<const PageFile> files, const HttpRequest& request);

}  // namespace gs_web
