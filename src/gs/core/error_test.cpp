// SPDX-License-Identifier: Apache-2.0
#include "gs/core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gs {
namespace {

Error topicError() {
  return Error({.code = ErrorCode::TopicNotFound,
                .component = "mcap_ingest",
                .message = "Required topic '/a' not found in MCAP",
                .details = {{"available_topics", std::vector<std::string>{"/b"}}},
                .suggestion = "Check topics.cameras."});
}

TEST(Error, PrintsTheJsonOfTheBuilderInterface) {
  EXPECT_EQ(toJson(topicError().report()).dump(),
            R"({"error":{"code":"TOPIC_NOT_FOUND","component":"mcap_ingest",)"
            R"("message":"Required topic '/a' not found in MCAP",)"
            R"("details":{"available_topics":["/b"]},"suggestion":"Check topics.cameras."}})");
}

TEST(Error, WhatIsTheLogLineOfTheSimulatorInterface) {
  EXPECT_STREQ(topicError().what(),
               "[mcap_ingest] TOPIC_NOT_FOUND: Required topic '/a' not found in MCAP");
}

TEST(Error, EveryCodeHasANameThatLeadsBackToIt) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::UsageError); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(findErrorCode(toString(code)), code);
  }
  EXPECT_EQ(findErrorCode("NO_SUCH_CODE"), std::nullopt);
}

}  // namespace
}  // namespace gs
