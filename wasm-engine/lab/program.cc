#include "lab/program.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace latchscope::lab {

namespace {

enum class Immediate : uint8_t { nothing, number, place, word, function };

struct OperationShape {
  std::string_view name;
  bool has_target, has_a, has_b;
  Immediate immediate;
};

constexpr OperationShape kShapes[] = {
#define LATCHSCOPE_SHAPE(name, target, a, b, immediate) \
  {#name, (target) != 0, (a) != 0, (b) != 0, Immediate::immediate},
    LATCHSCOPE_LAB_OPERATIONS(LATCHSCOPE_SHAPE)
#undef LATCHSCOPE_SHAPE
};
static_assert(std::size(kShapes) == kOps);

constexpr std::string_view kFunctionNames[kFunctions] = {"enter",       "exit",   "enter_shared",
                                                         "exit_shared", "client", "at_end"};

std::string range(uint64_t from, uint64_t to) {
  return "a number from " + std::to_string(from) + " to " + std::to_string(to);
}

std::string at(const char* list, size_t position, const char* field) {
  return std::string(list) + "[" + std::to_string(position) + "]" + field;
}

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && name.size() <= kNameLengthMax && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

using Fault = std::optional<ProgramFault>;

Fault fault_of_word(const std::vector<WordDeclaration>& words, size_t position) {
  const WordDeclaration& word = words[position];
  if (!is_name(word.name)) {
    return ProgramFault{at("words", position, ".name"), word.name,
                        "letters, digits and _, at most " + std::to_string(kNameLengthMax)};
  }
  if (word.line >= words.size()) {
    return ProgramFault{at("words", position, ".line"), std::to_string(word.line),
                        range(0, words.size() - 1)};
  }
  const bool has_too_few = word.elements == 0 && !word.per_thread;
  if (word.elements > kElementsMax || has_too_few) {
    return ProgramFault{at("words", position, ".elements"), std::to_string(word.elements),
                        range(word.per_thread ? 0 : 1, kElementsMax)};
  }
  if (word.is_packed && (word.per_thread || word.elements > kWordsOnLineMax)) {
    return ProgramFault{
        at("words", position, ".packed"), "true",
        "false, or at most " + std::to_string(kWordsOnLineMax) + " elements for any number of threads"};
  }
  if (word.source_line > kSourceLinesMax) {
    return ProgramFault{at("words", position, ".source_line"), std::to_string(word.source_line),
                        range(0, kSourceLinesMax)};
  }
  return std::nullopt;
}

// Counts the words on each cache line: one element per word, but all elements of packed words.
Fault fault_of_lines(const std::vector<WordDeclaration>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t line = words[i].line;
    uint32_t on_line = 0;
    for (const WordDeclaration& word : words) {
      if (word.line == line) on_line += word.is_packed ? word.elements : 1;
    }
    if (on_line > kWordsOnLineMax) {
      return ProgramFault{at("words", i, ".line"), std::to_string(line),
                          "a line with at most " + std::to_string(kWordsOnLineMax) + " words"};
    }
  }
  return std::nullopt;
}

Fault fault_of_functions(const Program& program) {
  const auto size = static_cast<uint32_t>(program.code.size());
  std::vector<FunctionRange> there;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    const FunctionRange& function = program.functions[i];
    const std::string field = "functions." + std::string(kFunctionNames[i]);
    if (function.end > size || function.begin > function.end) {
      return ProgramFault{field, std::to_string(function.begin) + " to " + std::to_string(function.end),
                          "instructions from 0 to " + std::to_string(size)};
    }
    if (!function.is_there()) continue;
    for (const FunctionRange& other : there) {
      if (function.begin < other.end && other.begin < function.end)
        return ProgramFault{field, std::to_string(function.begin), "instructions that no other function has"};
    }
    there.push_back(function);
  }
  const auto needed = [&](FunctionName name, const char* why) -> Fault {
    if (program.function(name).is_there()) return std::nullopt;
    return ProgramFault{"functions." + std::string(name_of(name)), "none", why};
  };
  if (Fault fault = needed(FunctionName::enter, "a function: every latch needs it")) return fault;
  if (Fault fault = needed(FunctionName::exit, "a function: every latch needs it")) return fault;
  const bool has_enter_shared = program.function(FunctionName::enter_shared).is_there();
  const bool has_exit_shared = program.function(FunctionName::exit_shared).is_there();
  if (has_enter_shared != has_exit_shared) {
    return needed(has_enter_shared ? FunctionName::exit_shared : FunctionName::enter_shared,
                  "both enter_shared and exit_shared, or neither");
  }
  return std::nullopt;
}

Fault fault_of_register(const Program& program, std::string field, uint8_t number, uint8_t from) {
  if (number >= from && number < program.registers) return std::nullopt;
  return ProgramFault{
      std::move(field), std::to_string(number),
      "a register from " + std::to_string(from) + " to " + std::to_string(program.registers - 1)};
}

Fault fault_of_registers(const Program& program, size_t place) {
  const Instruction& instruction = program.code[place];
  const OperationShape& shape = kShapes[static_cast<uint32_t>(instruction.op)];
  Fault fault;
  if (shape.has_target)
    fault = fault_of_register(program, at("code", place, ".target"), instruction.target, kFirstFreeRegister);
  if (!fault && shape.has_a) fault = fault_of_register(program, at("code", place, ".a"), instruction.a, 0);
  if (!fault && shape.has_b) fault = fault_of_register(program, at("code", place, ".b"), instruction.b, 0);
  if (!fault && shape.immediate == Immediate::word && instruction.index() != kNoIndex)
    fault = fault_of_register(program, at("code", place, ".index"), instruction.index(), 0);
  return fault;
}

Fault fault_of_immediate(const Program& program, size_t place, FunctionName name) {
  const Instruction& instruction = program.code[place];
  const FunctionRange& function = program.function(name);
  const uint32_t immediate = instruction.immediate;
  switch (kShapes[static_cast<uint32_t>(instruction.op)].immediate) {
    case Immediate::nothing:
    case Immediate::number:
      return std::nullopt;
    case Immediate::place:
      if (immediate >= function.begin && immediate < function.end) return std::nullopt;
      return ProgramFault{at("code", place, ".immediate"), std::to_string(immediate),
                          "an instruction of the same function, " + range(function.begin, function.end - 1)};
    case Immediate::word:
      if (instruction.word() < program.words.size() && immediate >> 24 == 0) return std::nullopt;
      return ProgramFault{at("code", place, ".immediate"), std::to_string(instruction.word()),
                          "a word below " + std::to_string(program.words.size()) + ", the number of words"};
    case Immediate::function:
      break;
  }
  const bool may_call = name == FunctionName::client || name == FunctionName::at_end;
  const bool can_be_called =
      immediate < static_cast<uint32_t>(FunctionName::client) && program.functions[immediate].is_there();
  if (may_call && can_be_called) return std::nullopt;
  return ProgramFault{at("code", place, ".immediate"), std::to_string(immediate),
                      may_call ? "enter, exit, enter_shared or exit_shared, if the latch has it"
                               : "no call outside client and at_end"};
}

Fault fault_of_code_in(const Program& program, FunctionName name) {
  const FunctionRange& function = program.function(name);
  for (size_t place = function.begin; place < function.end; ++place) {
    if (static_cast<uint32_t>(program.code[place].op) >= kOps) {
      return ProgramFault{at("code", place, ".op"),
                          std::to_string(static_cast<uint32_t>(program.code[place].op)), range(0, kOps - 1)};
    }
    if (Fault fault = fault_of_registers(program, place)) return fault;
    if (Fault fault = fault_of_immediate(program, place, name)) return fault;
  }
  const Op last = program.code[function.end - 1].op;
  if (last == Op::give_back || last == Op::jump) return std::nullopt;
  return ProgramFault{at("code", function.end - 1, ".op"), std::string(name_of(last)),
                      "give_back or jump as the function's last instruction"};
}

Fault fault_of_sizes(const Program& program) {
  if (program.threads_max > kThreadsMaxDeclared)
    return ProgramFault{"threads_max", std::to_string(program.threads_max), range(0, kThreadsMaxDeclared)};
  if (program.code.size() > kInstructionsMax) {
    return ProgramFault{"code", std::to_string(program.code.size()),
                        "at most " + std::to_string(kInstructionsMax) + " instructions"};
  }
  if (program.registers < kFirstFreeRegister || program.registers > kRegistersMax) {
    return ProgramFault{"registers", std::to_string(program.registers),
                        range(kFirstFreeRegister, kRegistersMax)};
  }
  if (program.source_lines.size() != program.code.size()) {
    return ProgramFault{"source_lines", std::to_string(program.source_lines.size()),
                        "one for each of " + std::to_string(program.code.size()) + " instructions"};
  }
  for (size_t i = 0; i < program.source_lines.size(); ++i) {
    if (program.source_lines[i] > kSourceLinesMax) {
      return ProgramFault{at("source_lines", i, ""), std::to_string(program.source_lines[i]),
                          range(0, kSourceLinesMax)};
    }
  }
  return std::nullopt;
}

// A program must not rely on what a register had before the call.
Fault fault_of_unwritten_registers(const Program& program) {
  const std::vector<uint64_t> live = live_registers(program, Liveness::each_function);
  for (uint32_t i = 0; i < kFunctions; ++i) {
    const FunctionRange& function = program.functions[i];
    if (!function.is_there() || live[function.begin] == 0) continue;
    return ProgramFault{"functions." + std::string(kFunctionNames[i]),
                        "register " + std::to_string(std::countr_zero(live[function.begin])),
                        "a register that is written before it is read"};
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Op op) {
  return kShapes[static_cast<uint32_t>(op)].name;
}

Operands operands_of(Op op) {
  const OperationShape& shape = kShapes[static_cast<uint32_t>(op)];
  return {shape.has_target, shape.has_a, shape.has_b};
}

std::string_view name_of(FunctionName function) {
  return kFunctionNames[static_cast<uint32_t>(function)];
}

std::optional<ProgramFault> find_fault_of_words(const std::vector<WordDeclaration>& words) {
  if (words.size() > kWordsMax)
    return ProgramFault{"words", std::to_string(words.size()), "at most " + std::to_string(kWordsMax)};
  for (size_t i = 0; i < words.size(); ++i) {
    if (Fault fault = fault_of_word(words, i)) return fault;
  }
  return fault_of_lines(words);
}

std::optional<ProgramFault> find_fault(const Program& program) {
  if (Fault fault = fault_of_sizes(program)) return fault;
  if (Fault fault = find_fault_of_words(program.words)) return fault;
  if (Fault fault = fault_of_functions(program)) return fault;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    if (!program.functions[i].is_there()) continue;
    if (Fault fault = fault_of_code_in(program, static_cast<FunctionName>(i))) return fault;
  }
  return fault_of_unwritten_registers(program);
}

FunctionName Program::function_of(uint32_t place) const {
  for (uint32_t i = 0; i < kFunctions; ++i) {
    if (place >= functions[i].begin && place < functions[i].end) return static_cast<FunctionName>(i);
  }
  return FunctionName::enter;
}

namespace {

constexpr uint64_t bit_of(uint32_t number) {
  return uint64_t{1} << (number & (kRegistersMax - 1));
}
// All registers but those that no instruction writes.
constexpr uint64_t kOwnRegisters = ~uint64_t{0} << kFirstFreeRegister;

class LiveRegisters {
 public:
  LiveRegisters(const Program& program, Liveness liveness)
      : program_(program),
        is_across_calls_(liveness == Liveness::across_calls),
        live_(program.code.size() + 1, 0) {}
  std::vector<uint64_t> find();

 private:
  uint64_t live_behind(uint32_t place) const;

  const Program& program_;
  const bool is_across_calls_;
  std::vector<uint64_t> live_;
};

// The targets of a call and of give_back do not depend on the caller: everything that may follow
// counts.
uint64_t LiveRegisters::live_behind(uint32_t place) const {
  const Instruction& instruction = program_.code[place];
  const auto live_in = [&](const FunctionRange& function) {
    return function.is_there() ? live_[function.begin] : 0;
  };
  switch (instruction.op) {
    case Op::jump:
      return live_[instruction.immediate];
    case Op::jump_if_zero:
    case Op::jump_if_not_zero:
      return live_[instruction.immediate] | live_[place + 1];
    case Op::call:
      if (!is_across_calls_) return live_[place + 1];
      return live_in(program_.functions[instruction.immediate]);
    case Op::give_back: {
      if (!is_across_calls_) return 0;
      uint64_t live = 0;
      for (const FunctionRange& function : program_.functions)
        live |= live_in(function);
      for (uint32_t caller = 0; caller < program_.code.size(); ++caller) {
        const bool may_be_called =
            program_.code[caller].op == Op::call && (program_.function_of(caller) == FunctionName::client ||
                                                     program_.function_of(caller) == FunctionName::at_end);
        if (may_be_called) live |= live_[caller + 1];
      }
      return live;
    }
    default:
      return live_[place + 1];
  }
}

std::vector<uint64_t> LiveRegisters::find() {
  // Instructions outside all functions never run, and find_fault() does not check them.
  std::vector<uint32_t> places;
  for (const FunctionRange& function : program_.functions) {
    for (uint32_t place = function.begin; place < function.end; ++place)
      places.push_back(place);
  }
  std::ranges::sort(places, std::greater<>());
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t place : places) {
      const Instruction& instruction = program_.code[place];
      const Operands operands = operands_of(instruction.op);
      uint64_t live = live_behind(place);
      if (operands.target) live &= ~bit_of(instruction.target);
      if (operands.a) live |= bit_of(instruction.a);
      if (operands.b) live |= bit_of(instruction.b);
      if (has_word(instruction.op) && instruction.index() != kNoIndex) live |= bit_of(instruction.index());
      live &= kOwnRegisters;
      changed |= live != live_[place];
      live_[place] = live;
    }
  }
  return std::move(live_);
}

}  // namespace

std::vector<uint64_t> live_registers(const Program& program, Liveness liveness) {
  return LiveRegisters(program, liveness).find();
}

}  // namespace latchscope::lab
