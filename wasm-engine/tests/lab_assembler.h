// Builds latches for tests of the lab from the lab's instructions.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lab/program.h"

namespace latchscope::tests {

// Registers of the program: `me`, `threads`, then others in order of use. Each instruction is a
// source line, from 1.
class LabAssembler {
 public:
  using Op = lab::Op;
  using FunctionName = lab::FunctionName;

  static constexpr uint8_t kMe = lab::kThreadNumber;

  // Declares a word and returns its number.
  uint32_t word(const char* name, uint32_t initial = 0, uint32_t elements = 1, bool per_thread = false) {
    lab::WordDeclaration word;
    word.name = name;
    word.line = static_cast<uint32_t>(program_.words.size());
    word.initial = initial;
    word.elements = elements;
    word.per_thread = per_thread;
    program_.words.push_back(word);
    return static_cast<uint32_t>(program_.words.size() - 1);
  }

  uint32_t here() const { return static_cast<uint32_t>(program_.code.size()); }
  void function(FunctionName name) {
    close();
    open_ = &program_.functions[static_cast<uint32_t>(name)];
    open_->begin = here();
  }
  uint32_t add(Op op, uint32_t target, uint32_t a, uint32_t b, uint32_t immediate) {
    program_.code.push_back(
        {op, static_cast<uint8_t>(target), static_cast<uint8_t>(a), static_cast<uint8_t>(b), immediate});
    program_.source_lines.push_back(here());
    return here() - 1;
  }
  void constant(uint32_t target, uint32_t value) { add(Op::constant, target, 0, 0, value); }
  void compute(Op op, uint32_t target, uint32_t a, uint32_t b) { add(op, target, a, b, 0); }
  void load(uint32_t target, uint32_t word, uint32_t index = lab::kNoIndex) {
    add(Op::load, target, 0, 0, word | index << 16);
  }
  void store(uint32_t word, uint32_t a, uint32_t index = lab::kNoIndex) {
    add(Op::store, 0, a, 0, word | index << 16);
  }
  void change(Op op, uint32_t target, uint32_t word, uint32_t a, uint32_t b = 0) {
    add(op, target, a, b, word | uint32_t{lab::kNoIndex} << 16);
  }
  void futex_wait(uint32_t word, uint32_t a) { change(Op::futex_wait, 0, word, a); }
  void futex_wake(uint32_t target, uint32_t word, uint32_t a) { change(Op::futex_wake, target, word, a); }
  void pause() { add(Op::pause, 0, kMe, 0, 0); }
  void fence() { add(Op::fence, 0, 0, 0, 0); }
  uint32_t jump(uint32_t to = 0) { return add(Op::jump, 0, 0, 0, to); }
  uint32_t jump_if_zero(uint32_t a, uint32_t to = 0) { return add(Op::jump_if_zero, 0, a, 0, to); }
  uint32_t jump_if_not_zero(uint32_t a, uint32_t to = 0) { return add(Op::jump_if_not_zero, 0, a, 0, to); }
  void lands_here(uint32_t jump) { program_.code[jump].immediate = here(); }
  void call(FunctionName name) { add(Op::call, 0, 0, 0, static_cast<uint32_t>(name)); }
  void give_back() { add(Op::give_back, 0, 0, 0, 0); }
  void made_for(uint32_t threads) { program_.threads_max = threads; }

  lab::Program program() {
    close();
    open_ = nullptr;
    program_.registers = 12;
    const auto fault = lab::find_fault(program_);
    EXPECT_FALSE(fault) << fault->field << " " << fault->value << " " << fault->allowed;
    return program_;
  }

 private:
  void close() {
    if (open_ != nullptr) open_->end = here();
  }

  lab::Program program_;
  lab::FunctionRange* open_ = nullptr;
};

}  // namespace latchscope::tests
