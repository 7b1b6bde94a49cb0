// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/svg_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gs_builder/report/html.hpp"

namespace gs_builder {
namespace {

constexpr double kWidth = 960, kHeight = 300, kLeft = 56, kRight = 16, kTop = 12, kBottom = 44;
constexpr size_t kStyles = 6;

// Where numbers are on the paper.
struct Frame {
  double x_low, x_high, y_low, y_high;

  double x(double value) const {
    return kLeft + (value - x_low) / (x_high - x_low) * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return kHeight - kBottom - (value - y_low) / (y_high - y_low) * (kHeight - kTop - kBottom);
  }
};

struct Range {
  double low = std::numeric_limits<double>::infinity(),
         high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen(double least) {
    if (high - low >= least) return;
    const double middle = (low + high) / 2;
    low = middle - least / 2;
    high = middle + least / 2;
  }
};

std::string openSvg(const ChartText& text) {
  return fmt::format(R"(<svg class="chart" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">)"
                     "\n",
                     kWidth, kHeight, escapeHtml(text.summary));
}

std::string drawAxes(const Frame& frame, const ChartText& text, bool y_is_percent) {
  std::string svg;
  for (const double tick : niceTicks(frame.y_low, frame.y_high, 5))
    svg += fmt::format(R"(<line class="grid" x1="{:g}" x2="{:g}" y1="{:.1f}" y2="{:.1f}"/>)"
                       R"(<text class="axis" x="{:g}" y="{:.1f}" text-anchor="end">{:g}{}</text>)"
                       "\n",
                       kLeft, kWidth - kRight, frame.y(tick), frame.y(tick), kLeft - 8,
                       frame.y(tick) + 4, tick, y_is_percent ? " %" : "");
  for (const double tick : niceTicks(frame.x_low, frame.x_high, 10))
    svg += fmt::format(R"(<line class="grid" x1="{:.1f}" x2="{:.1f}" y1="{:g}" y2="{:g}"/>)"
                       R"(<text class="axis" x="{:.1f}" y="{:g}" text-anchor="middle">{:g}</text>)"
                       "\n",
                       frame.x(tick), frame.x(tick), kHeight - kBottom, kHeight - kBottom + 4,
                       frame.x(tick), kHeight - kBottom + 18, tick);
  svg += fmt::format(
      R"(<text class="axis" x="{:g}" y="{:g}" text-anchor="end">{}</text>)"
      R"svg(<text class="axis" transform="translate(13 {:g}) rotate(-90)" text-anchor="middle">{}</text>)svg"
      "\n",
      kWidth - kRight, kHeight - 8, escapeHtml(text.x_label), (kHeight - kBottom + kTop) / 2,
      escapeHtml(text.y_label));
  return svg;
}

std::string drawMarker(size_t style, double x, double y, const std::string& title) {
  std::string shape;
  switch (style % 4) {
    case 0: shape = fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4">)", x, y); break;
    case 1:
      shape = fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="7" height="7">)", x - 3.5, y - 3.5);
      break;
    case 2:
      shape = fmt::format(R"(<polygon points="{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}">)", x,
                          y - 5, x - 4.5, y + 3.5, x + 4.5, y + 3.5);
      break;
    default:
      shape = fmt::format(
          R"(<polygon points="{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}">)", x, y - 5,
          x - 5, y, x, y + 5, x + 5, y);
  }
  const std::string tag = shape.substr(1, shape.find(' ') - 1);
  return shape + (title.empty() ? "" : "<title>" + escapeHtml(title) + "</title>") + "</" + tag +
         ">";
}

std::string drawLegend(const std::vector<ChartSeries>& series) {
  std::string html = "<p class=\"legend\">";
  for (size_t i = 0; i < series.size(); ++i)
    html += fmt::format(R"(<span><svg class="s{}" width="28" height="12" aria-hidden="true">)"
                        R"(<line x1="0" x2="28" y1="6" y2="6"/>{}</svg> {}</span> )",
                        i % kStyles, drawMarker(i, 14, 6, ""), escapeHtml(series[i].name));
  return html + "</p>\n";
}

}  // namespace

std::vector<double> niceTicks(double low, double high, int count) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low) || count < 1) return ticks;
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough <= power       ? 1
                               : rough <= 2 * power ? 2
                               : rough <= 5 * power ? 5
                                                    : 10);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 2 * count; ++i) {
    const double tick = (first + i) * step;
    if (tick > high + 1e-9 * step) break;
    ticks.push_back(std::abs(tick) < 1e-9 * step ? 0 : tick);
  }
  return ticks;
}

std::string drawLineChart(const std::vector<ChartSeries>& series, const ChartText& text) {
  const auto isDrawn = [](const ChartPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  Range x, y;
  for (const ChartSeries& one : series)
    for (const ChartPoint& point : one.points)
      if (isDrawn(point)) {
        x.add(point.x);
        y.add(point.y);
      }
  if (!(x.high >= x.low)) return "<p class=\"note\">There is nothing to draw.</p>\n";
  x.widen(1e-3);
  y.widen(2);
  const double margin = 0.06 * (y.high - y.low);
  const Frame frame{x.low, x.high, y.low - margin, y.high + margin};
  std::string svg = openSvg(text) + drawAxes(frame, text, false);
  for (size_t i = 0; i < series.size(); ++i) {
    std::string line, markers;
    for (const ChartPoint& point : series[i].points) {
      if (!isDrawn(point)) continue;
      line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", frame.x(point.x),
                          frame.y(point.y));
      markers += drawMarker(i, frame.x(point.x), frame.y(point.y), point.title) + "\n";
    }
    svg += fmt::format("<g class=\"s{}\"><polyline points=\"{}\"/>\n{}</g>\n", i % kStyles, line,
                       markers);
  }
  return svg + "</svg>\n" + (series.size() > 1 ? drawLegend(series) : "");
}

void Histogram::add(double value) {
  if (std::isnan(value) || counts.empty()) return;
  const double place = (value - low) / (high - low) * static_cast<double>(counts.size());
  const double last = static_cast<double>(counts.size() - 1);
  ++counts[static_cast<size_t>(std::clamp(std::floor(place), 0.0, last))];
}

size_t Histogram::total() const {
  size_t sum = 0;
  for (const size_t count : counts) sum += count;
  return sum;
}

std::string drawHistogram(const Histogram& histogram, const ChartText& text) {
  const size_t total = histogram.total();
  if (total == 0) return "<p class=\"note\">There is nothing to draw.</p>\n";
  const auto percent = [&](size_t count) {
    return 100 * static_cast<double>(count) / static_cast<double>(total);
  };
  double most = 0;
  for (const size_t count : histogram.counts) most = std::max(most, percent(count));
  const Frame frame{histogram.low, histogram.high, 0, 1.05 * most};
  std::string svg = openSvg(text) + drawAxes(frame, text, true) + "<g class=\"bars\">\n";
  const size_t bins = histogram.counts.size();
  const double step = (histogram.high - histogram.low) / static_cast<double>(bins);
  for (size_t i = 0; i < bins; ++i) {
    const double from = histogram.low + static_cast<double>(i) * step;
    const double share = percent(histogram.counts[i]);
    const std::string where = i == 0          ? fmt::format("below {:.2f}", from + step)
                              : i == bins - 1 ? fmt::format("{:.2f} and more", from)
                                              : fmt::format("{:.2f} to {:.2f}", from, from + step);
    svg += fmt::format(
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}: {:.1f} %</title></rect>)"
        "\n",
        frame.x(from) + 0.5, frame.y(share),
        std::max(1.0, frame.x(from + step) - frame.x(from) - 1), frame.y(0) - frame.y(share), where,
        share);
  }
  return svg + "</g></svg>\n";
}

}  // namespace gs_builder
