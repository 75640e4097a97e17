// Code of workload files: its arithmetic, its draws, and where it stops.
#include "workload/script_interpreter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace latchscope::workload {

namespace {

constexpr uint64_t kMax = ~uint64_t{0};

ScriptInstruction op(ScriptOp op, uint8_t target = 0, uint8_t a = 0, uint8_t b = 0, uint32_t immediate = 0) {
  return {op, target, a, b, immediate};
}

class Body {
 public:
  Body(std::initializer_list<ScriptInstruction> code, std::vector<uint64_t> constants = {}) {
    program_.code = code;
    program_.code.push_back(op(ScriptOp::give_back));
    program_.constants = std::move(constants);
  }

  ScriptStop run() { return run_until_effect(program_, conditions_, random_, pc_, registers_); }

  ScriptConditions& conditions() { return conditions_; }
  ScriptRegisters& registers() { return registers_; }
  uint32_t place_of(const ScriptStop& stop) const {
    return static_cast<uint32_t>(stop.at - program_.code.data());
  }

 private:
  ScriptProgram program_;
  ScriptConditions conditions_;
  platform::Random random_{7};
  ScriptRegisters registers_;
  uint32_t pc_ = 0;
};

uint64_t result_of(ScriptOp operation, uint64_t a, uint64_t b) {
  Body body({op(operation, 3, 4, 5)});
  body.registers()[4] = a;
  body.registers()[5] = b;
  EXPECT_EQ(body.run().wrong, ScriptWrong::nothing);
  return body.registers()[3];
}

TEST(ScriptInterpreter, NumbersWrap) {
  EXPECT_EQ(result_of(ScriptOp::add, 0xffffffff, 2), 1u);
  EXPECT_EQ(result_of(ScriptOp::subtract, 1, 2), 0xffffffffu);
  EXPECT_EQ(result_of(ScriptOp::multiply, 0x10000, 0x10001), 0x10000u);
  EXPECT_EQ(result_of(ScriptOp::shift_left, 1, 32), 0u);
  EXPECT_EQ(result_of(ScriptOp::shift_left, 3, 31), 0x80000000u);
  EXPECT_EQ(result_of(ScriptOp::shift_right, 8, 33), 0u);
}

TEST(ScriptInterpreter, DurationsAndSizesStopAtTheirEnds) {
  EXPECT_EQ(result_of(ScriptOp::add_wide, kMax, 1), kMax);
  EXPECT_EQ(result_of(ScriptOp::add_wide, 1, 2), 3u);
  EXPECT_EQ(result_of(ScriptOp::subtract_wide, 1, 2), 0u);
  EXPECT_EQ(result_of(ScriptOp::multiply_wide, uint64_t{1} << 40, uint64_t{1} << 24), kMax);
  EXPECT_EQ(result_of(ScriptOp::multiply_wide, uint64_t{1} << 40, uint64_t{1} << 23), uint64_t{1} << 63);
  EXPECT_EQ(result_of(ScriptOp::narrow, uint64_t{1} << 32, 0), 0xffffffffu);
  EXPECT_EQ(result_of(ScriptOp::less, 1, kMax), 1u);
}

TEST(ScriptInterpreter, StopsAtAnEffect) {
  Body body({op(ScriptOp::constant, 3), op(ScriptOp::work, 0, 3), op(ScriptOp::leave)}, {42});
  const ScriptStop first = body.run();
  EXPECT_EQ(first.at->op, ScriptOp::work);
  EXPECT_EQ(body.registers()[3], 42u);
  EXPECT_EQ(body.run().at->op, ScriptOp::leave);
  EXPECT_EQ(body.run().at->op, ScriptOp::give_back);
}

TEST(ScriptInterpreter, ReadsParametersAndKnobs) {
  Body body(
      {op(ScriptOp::parameter, 3, 0, 0, 1), op(ScriptOp::knob_variant, 4), op(ScriptOp::knob_value, 5)});
  body.conditions() = {{1, 2'000'000}, {1}, {16'256}, {}};
  body.run();
  EXPECT_EQ(body.registers()[3], 2'000'000u);
  EXPECT_EQ(body.registers()[4], 1u);
  EXPECT_EQ(body.registers()[5], 16'256u);
}

TEST(ScriptInterpreter, SaysWhatIsWrongAndWhere) {
  Body division({op(ScriptOp::constant, 3), op(ScriptOp::divide, 4, 3, 3)}, {0});
  const ScriptStop divided = division.run();
  EXPECT_EQ(divided.wrong, ScriptWrong::division_by_zero);
  EXPECT_EQ(division.place_of(divided), 1u);
  Body check({op(ScriptOp::constant, 3), op(ScriptOp::check, 0, 3)}, {0});
  EXPECT_EQ(check.run().wrong, ScriptWrong::check_failed);
  Body loop({op(ScriptOp::jump)});
  EXPECT_EQ(loop.run().wrong, ScriptWrong::no_effect);
  Body wide({op(ScriptOp::constant, 3), op(ScriptOp::lognormal, 4, 3, 3)}, {kVariationMax + 1});
  EXPECT_EQ(wide.run().wrong, ScriptWrong::too_wide);
  Body many({op(ScriptOp::constant, 3), op(ScriptOp::zipf, 4, 3)}, {kScriptZipfMax + 1});
  EXPECT_EQ(many.run().wrong, ScriptWrong::too_many);
}

TEST(ScriptDraws, LogarithmIsExactToSevenDigits) {
  for (uint64_t u = 1; u <= uint64_t{1} << 32; u = u * 3 / 2 + 1)
    EXPECT_NEAR(static_cast<double>(draws::log2_of(u)) / 4294967296.0, std::log2(static_cast<double>(u)),
                2e-7)
        << u;
  EXPECT_EQ(draws::log2_of(uint64_t{1} << 32), uint64_t{32} << 32);
}

// Of 10^6 draws, the mean is within 0.5 %, five times its standard error; each share of the
// distribution function within 0.3 %, six times its own.
TEST(ScriptDraws, ExponentialHasItsMeanAndShape) {
  platform::Random random(1);
  constexpr uint32_t kDraws = 1'000'000;
  constexpr uint64_t kMean = 40'000'000;
  double sum = 0;
  uint32_t below_half = 0;
  uint32_t below_two = 0;
  for (uint32_t i = 0; i < kDraws; ++i) {
    const uint64_t drawn = draw_exponential(random, kMean);
    sum += static_cast<double>(drawn);
    below_half += drawn < kMean / 2 ? 1 : 0;
    below_two += drawn < 2 * kMean ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws / kMean, 1, 0.005);
  EXPECT_NEAR(below_half * 1.0 / kDraws, 1 - std::exp(-0.5), 0.003);
  EXPECT_NEAR(below_two * 1.0 / kDraws, 1 - std::exp(-2), 0.003);
}

TEST(ScriptDraws, PowerIsExactToSevenDigits) {
  for (uint64_t fraction = 0; fraction < uint64_t{1} << 32; fraction += 12'345'679)
    EXPECT_NEAR(static_cast<double>(draws::power_of_two(static_cast<uint32_t>(fraction))) / 2147483648.0,
                std::exp2(static_cast<double>(fraction) / 4294967296.0), 2e-7)
        << fraction;
}

TEST(ScriptDraws, PowersStopAtTheirEnds) {
  constexpr int64_t kOne = int64_t{1} << 32;
  EXPECT_EQ(draws::times_power_of_two(3, 2 * kOne), 12u);
  EXPECT_EQ(draws::times_power_of_two(12, -2 * kOne), 3u);
  EXPECT_EQ(draws::times_power_of_two(1, 63 * kOne), uint64_t{1} << 63);
  EXPECT_EQ(draws::times_power_of_two(1, 64 * kOne), kMax);
  EXPECT_EQ(draws::times_power_of_two(kMax, -64 * kOne), 0u);
  EXPECT_EQ(draws::times_power_of_two(0, 80 * kOne), 0u);
}

// Of 10^6 draws: each moment and share within five times its standard error.
TEST(ScriptDraws, NormalHasItsMoments) {
  platform::Random random(1);
  constexpr uint32_t kDraws = 1'000'000;
  double sum = 0, squares = 0, cubes = 0, fourths = 0;
  uint32_t beyond_two = 0;
  for (uint32_t i = 0; i < kDraws; ++i) {
    const double z = static_cast<double>(draws::draw_normal(random)) / (1 << 28);
    sum += z;
    squares += z * z;
    cubes += z * z * z;
    fourths += z * z * z * z;
    beyond_two += std::abs(z) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.005);
  EXPECT_NEAR(squares / kDraws, 1, 0.007);
  EXPECT_NEAR(cubes / kDraws, 0, 0.02);
  EXPECT_NEAR(fourths / kDraws, 3, 0.05);
  EXPECT_NEAR(beyond_two * 1.0 / kDraws, std::erfc(std::sqrt(2.0)), 0.001);
}

TEST(ScriptDraws, LognormalHasItsMeanAndVariation) {
  constexpr uint32_t kDraws = 1'000'000;
  constexpr uint64_t kMean = 40'000'000;
  for (const double variation : {0.0, 0.1, 1.0, 2.0}) {
    platform::Random random(1);
    double sum = 0, squares = 0, logs = 0;
    for (uint32_t i = 0; i < kDraws; ++i) {
      const auto share = static_cast<uint64_t>(variation * kSharePerUnit);
      const double drawn = static_cast<double>(draw_lognormal(random, kMean, share)) / kMean;
      sum += drawn;
      squares += drawn * drawn;
      logs += std::log(drawn);
    }
    const double mean = sum / kDraws;
    EXPECT_NEAR(mean, 1, 0.005 * variation + 1e-6);
    EXPECT_NEAR(std::sqrt(std::max(squares / kDraws / mean / mean - 1, 0.0)), variation,
                0.05 * variation + 1e-4);
    const double spread = std::log(1 + variation * variation);
    EXPECT_NEAR(logs / kDraws, -spread / 2, 0.005 * std::sqrt(spread) + 1e-6);
  }
}

TEST(ScriptDraws, ZipfHasTheSharesOfItsWeights) {
  constexpr uint32_t kDraws = 1'000'000;
  for (const double exponent : {0.01, 0.99, 1.0, 2.0}) {
    const ZipfTable table(static_cast<uint32_t>(exponent * kSharePerUnit + 0.5), kScriptZipfMax);
    for (const uint32_t numbers : {1u, 10u, 1'000u, 65'536u}) {
      platform::Random random(1);
      std::vector<uint32_t> drawn(numbers);
      for (uint32_t i = 0; i < kDraws; ++i)
        ++drawn.at(table.draw(random, numbers));
      double weights = 0;
      for (uint32_t k = 1; k <= numbers; ++k)
        weights += std::pow(k, -exponent);
      for (const uint32_t k : {1u, 2u, 10u}) {
        if (k > numbers) continue;
        const double share = std::pow(k, -exponent) / weights;
        EXPECT_NEAR(drawn[k - 1] * 1.0 / kDraws, share, 5 * std::sqrt(share / kDraws) + 1e-6)
            << exponent << " " << numbers << " " << k;
      }
    }
    EXPECT_EQ(platform::Random(1).next(), [&] {
      platform::Random random(1);
      table.draw(random, 0);
      return random.next();
    }()) << "of nothing, nothing is drawn";
  }
}

TEST(ScriptDraws, ChanceAndUniformHaveTheirShares) {
  platform::Random random(1);
  constexpr uint32_t kDraws = 1'000'000;
  uint32_t hits = 0;
  std::vector<uint32_t> by_number(4);
  for (uint32_t i = 0; i < kDraws; ++i) {
    hits += static_cast<uint32_t>(draw_chance(random, 10'000));
    ++by_number[draw_uniform(random, 4)];
  }
  EXPECT_NEAR(hits * 1.0 / kDraws, 0.01, 0.0006);
  for (const uint32_t count : by_number)
    EXPECT_NEAR(count * 1.0 / kDraws, 0.25, 0.0026);
  EXPECT_EQ(draw_uniform(random, 0), 0u);
  EXPECT_EQ(draw_chance(random, kSharePerUnit), 1u);
}

TEST(ScriptDraws, ScalingStopsAtItsEnd) {
  EXPECT_EQ(scaled(10, uint64_t{3} << 31), 15u);
  EXPECT_EQ(scaled(kMax, uint64_t{1} << 32), kMax);
  EXPECT_EQ(scaled(kMax, uint64_t{2} << 32), kMax);
  EXPECT_EQ(scaled(uint64_t{1} << 40, uint64_t{1} << 31), uint64_t{1} << 39);
}

}  // namespace

}  // namespace latchscope::workload
