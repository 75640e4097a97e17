// Correct and wrong lab mutexes that tests check and let threads contend for.
#pragma once

#include "tests/lab_assembler.h"

namespace latchscope::tests {

inline void store_zero_and_return(LabAssembler& a, uint32_t word) {
  a.function(lab::FunctionName::exit);
  a.constant(3, 0);
  a.store(word, 3);
  a.give_back();
}

inline lab::Program test_and_set(bool tries_again = true) {
  LabAssembler a;
  const uint32_t locked = a.word("locked");
  a.function(lab::FunctionName::enter);
  a.constant(3, 1);
  const uint32_t again = a.here();
  a.change(lab::Op::exchange, 2, locked, 3);
  if (tries_again) a.jump_if_not_zero(2, again);
  a.give_back();
  store_zero_and_return(a, locked);
  return a.program();
}

inline lab::Program ticket(bool serves_the_next = true) {
  LabAssembler a;
  const uint32_t next = a.word("next_ticket"), serving = a.word("now_serving");
  a.function(lab::FunctionName::enter);
  a.constant(3, 1);
  a.change(lab::Op::fetch_add, 2, next, 3);
  const uint32_t again = a.here();
  a.load(4, serving);
  a.compute(lab::Op::not_equal, 4, 4, 2);
  a.jump_if_not_zero(4, again);
  a.give_back();
  a.function(lab::FunctionName::exit);
  a.load(2, serving);
  a.constant(3, serves_the_next ? 1 : 0);
  a.compute(lab::Op::add, 2, 2, 3);
  a.store(serving, 2);
  a.give_back();
  return a.program();
}

enum class FutexMistake : uint8_t { none, wakes_before_it_unlocks, marks_after_it_looked };

// Source: Drepper 2011. Word: 0 free, 1 held, 2 held and a thread may be asleep.
inline lab::Program futex_mutex(FutexMistake mistake = FutexMistake::none) {
  LabAssembler a;
  const uint32_t word = a.word("word");
  a.function(lab::FunctionName::enter);
  a.constant(3, 0);
  a.constant(4, 1);
  a.constant(5, 2);
  a.change(lab::Op::compare_exchange, 2, word, 3, 4);
  const uint32_t got_it = a.jump_if_zero(2);
  const uint32_t again = a.here();
  if (mistake == FutexMistake::marks_after_it_looked) {
    a.change(lab::Op::compare_exchange, 2, word, 3, 5);
    const uint32_t got_it_late = a.jump_if_zero(2);
    a.store(word, 5);
    a.futex_wait(word, 5);
    a.jump(again);
    a.lands_here(got_it_late);
  } else {
    a.change(lab::Op::exchange, 2, word, 5);
    const uint32_t got_it_late = a.jump_if_zero(2);
    a.futex_wait(word, 5);
    a.jump(again);
    a.lands_here(got_it_late);
  }
  a.lands_here(got_it);
  a.give_back();
  a.function(lab::FunctionName::exit);
  a.constant(3, 0);
  a.constant(4, 1);
  a.constant(5, 2);
  if (mistake == FutexMistake::wakes_before_it_unlocks) {
    a.load(2, word);
    a.compute(lab::Op::equal, 2, 2, 5);
    const uint32_t nobody = a.jump_if_zero(2);
    a.futex_wake(2, word, 4);
    a.lands_here(nobody);
    a.store(word, 3);
  } else {
    a.change(lab::Op::exchange, 2, word, 3);
    a.compute(lab::Op::equal, 2, 2, 5);
    const uint32_t nobody = a.jump_if_zero(2);
    a.futex_wake(2, word, 4);
    a.lands_here(nobody);
  }
  a.give_back();
  return a.program();
}

// A thread that finds the word taken sleeps until it is woken.
inline uint32_t enter_or_sleep(LabAssembler& code) {
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
  return word;
}

// Wrong: exit wakes no thread. A thread that arrives while the latch is free still gets in.
inline lab::Program never_wakes() {
  LabAssembler code;
  store_zero_and_return(code, enter_or_sleep(code));
  return code.program();
}

// Wrong: exit frees nothing. After the first thread no other gets in.
inline lab::Program never_lets_go() {
  LabAssembler code;
  enter_or_sleep(code);
  code.function(lab::FunctionName::exit);
  code.give_back();
  return code.program();
}

// Wrong: any thread gets in at any time.
inline lab::Program open_door() {
  LabAssembler code;
  const uint32_t word = code.word("entries");
  code.function(lab::FunctionName::enter);
  code.constant(2, 1);
  code.change(lab::Op::fetch_add, 3, word, 2);
  code.give_back();
  store_zero_and_return(code, word);
  return code.program();
}

// Wrong: enter accesses an element beyond those of the word.
inline lab::Program beyond_its_words() {
  LabAssembler code;
  const uint32_t word = code.word("flags", 0, 2);
  code.function(lab::FunctionName::enter);
  code.constant(2, 2);
  code.load(3, word, 2);
  code.give_back();
  store_zero_and_return(code, word);
  return code.program();
}

enum class RwMistake : uint8_t { none, writers_see_no_readers, writers_never_let_go };

// Bit 31 is the writer's; the lower bits count readers.
inline lab::Program rw_spin_latch(RwMistake mistake = RwMistake::none) {
  constexpr uint32_t kWriter = 0x80000000;
  LabAssembler code;
  const uint32_t state = code.word("state");
  code.function(lab::FunctionName::enter);
  code.constant(3, 0);
  code.constant(4, kWriter);
  const uint32_t try_again = code.here();
  if (mistake != RwMistake::writers_see_no_readers) {
    code.change(lab::Op::compare_exchange, 2, state, 3, 4);
  } else {
    code.change(lab::Op::fetch_or, 2, state, 4);
    code.compute(lab::Op::bit_and, 2, 2, 4);
  }
  const uint32_t got_it = code.jump_if_zero(2);
  code.pause();
  code.jump(try_again);
  code.lands_here(got_it);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.constant(3, mistake == RwMistake::writers_never_let_go ? ~uint32_t{0} : ~kWriter);
  code.change(lab::Op::fetch_and, 2, state, 3);
  code.give_back();
  code.function(lab::FunctionName::enter_shared);
  code.constant(3, 1);
  code.constant(4, kWriter);
  const uint32_t again = code.here();
  code.change(lab::Op::fetch_add, 2, state, 3);
  code.compute(lab::Op::bit_and, 2, 2, 4);
  const uint32_t shares = code.jump_if_zero(2);
  code.change(lab::Op::fetch_sub, 2, state, 3);
  code.pause();
  code.jump(again);
  code.lands_here(shares);
  code.give_back();
  code.function(lab::FunctionName::exit_shared);
  code.constant(3, 1);
  code.change(lab::Op::fetch_sub, 2, state, 3);
  code.give_back();
  return code.program();
}

}  // namespace latchscope::tests
