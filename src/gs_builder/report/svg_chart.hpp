// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Charts as inline SVG, coloured by the page's style (classes s0 .. s5, axis, grid), so that they
// follow light and dark. Names and titles are escaped here.
namespace gs_builder {

struct ChartPoint {
  double x = 0, y = 0;
  std::string title;  // shown when the pointer rests on it
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  // by x; what is not finite is left out
};

struct ChartText {
  std::string summary;  // for people who do not see the chart
  std::string x_label, y_label;
};

// One line per series, each with a marker shape of its own: colour is not everybody's.
std::string drawLineChart(const std::vector<ChartSeries>& series, const ChartText& text);

// Bars of equal width from `low` to `high`; the first and the last also hold what lies beyond.
struct Histogram {
  double low = -1, high = 1;
  std::vector<size_t> counts;

  Histogram(double low, double high, size_t bins) : low(low), high(high), counts(bins) {}
  void add(double value);  // NaN is left out
  size_t total() const;
};
std::string drawHistogram(const Histogram& histogram, const ChartText& text);

// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `count` of them.
std::vector<double> niceTicks(double low, double high, int count);

}  // namespace gs_builder
