#include "lab/lab_latch.h"

#include <algorithm>

#include "latch/latch_class.h"

namespace latchscope::lab {

namespace {

const telemetry::Function kEnter("lab_enter");
const telemetry::Function kFutexWait("lab_futex_wait");

// Numbers a line as the page reads it (kLineElementBits).
constexpr uint16_t line_number(uint32_t declared, uint32_t element) {
  static_assert(kWordsMax <= 1u << (16 - kLineElementBits), "at most one line per word");
  static_assert(kElementsMax + kThreadsMaxDeclared <= 1u << kLineElementBits, "at most one line per element");
  return static_cast<uint16_t>(declared << kLineElementBits | element);
}

constexpr size_t rounded_up(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

// Offset of the first word on a line: after the state that a modelled line has.
constexpr size_t kFirstWordAt = std::is_empty_v<platform::CacheLine>
                                    ? 0
                                    : rounded_up(sizeof(platform::CacheLine), alignof(LatchWords::Word));

}  // namespace

// --- words ---------------------------------------------------------------------------------------

// The lines of all words that are declared with the same line number.
struct LatchWords::LinesOf {
  std::vector<uint32_t> words;
  uint32_t lines = 0;          // one per element of the word that has most
  uint32_t words_on_each = 0;  // the first line may have more than the others
  size_t bytes_of_each() const { return rounded_up(kFirstWordAt + words_on_each * sizeof(Word), kLineBytes); }
};

LatchWords::LatchWords(const std::vector<WordDeclaration>& declared, uint32_t threads,
                       platform::LatchLine latch)
    : declared_(declared), words_(declared.size()) {
  std::vector<LinesOf> all(declared.size());
  for (uint32_t i = 0; i < declared.size(); ++i) {
    const WordDeclaration& word = declared[i];
    LinesOf& of = all[word.line];
    of.words.push_back(i);
    words_[i].elements = word.elements_for(threads);
    of.lines = std::max(of.lines, word.is_packed ? 1 : words_[i].elements);
    of.words_on_each += word.is_packed ? word.elements : 1;
  }
  size_t bytes = 0;
  for (const LinesOf& of : all)
    bytes += of.lines * of.bytes_of_each();
  memory_.reset(
      static_cast<std::byte*>(operator new(std::max(bytes, kLineBytes), std::align_val_t{kLineBytes})));
  std::byte* next = memory_.get();
  for (uint32_t declared_line = 0; declared_line < all.size(); ++declared_line) {
    const LinesOf& of = all[declared_line];
    size_t at = kFirstWordAt;
    for (const uint32_t word : of.words) {
      const bool is_packed = declared[word].is_packed;
      words_[word].first = next + at;
      words_[word].stride = is_packed ? sizeof(Word) : of.bytes_of_each();
      at += (is_packed ? words_[word].elements : 1) * sizeof(Word);
    }
    for (uint32_t element = 0; element < of.lines; ++element, next += of.bytes_of_each()) {
      latch.line = line_number(declared_line, element);
      build_line(next, of.words, element, latch);
    }
  }
}

void LatchWords::build_line(std::byte* line, const std::vector<uint32_t>& words_on_it, uint32_t element,
                            platform::LatchLine latch) {
  auto* built = new (line) platform::CacheLine();
  built->belongs_to(latch);
  lines_.push_back(built);
  const auto build_word = [&](uint32_t word, uint32_t index) {
    const WordDeclaration& of = declared_[word];
    new (words_[word].first + index * words_[word].stride)
        Word(*built, of.initial_is_index ? index : of.initial);
  };
  for (const uint32_t word : words_on_it) {
    if (!declared_[word].is_packed) {
      if (element < words_[word].elements) build_word(word, element);
    } else if (element == 0) {
      for (uint32_t index = 0; index < words_[word].elements; ++index)
        build_word(word, index);
    }
  }
}

LatchWords::~LatchWords() {
  for (uint32_t word = 0; word < words_.size(); ++word) {
    for (uint32_t element = 0; element < words_[word].elements; ++element)
      at(word, element).~Word();
  }
  for (platform::CacheLine* line : lines_)
    line->~CacheLine();
}

void LatchWords::spoil() {
  constexpr uint32_t kFarAway = 0x9e3779b9;  // odd, so repeated additions give no value twice
  for (uint32_t word = 0; word < words_.size(); ++word) {
    for (uint32_t element = 0; element < words_[word].elements; ++element) {
      at(word, element).fetch_add(kFarAway);
      platform::futex_wake(at(word, element), platform::kWakeAll);
    }
  }
}

// --- running -------------------------------------------------------------------------------------

// One call of a function by one thread.
class LabLatch::Call {
 public:
  Call(LabLatch& latch, FunctionName function, uint32_t thread, const telemetry::LatchSite* site)
      : latch_(latch), recorder_(telemetry::recorder()), thread_(thread), site_(site) {
    pc_ = latch.program_.function(function).begin;
    std::fill_n(registers_.values, latch.program_.registers, 0);
    registers_[kThreadNumber] = thread;
    registers_[kThreads] = latch.threads_;
  }

  // Returns false if the call did not run to its end.
  bool carry_out() {
    bool ended = true;
    for (;;) {
      const LocalStop stop = run_until_access(latch_.program_, pc_, registers_);
      if (stop.wrong != Wrong::nothing) [[unlikely]] {
        latch_.report(stop.wrong, place_of(*stop.at), thread_);
        ended = false;
        break;
      }
      if (stop.at->op == Op::give_back) break;
      if (latch_.is_given_up() || !advances_in_time(*stop.at) || !carry_out(*stop.at)) [[unlikely]] {
        ended = false;
        break;
      }
    }
    if (is_contended_) recorder_.latch_contention_ends();
    return ended;
  }

 private:
  uint32_t place_of(const Instruction& at) const {
    return static_cast<uint32_t>(&at - latch_.program_.code.data());
  }

  // Returns false after some 10^6 accesses at one moment of a modelled server. On the ideal machine
  // no access takes time, so a thread that spins would spin forever.
  bool advances_in_time(const Instruction& at) {
    if (--accesses_until_look_ > 0) return true;
    accesses_until_look_ = kAccessesPerLook;
    const uint64_t now_ps = platform::now_ps();
    looks_at_one_time_ = now_ps == looked_ps_ ? looks_at_one_time_ + 1 : 0;
    looked_ps_ = now_ps;
    if (looks_at_one_time_ < kLooksAtOneTimeMax) return true;
    latch_.report(Wrong::no_time, place_of(at), thread_);
    return false;
  }

  bool carry_out(const Instruction& at) {
    if (has_word(at.op)) return access(at);
    switch (at.op) {
      case Op::pause:
        waits();
        platform::pause(std::min(registers_[at.a], kPausesMax));
        return true;
      case Op::yield:
        waits();
        platform::yield();
        return true;
      case Op::fence:
        platform::fence();
        return true;
      case Op::random:
        registers_[at.target] = random_below(registers_[at.a]);
        return true;
      default:
        return true;
    }
  }

  uint32_t random_below(uint32_t limit) {
    return limit == 0 ? 0 : platform::scale_to(recorder_.random().next(), limit - 1);
  }

  bool access(const Instruction& at) {
    const uint32_t element = at.index() == kNoIndex ? 0 : registers_[at.index()];
    if (element >= latch_.words_.elements_of(at.word())) [[unlikely]] {
      latch_.report(Wrong::index_too_large, place_of(at), thread_);
      return false;
    }
    LatchWords::Word& word = latch_.words_.at(at.word(), element);
    if (at.op == Op::load) spins_if_again(at, word);
    if (latch_.costs_.empty()) {
      access(at, word);
    } else {
      access_and_note(at, word);
    }
    if (site_ == nullptr && !is_free_ && changes(at.op)) says_free();
    return true;
  }

  void access_and_note(const Instruction& at, LatchWords::Word& word) {
    const uint64_t began_ps = platform::now_ps();
    const uint64_t transfers_before = platform::line_transfers_of_caller();
    access(at, word);
    InstructionCost& cost = latch_.costs_[place_of(at)];
    ++cost.times;
    cost.ps += platform::now_ps() - began_ps;
    cost.transfers += platform::line_transfers_of_caller() - transfers_before;
  }

  void access(const Instruction& at, LatchWords::Word& word) {
    const uint32_t a = registers_[at.a & (kRegistersMax - 1)];
    uint32_t& target = registers_.values[at.target & (kRegistersMax - 1)];
    if (at.op == Op::futex_wait) {
      sleep_on(word, a);
    } else if (at.op == Op::futex_wake) {
      target = platform::futex_wake(word, std::min(a, platform::kWakeAll));
    } else if (at.op == Op::store) {
      word.store_release(a);
    } else {
      target = read_or_change(word, at.op, a, registers_[at.b & (kRegistersMax - 1)]);
    }
  }

  static bool changes(Op op) { return op == Op::store || is_read_modify_write(op); }

  // The first change that exit makes lets others in.
  void says_free() {
    is_free_ = true;
    telemetry::latch_is_free(latch_.number_);
  }

  // The same load of the same word again, with nothing in between, counts as polling.
  void spins_if_again(const Instruction& at, const LatchWords::Word& word) {
    if (last_load_ == &at && last_word_ == &word) waits();
    last_load_ = &at;
    last_word_ = &word;
  }

  void waits() {
    if (site_ == nullptr) return;
    if (!is_contended_) {
      is_contended_ = true;
      recorder_.latch_contended(*site_, latch_.number_);
    }
    recorder_.latch_polled(*site_, 1);
  }

  void sleep_on(LatchWords::Word& word, uint32_t expected) {
    if (site_ == nullptr) {
      platform::futex_wait(word, expected);
      return;
    }
    waits();
    telemetry::Frame frame(kFutexWait);
    recorder_.latch_wait_begins(*site_);
    platform::futex_wait(word, expected);
    recorder_.latch_wait_ends(*site_);
  }

  static constexpr uint32_t kPausesMax = 100'000;
  static constexpr uint32_t kAccessesPerLook = 4'096;
  static constexpr uint32_t kLooksAtOneTimeMax = 1'000'000 / kAccessesPerLook;

  LabLatch& latch_;
  telemetry::ThreadRecorder& recorder_;
  const uint32_t thread_;
  const telemetry::LatchSite* site_;  // null: an exit
  uint32_t pc_;
  Registers registers_;
  bool is_contended_ = false;
  bool is_free_ = false;
  uint32_t accesses_until_look_ = kAccessesPerLook;
  uint32_t looks_at_one_time_ = 0;
  uint64_t looked_ps_ = 0;
  const Instruction* last_load_ = nullptr;
  const LatchWords::Word* last_word_ = nullptr;
};

LabLatch::LabLatch(const Program& program, uint32_t threads)
    : program_(program),
      threads_(threads),
      number_(telemetry::next_latch_number()),
      words_(program.words, threads, {number_, latch::latch_class(latch::LatchClass::LabLatch)}) {}

bool LabLatch::take(FunctionName function, const telemetry::LatchSite& site, uint32_t thread) {
  const bool is_taken = enter_uncounted(function, site, thread);
  if (is_taken) telemetry::recorder().latch_acquired(site, number_);
  return is_taken;
}

bool LabLatch::enter_uncounted(FunctionName function, const telemetry::LatchSite& site, uint32_t thread) {
  telemetry::latch_wanted(site.id, number_);
  bool is_taken = false;
  platform::call_apart([&] {
    telemetry::Frame frame(kEnter);
    is_taken = Call(*this, function, thread, &site).carry_out();
  });
  return is_taken;
}

bool LabLatch::release(FunctionName function, uint32_t thread) {
  telemetry::LatchRelease release(number_);
  bool is_released = false;
  platform::call_apart([&] { is_released = Call(*this, function, thread, nullptr).carry_out(); });
  return is_released;
}

void LabLatch::report(Wrong wrong, uint32_t instruction, uint32_t thread) {
  uint32_t none = 0;
  problem_.compare_exchange(none, 1 + (static_cast<uint32_t>(wrong) | instruction << 4 | thread << 14));
}

LabLatch::Problem LabLatch::problem() const {
  const uint32_t stored = problem_.read();
  if (stored == 0) return {};
  const uint32_t bits = stored - 1;
  return {static_cast<Wrong>(bits & 0xf), bits >> 4 & 0x3ff, bits >> 14};
}

void LabLatch::give_up() {
  given_up_.set(1);
  words_.spoil();
}

}  // namespace latchscope::lab
