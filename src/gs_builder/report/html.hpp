// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gs/core/bytes.hpp"

// Text and bytes as parts of an HTML page. Names come from logs, and logs come from anybody.
namespace gs_builder {

// Safe between tags and inside quoted attributes. What is not UTF-8, and control characters but for
// line ends and tabs, become U+FFFD.
std::string escapeHtml(std::string_view text);

// Safe inside <script type="application/json">: no '<' remains that could end the element.
std::string escapeScriptJson(std::string_view json);

// Up to and with its heading; who opens it writes "</section>". Both are ours, nothing is escaped.
std::string openSection(std::string_view id, std::string_view title);

std::string toBase64(gs::Bytes bytes);

// "data:image/jpeg;base64,..."
std::string dataUri(std::string_view mime_type, gs::Bytes bytes);

}  // namespace gs_builder
