#include "lab/rising_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>

namespace latchscope::lab {

namespace {

constexpr FunctionName kCarriedOut[] = {FunctionName::enter, FunctionName::exit, FunctionName::enter_shared,
                                        FunctionName::exit_shared};

// Equivalence classes of values. A value is a word, the result of an instruction, or a register at
// a place. Values that are copied to each other or compared with each other shift alike, so they
// are in one class.
class Classes {
 public:
  explicit Classes(uint32_t values) : parent_(values) { std::iota(parent_.begin(), parent_.end(), 0); }
  uint32_t of(uint32_t value) {
    while (parent_[value] != value)
      value = parent_[value] = parent_[parent_[value]];
    return value;
  }
  void unite(uint32_t one, uint32_t other) { parent_[of(one)] = of(other); }

 private:
  std::vector<uint32_t> parent_;
};

class Finder {
 public:
  Finder(const Program& program, const std::vector<uint64_t>& live)
      : program_(program),
        live_(live),
        places_(static_cast<uint32_t>(program.code.size())),
        values_(places_ * (program.registers + 1) + kWordsMax + 1),
        classes_(values_) {}

  std::vector<RisingNumbers> find() {
    for_each_place([&](uint32_t place) { follow_registers(place); });
    flows_ = classes_;
    find_constants();
    for_each_place([&](uint32_t place) { look_at(place); });
    std::vector<RisingNumbers> all;
    for (uint32_t word = 0; word < program_.words.size(); ++word) {
      const bool is_known =
          std::ranges::any_of(all, [&](const RisingNumbers& each) { return each.has_word(word); });
      if (is_known || is_fixed(value_of_word(word))) continue;
      if (auto found = that_shift_with(word)) all.push_back(std::move(*found));
    }
    return all;
  }

 private:
  // --- values ------------------------------------------------------------------------------------

  uint32_t value_at(uint32_t place, uint8_t number) const {
    return number < kFirstFreeRegister ? fixed() : place * program_.registers + number;
  }
  uint32_t result_of(uint32_t place) const { return places_ * program_.registers + place; }
  uint32_t value_of_word(uint32_t word) const { return places_ * (program_.registers + 1) + word; }
  // The class of all values that are not shifted.
  uint32_t fixed() const { return values_ - 1; }
  bool is_fixed(uint32_t value) { return classes_.of(value) == classes_.of(fixed()); }

  template <class Look>
  void for_each_place(Look look) const {
    for (const FunctionName name : kCarriedOut) {
      const FunctionRange& function = program_.function(name);
      for (uint32_t place = function.begin; place < function.end; ++place)
        look(place);
    }
  }

  std::vector<uint32_t> places_behind(uint32_t place) const {
    const Instruction& instruction = program_.code[place];
    switch (instruction.op) {
      case Op::jump:
        return {instruction.immediate};
      case Op::jump_if_zero:
      case Op::jump_if_not_zero:
        return {instruction.immediate, place + 1};
      case Op::give_back: {
        std::vector<uint32_t> begins;
        for (const FunctionName name : kCarriedOut) {
          if (program_.function(name).is_there()) begins.push_back(program_.function(name).begin);
        }
        return begins;
      }
      default:
        return {place + 1};
    }
  }

  void follow_registers(uint32_t place) {
    const Instruction& instruction = program_.code[place];
    const bool writes = operands_of(instruction.op).target;
    for (const uint32_t behind : places_behind(place)) {
      for (uint64_t live = live_[behind]; live != 0; live &= live - 1) {
        const auto number = static_cast<uint8_t>(std::countr_zero(live));
        const bool is_written = writes && number == instruction.target;
        classes_.unite(is_written ? result_of(place) : value_at(place, number), value_at(behind, number));
      }
    }
  }

  // REQUIRES: classes contain only the flow of values from place to place so far.
  void find_constants() {
    std::vector<uint32_t> writers(values_, 0), immediates(values_, 0);
    std::vector<bool> is_other(values_, false);
    for_each_place([&](uint32_t place) {
      const Instruction& instruction = program_.code[place];
      if (!operands_of(instruction.op).target) return;
      const uint32_t written = classes_.of(result_of(place));
      is_other[written] = is_other[written] || instruction.op != Op::constant ||
                          (writers[written] > 0 && immediates[written] != instruction.immediate);
      immediates[written] = instruction.immediate;
      ++writers[written];
    });
    constants_.assign(places_, {});
    for_each_place([&](uint32_t place) {
      const Instruction& instruction = program_.code[place];
      const auto constant = [&](uint8_t number) -> std::optional<uint32_t> {
        const uint32_t written = classes_.of(value_at(place, number));
        if (written == classes_.of(fixed()) || writers[written] == 0 || is_other[written])
          return std::nullopt;
        return immediates[written];
      };
      const Operands operands = operands_of(instruction.op);
      if (operands.a) constants_[place].a = constant(instruction.a);
      if (operands.b) constants_[place].b = constant(instruction.b);
    });
  }

  // --- constraints of the instructions -----------------------------------------------------------

  void fix(std::initializer_list<uint32_t> values) {
    for (const uint32_t value : values)
      classes_.unite(value, fixed());
  }
  void unite(std::initializer_list<uint32_t> values) {
    for (const uint32_t value : values)
      classes_.unite(value, *values.begin());
  }
  // A shift must leave these bits as they are.
  void keep_bits(uint32_t value, uint32_t bits) {
    kept_bits_.push_back({value, bits == 0 ? 1 : uint64_t{1} << std::bit_width(bits)});
  }

  void look_at(uint32_t place) {
    const Instruction& instruction = program_.code[place];
    const uint32_t a = value_at(place, instruction.a), b = value_at(place, instruction.b);
    const uint32_t result = result_of(place);
    if (has_word(instruction.op)) return look_at_access(instruction, place, a, b, result);
    switch (instruction.op) {
      case Op::constant:
        return fix({result});
      case Op::copy:
        return unite({result, a});
      case Op::add:
        return sums_.push_back({result, a, b});
      case Op::subtract:
        return sums_.push_back({a, result, b});
      case Op::equal:
      case Op::not_equal:
        unite({a, b});
        return fix({result});
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor:
        return look_at_bits(instruction.op, place, a, b, result);
      case Op::multiply:
      case Op::divide:
      case Op::remainder:
      case Op::shift_left:
      case Op::shift_right:
      case Op::less:
      case Op::less_or_equal:
        return fix({a, b, result});
      case Op::jump_if_zero:
      case Op::jump_if_not_zero:
      case Op::check:
        return fix({a});
      case Op::random:
        return fix({a, result});
      default:
        return;
    }
  }

  void look_at_bits(Op op, uint32_t place, uint32_t a, uint32_t b, uint32_t result) {
    const bool is_a = constants_[place].a.has_value();
    const auto constant = is_a ? constants_[place].a : constants_[place].b;
    if (!constant) return fix({a, b, result});
    const uint32_t value = is_a ? b : a;
    fix({is_a ? a : b});
    if (op == Op::bit_and && !takes_off_low_bits(*constant)) {
      keep_bits(value, *constant);
      return fix({result});
    }
    unite({result, value});
    keep_bits(value, op == Op::bit_and ? ~*constant : *constant);
  }
  static bool takes_off_low_bits(uint32_t mask) { return mask >> 31 != 0; }

  void look_at_access(const Instruction& instruction, uint32_t place, uint32_t a, uint32_t b,
                      uint32_t result) {
    const uint32_t word = value_of_word(instruction.word());
    if (instruction.index() != kNoIndex) fix({value_at(place, instruction.index())});
    switch (instruction.op) {
      case Op::load:
        return unite({word, result});
      case Op::store:
      case Op::futex_wait:
        return unite({word, a});
      case Op::exchange:
        return unite({word, a, result});
      case Op::compare_exchange:
        return unite({word, a, b, result});
      case Op::futex_wake:
        return fix({a, result});
      default:
        break;
    }
    unite({word, result});
    fix({a});
    if (instruction.op == Op::fetch_add || instruction.op == Op::fetch_sub) return;
    const auto constant = constants_[place].a;
    const bool is_and = instruction.op == Op::fetch_and;
    if (!constant || (is_and && !takes_off_low_bits(*constant))) return fix({word});
    keep_bits(word, is_and ? ~*constant : *constant);
  }

  // --- which classes shift together --------------------------------------------------------------

  enum class Shift : uint8_t { unknown, no, yes };
  Shift& shift_of(uint32_t value) { return shifts_[classes_.of(value)]; }

  // Derives unknown shifts of a sum. Returns false if the known ones contradict each other.
  bool follows(uint32_t sum, uint32_t one, uint32_t other) {
    Shift& all = shift_of(sum);
    Shift& first = shift_of(one);
    Shift& second = shift_of(other);
    const auto count = [](Shift shift) { return shift == Shift::yes ? 1 : 0; };
    if (first != Shift::unknown && second != Shift::unknown) {
      const int both = count(first) + count(second);
      if (both > 1) return false;
      if (all == Shift::unknown) all = both == 1 ? Shift::yes : Shift::no;
      return count(all) == both;
    }
    if (all == Shift::unknown) return true;
    if (all == Shift::no) {  // negative shifts are not tried
      if (first == Shift::yes || second == Shift::yes) return false;
      first = second = Shift::no;
      return true;
    }
    if (first == Shift::unknown && second == Shift::unknown) return true;
    Shift& unknown = first == Shift::unknown ? first : second;
    const Shift known = first == Shift::unknown ? second : first;
    unknown = known == Shift::yes ? Shift::no : Shift::yes;
    return true;
  }

  bool all_follow() {
    for (bool changed = true; changed;) {
      const std::vector<Shift> before = shifts_;
      for (const Sum& sum : sums_) {
        if (!follows(sum.of, sum.one, sum.other)) return false;
      }
      changed = shifts_ != before;
    }
    return true;
  }

  std::optional<RisingNumbers> that_shift_with(uint32_t word) {
    shifts_.assign(values_, Shift::unknown);
    shift_of(fixed()) = Shift::no;
    shift_of(value_of_word(word)) = Shift::yes;
    if (!all_follow()) return std::nullopt;
    std::ranges::replace(shifts_, Shift::unknown, Shift::no);
    if (!all_follow()) return std::nullopt;
    return set_of(word);
  }

  // --- counts that are only expected -------------------------------------------------------------

  bool is_only_added_to(uint32_t word) const {
    bool is_so = program_.words[word].elements_for(0) == 1 && !program_.words[word].per_thread;
    for_each_place([&](uint32_t place) {
      const Instruction& instruction = program_.code[place];
      if (!has_word(instruction.op) || instruction.word() != word) return;
      const bool adds = instruction.op == Op::fetch_add && constants_[place].a.value_or(0) == 1;
      is_so = is_so && (adds || instruction.op == Op::load || instruction.op == Op::futex_wait ||
                        instruction.op == Op::futex_wake);
    });
    return is_so;
  }

  // REQUIRES: the only word of `set` is only added to.
  std::vector<uint64_t> expected_of(const RisingNumbers& set) {
    const auto is_of_word = [&](const Instruction& instruction, Op op) {
      return instruction.op == op && instruction.word() == set.measured_by;
    };
    std::vector<bool> is_other(values_, false);
    for_each_place([&](uint32_t place) {
      const Instruction& instruction = program_.code[place];
      const Operands operands = operands_of(instruction.op);
      const auto is_used = [&](uint8_t number) { is_other[flows_.of(value_at(place, number))] = true; };
      if (operands.target && !is_of_word(instruction, Op::load)) is_other[flows_.of(result_of(place))] = true;
      if (operands.a && !is_of_word(instruction, Op::futex_wait)) is_used(instruction.a);
      if (operands.b) is_used(instruction.b);
      if (has_word(instruction.op) && instruction.index() != kNoIndex) is_used(instruction.index());
    });
    std::vector<uint64_t> expected = set.registers;
    for_each_place([&](uint32_t place) {
      for (uint64_t all = set.registers[place]; all != 0; all &= all - 1) {
        const auto number = static_cast<uint8_t>(std::countr_zero(all));
        if (is_other[flows_.of(value_at(place, number))]) expected[place] &= ~(uint64_t{1} << number);
      }
    });
    return expected;
  }

  std::optional<RisingNumbers> set_of(uint32_t measured_by) {
    RisingNumbers set;
    set.measured_by = measured_by;
    for (uint32_t word = 0; word < program_.words.size(); ++word)
      set.words |= shift_of(value_of_word(word)) == Shift::yes ? 1u << word : 0;
    set.registers.assign(places_, 0);
    for_each_place([&](uint32_t place) {
      for (uint64_t live = live_[place]; live != 0; live &= live - 1) {
        const auto number = static_cast<uint8_t>(std::countr_zero(live));
        if (shift_of(value_at(place, number)) == Shift::yes) set.registers[place] |= uint64_t{1} << number;
      }
    });
    for (const KeptBits& kept : kept_bits_) {
      if (shift_of(kept.value) != Shift::yes) continue;
      if (kept.multiple_of > ~uint32_t{0}) return std::nullopt;
      set.multiple_of = std::max(set.multiple_of, static_cast<uint32_t>(kept.multiple_of));
    }
    const bool is_count = set.words == 1u << measured_by && is_only_added_to(measured_by);
    set.expected = is_count ? expected_of(set) : std::vector<uint64_t>(places_, 0);
    return set;
  }

  struct Sum {
    uint32_t of, one, other;
  };
  struct KeptBits {
    uint32_t value;
    uint64_t multiple_of;
  };
  struct ConstantOperands {
    std::optional<uint32_t> a, b;
  };

  const Program& program_;
  const std::vector<uint64_t>& live_;
  const uint32_t places_, values_;
  Classes classes_;
  Classes flows_{0};                         // value flow from place to place only
  std::vector<ConstantOperands> constants_;  // by place
  std::vector<Sum> sums_;
  std::vector<KeptBits> kept_bits_;
  std::vector<Shift> shifts_;  // by class
};

}  // namespace

std::vector<RisingNumbers> find_rising_numbers(const Program& program, const std::vector<uint64_t>& live) {
  return Finder(program, live).find();
}

}  // namespace latchscope::lab
