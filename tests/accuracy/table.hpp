// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

// Rows of what is measured, a column for each drive, and the bar of each row.
class AccuracyTable {
 public:
  explicit AccuracyTable(std::vector<std::string> drives) : drives_(std::move(drives)) {}

  // Which drive the next values are of.
  void choose(size_t drive) { drive_ = drive; }
  // Also says it at once: a table of several drives takes minutes.
  void add(const std::string& what, const std::string& value, const std::string& bar = "") {
    if (!rows_.contains(what)) order_.push_back(what);
    Row& row = rows_[what];
    row.bar = bar;
    row.values[drive_] = value;
    fmt::print(stderr, "{}: {} {}\n", drives_[drive_], what, value);
  }
  void print() const {
    fmt::print("| {:<52} |", "");
    for (const std::string& drive : drives_) fmt::print(" {:>10} |", drive);
    fmt::print(" {:<10} |\n|{:-<54}|", "bar", "");
    for (size_t i = 0; i < drives_.size(); ++i) fmt::print("{:->12}|", ":");
    fmt::print("{:-<12}|\n", "");
    for (const std::string& what : order_) {
      const Row& row = rows_.at(what);
      fmt::print("| {:<52} |", what);
      for (size_t i = 0; i < drives_.size(); ++i)
        fmt::print(" {:>10} |", row.values.contains(i) ? row.values.at(i) : "");
      fmt::print(" {:<10} |\n", row.bar);
    }
  }

 private:
  struct Row {
    std::map<size_t, std::string> values;
    std::string bar;
  };
  std::vector<std::string> drives_;
  size_t drive_ = 0;
  std::vector<std::string> order_;
  std::map<std::string, Row> rows_;
};
