// SPDX-License-Identifier: Apache-2.0
#include "gs_web/access_rules.hpp"

#include <gmock/gmock.h>

namespace gs_web {
namespace {

HttpRequest from(const std::string& origin, const std::string& host = "localhost:8765") {
  return {.target = "/api/world", .host = host, .origin = origin, .has_origin = true};
}

TEST(AccessRules, AHostHeaderGivesItsName) {
  EXPECT_EQ(hostNameOf("localhost:8765"), "localhost");
  EXPECT_EQ(hostNameOf("LocalHost"), "localhost");
  EXPECT_EQ(hostNameOf("[::1]:80"), "::1");
  for (const char* no : {"", "[::1", "[::1]x", "a:b", "a:", "a:123456", "[::1]:"})
    EXPECT_EQ(hostNameOf(no), "") << no;
}

TEST(AccessRules, OnlyOurOwnNamesAreHeard) {
  const AccessRules local;
  for (const char* yes : {"localhost", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST:1"})
    EXPECT_TRUE(isHostAllowed(local, yes)) << yes;
  // Names that somebody else points at 127.0.0.1, and what only begins or ends like ours.
  for (const char* no : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                         "xlocalhost", "192.168.1.5:8765", ""})
    EXPECT_FALSE(isHostAllowed(local, no)) << no;
}

TEST(AccessRules, WhoListensForEverybodyHearsAddressesAndItsOwnName) {
  const AccessRules open{.bound_host = "0.0.0.0", .own_names = {"lab", "lab.local"}};
  for (const char* yes : {"192.168.1.5:8765", "lab:8765", "LAB.local", "[fe80::1]:8765"})
    EXPECT_TRUE(isHostAllowed(open, yes)) << yes;
  EXPECT_FALSE(isHostAllowed(open, "evil.example"));
  EXPECT_TRUE(isHostAllowed({.bound_host = "10.0.0.7"}, "10.0.0.7:8765"));
}

TEST(AccessRules, PagesOfOthersAreRefusedAndOursAreNot) {
  const AccessRules rules;
  EXPECT_TRUE(isOriginAllowed(rules, {.host = "localhost:8765"}));  // a program
  for (const char* yes : {"http://localhost:8765", "file://", "HTTP://LOCALHOST:8765"})
    EXPECT_TRUE(isOriginAllowed(rules, from(yes))) << yes;
  for (const char* no : {"https://evil.example", "null", "", "http://localhost:8766",
                         "http://localhost", "http://localhost:8765.evil.example", "file://x"})
    EXPECT_FALSE(isOriginAllowed(rules, from(no))) << no;
  // The origin equals the host, but the host is not ours.
  EXPECT_FALSE(isOriginAllowed(rules, from("http://evil.example", "evil.example")));
}

TEST(AccessRules, AnOriginCanBeAllowedByName) {
  const AccessRules rules{.allowed_origins = {"https://app.foxglove.dev"}};
  EXPECT_TRUE(isOriginAllowed(rules, from("https://app.foxglove.dev")));
  EXPECT_FALSE(isOriginAllowed(rules, from("http://app.foxglove.dev")));
}

TEST(AccessRules, ThePageMayBeLinkedToAndItsDataNot) {
  const AccessRules rules;
  HttpRequest linked{.target = "/", .host = "localhost", .fetch_site = "cross-site"};
  EXPECT_EQ(refusalOf(rules, linked, false), "");
  EXPECT_NE(refusalOf(rules, linked, true), "");
  linked.fetch_site = "same-origin";
  EXPECT_EQ(refusalOf(rules, linked, true), "");
  linked.host = "evil.example";
  EXPECT_NE(refusalOf(rules, linked, false), "");
}

TEST(AccessRules, OnlyQuestionsAreAnswered) {
  EXPECT_EQ(refusedResponse({}, {.method = "POST", .host = "localhost"}, false)->status, 405);
  EXPECT_EQ(refusedResponse({}, {.method = "GET", .host = "evil"}, false)->status, 403);
  EXPECT_FALSE(refusedResponse({}, {.method = "HEAD", .host = "localhost"}, false));
}

}  // namespace
}  // namespace gs_web
