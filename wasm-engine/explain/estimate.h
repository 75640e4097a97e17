// A figure of runs with several seeds: its mean, with the mean's 95 % confidence interval.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "run/json.h"
#include "run/limits.h"

namespace latchscope::explain {

// Student's t, two-sided 5 %, by degrees of freedom from 1.
inline constexpr double kT95[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                  2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                  2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045};
static_assert(std::size(kT95) == run::kSeedsMax - 1);

// A mean with its interval; a single value has no interval.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;

  static Estimate of(const std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    for (double value : values)
      sum += value;
    Estimate estimate{sum / count, std::nullopt};
    if (values.size() < 2) return estimate;
    double squares = 0;
    for (double value : values)
      squares += (value - estimate.mean) * (value - estimate.mean);
    estimate.half_width = kT95[values.size() - 2] * std::sqrt(squares / (count - 1) / count);
    return estimate;
  }

  static Estimate of_json(const run::Json& json) {
    Estimate estimate{json["mean"], std::nullopt};
    if (json.contains("low")) estimate.half_width = estimate.mean - json["low"].get<double>();
    return estimate;
  }

  run::Json json() const {
    run::Json json = {{"mean", mean}};
    if (half_width) {
      json["low"] = mean - *half_width;
      json["high"] = mean + *half_width;
    }
    return json;
  }
  std::string text(const char* format) const {
    char text[64];
    snprintf(text, sizeof text, format, mean);
    std::string in_words(text);
    if (!half_width) return in_words;
    snprintf(text, sizeof text, format, mean - *half_width);
    in_words += " (" + std::string(text) + " to ";
    snprintf(text, sizeof text, format, mean + *half_width);
    return in_words + text + ")";
  }
};

}  // namespace latchscope::explain
