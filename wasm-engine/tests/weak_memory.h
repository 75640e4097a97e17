// A memory as weak as the C++ memory model allows, for one writer and one reader thread. A load of
// the reader may see any store to its word that the model does not forbid. All outcomes are tried
// in turn.
//
// A store is a message; the messages of a word are ordered. A thread has a view: for each word, the
// newest message that it knows. It may not read older messages. A release attaches the writer's
// view; an acquire adds it to the reader's view. The writer reads nothing that the reader writes.
// All its stores can therefore exist before the reader starts, and only the stores that the reader
// sees vary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace latchscope::tests {

class WeakMemory {
 public:
  WeakMemory() { the_memory = this; }
  ~WeakMemory() { the_memory = nullptr; }
  WeakMemory(const WeakMemory&) = delete;
  WeakMemory& operator=(const WeakMemory&) = delete;
  static WeakMemory& current() { return *the_memory; }

  // Called after the writer has finished. Calls `read` once for each possible outcome of its loads.
  void try_every_outcome(const std::function<void()>& read) {
    is_reading_ = true;
    choices_.clear();
    do {
      reader_knows_.assign(words_.size(), 0);
      loads_ = 0;
      read();
    } while (go_to_next_outcome());
    is_reading_ = false;
  }

  size_t add_word() {
    words_.push_back({{0, {}}});
    return words_.size() - 1;
  }

  void store(size_t word, uint64_t value, bool is_release) {
    words_[word].push_back({value, {}});
    if (!is_release) return;
    View view;
    for (const auto& messages : words_)
      view.push_back(messages.size() - 1);
    words_[word].back().released = view;
  }

  uint64_t load(size_t word, bool is_acquire) {
    const std::vector<Message>& messages = words_[word];
    if (!is_reading_) return messages.back().value;
    size_t& oldest = reader_knows_[word];
    oldest += choose(messages.size() - oldest);
    const Message& seen = messages[oldest];
    if (is_acquire) {
      for (size_t i = 0; i < seen.released.size(); ++i)
        reader_knows_[i] = std::max(reader_knows_[i], seen.released[i]);
    }
    return seen.value;
  }

 private:
  using View = std::vector<size_t>;  // by word
  struct Message {
    uint64_t value;
    View released;  // empty: a plain store
  };
  struct Choice {
    size_t taken, of;
  };

  size_t choose(size_t of) {
    if (loads_ == choices_.size()) choices_.push_back({0, of});
    return choices_[loads_++].taken;
  }

  bool go_to_next_outcome() {
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of)
      choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  static inline WeakMemory* the_memory = nullptr;
  std::vector<std::vector<Message>> words_;
  View reader_knows_;
  bool is_reading_ = false;
  std::vector<Choice> choices_;
  size_t loads_ = 0;
};

// Replaces platform::Published.
template <class T>
class WeakCell {
 public:
  T read() const { return static_cast<T>(WeakMemory::current().load(word_, false)); }
  T read_acquire() const { return static_cast<T>(WeakMemory::current().load(word_, true)); }
  void set(T value) { WeakMemory::current().store(word_, value, false); }
  void set_release(T value) { WeakMemory::current().store(word_, value, true); }
  void add(T amount) { set(static_cast<T>(read() + amount)); }

 private:
  size_t word_ = WeakMemory::current().add_word();
};

}  // namespace latchscope::tests
