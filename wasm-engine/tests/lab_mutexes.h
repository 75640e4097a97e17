// Mutexes of the lab that tests compete for, right and wrong.
#pragma once

#include "tests/lab_assembler.h"

namespace latchscope::tests {

// OsMutex in the lab's instructions: 0 free, 1 locked, 2 locked and somebody may sleep.
inline lab::Program mutex_of_three_states() {
  LabAssembler code;
  const uint32_t word = code.word("state");
  code.function(lab::FunctionName::enter);
  code.constant(2, 0);
  code.constant(3, 1);
  code.constant(4, 2);
  code.change(lab::Op::compare_exchange, 5, word, 2, 3);
  const uint32_t got_it = code.jump_if_zero(5);
  const uint32_t again = code.here();
  code.change(lab::Op::exchange, 5, word, 4);
  const uint32_t was_free = code.jump_if_zero(5);
  code.futex_wait(word, 4);
  code.jump(again);
  code.lands_here(got_it);
  code.lands_here(was_free);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.constant(2, 0);
  code.constant(3, 1);
  code.constant(4, 2);
  code.change(lab::Op::exchange, 5, word, 2);
  code.compute(lab::Op::equal, 6, 5, 4);
  const uint32_t nobody_sleeps = code.jump_if_zero(6);
  code.futex_wake(6, word, 3);
  code.lands_here(nobody_sleeps);
  code.give_back();
  return code.program();
}

inline lab::Program ticket_lock() {
  LabAssembler code;
  const uint32_t next = code.word("next_ticket");
  const uint32_t serving = code.word("now_serving");
  code.function(lab::FunctionName::enter);
  code.constant(2, 1);
  code.change(lab::Op::fetch_add, 3, next, 2);
  const uint32_t look = code.here();
  code.load(4, serving);
  code.compute(lab::Op::equal, 5, 3, 4);
  const uint32_t served = code.jump_if_not_zero(5);
  code.pause();
  code.jump(look);
  code.lands_here(served);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.load(4, serving);
  code.constant(2, 1);
  code.compute(lab::Op::add, 4, 4, 2);
  code.store(serving, 4);
  code.give_back();
  return code.program();
}

// Wrong: a thread that finds it taken goes in all the same.
inline lab::Program takes_without_looking() {
  LabAssembler code;
  const uint32_t word = code.word("locked");
  code.function(lab::FunctionName::enter);
  code.constant(2, 1);
  code.change(lab::Op::exchange, 3, word, 2);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.constant(2, 0);
  code.store(word, 2);
  code.give_back();
  return code.program();
}

// Wrong: an exit that wakes nobody.
inline lab::Program never_wakes() {
  LabAssembler code;
  const uint32_t word = code.word("locked");
  code.function(lab::FunctionName::enter);
  code.constant(2, 1);
  const uint32_t again = code.here();
  code.change(lab::Op::exchange, 3, word, 2);
  const uint32_t got_it = code.jump_if_zero(3);
  code.futex_wait(word, 2);
  code.jump(again);
  code.lands_here(got_it);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.constant(2, 0);
  code.store(word, 2);
  code.give_back();
  return code.program();
}

}  // namespace latchscope::tests
