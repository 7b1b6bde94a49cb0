// SPDX-License-Identifier: Apache-2.0
#include "gs_web/page_files.hpp"

#include <gmock/gmock.h>

namespace gs_web {
namespace {

constexpr PageFile kFiles[] = {{"index.html", "<html>"}, {"assets/page.js", "let a"}};

HttpResponse get(const std::string& target, const std::string& tag = "") {
  return pageResponse(kFiles, {.target = target, .if_none_match = tag});
}

TEST(PageFiles, AreFoundByTheirPath) {
  EXPECT_EQ(get("/").body, "<html>");
  EXPECT_EQ(get("/?a=b").body, "<html>");
  EXPECT_EQ(get("/index.html").content_type, "text/html; charset=utf-8");
  EXPECT_EQ(get("/assets/page.js").content_type, "text/javascript; charset=utf-8");
}

TEST(PageFiles, NoPathLeavesTheList) {
  for (const char* path :
       {"/../etc/passwd", "/assets/../index.html", "/%2e%2e/etc/passwd", "//index.html", "/assets/",
        "/assets", "/index.html/", "/./index.html", "/index.html%00", "/INDEX.HTML"})
    EXPECT_EQ(get(path).status, 404) << path;
  EXPECT_EQ(get("").status, 400);
  EXPECT_EQ(get("http://elsewhere/").status, 400);
}

TEST(PageFiles, AreNotSentAgainToWhoHasThem) {
  const HttpResponse first = get("/");
  const HttpResponse again = get("/", first.etag);
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_NE(get("/assets/page.js").etag, first.etag);
}

TEST(PageFiles, ThePageOfThisProgramBeginsWithAnIndex) {
  const HttpResponse page = pageResponse(embeddedPage(), {.target = "/"});
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, testing::HasSubstr("<html"));
}

}  // namespace
}  // namespace gs_web
