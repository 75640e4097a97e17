// Commands from the host's thread to the coordinator. One thread posts, one takes. Posting never
// blocks, because a browser's main thread must not block.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "platform/platform.h"
#include "run/engine.h"

namespace latchscope::wasm {

class Mailbox {
 public:
  using Command = std::function<void(run::Engine&)>;

  enum class Delivery : uint8_t { at_once, when_it_wakes };

  // Returns false if the mailbox is full.
  bool post(Command command, Delivery delivery = Delivery::at_once) {
    const uint32_t posted = posted_.count.load();
    if (posted - taken_.count.load() == kCommandsMax) return false;
    commands_[posted % kCommandsMax] = std::move(command);
    posted_.count.store(posted + 1);
    if (delivery == Delivery::at_once) platform::futex_wake(posted_.count, 1);
    return true;
  }

  // Waits up to `timeout_ns` for the next command. After the timeout it returns none, because the
  // work that is due then comes first.
  std::optional<Command> take(uint64_t timeout_ns) {
    const uint32_t taken = taken_.count.load();
    const bool is_there = posted_.count.load() != taken;
    if (!is_there && !platform::futex_wait(posted_.count, taken, timeout_ns)) return std::nullopt;
    return take_if_there();
  }

  // Shortens the wait of take() by `sooner_ns`.
  //
  // REQUIRES: the caller is the host, between two slices of a modelled server.
  void bring_timeout_forward(uint64_t sooner_ns) {
    platform::bring_timeout_forward(posted_.count, sooner_ns);
  }

  // Waits for the next command without a timeout, when no other work is pending.
  std::optional<Command> take_at_leisure() {
    const uint32_t taken = taken_.count.load();
    if (posted_.count.load() == taken) platform::wait_for_host(posted_.count, taken);
    return take_if_there();
  }

  bool is_empty() const { return posted_.count.load() == taken_.count.load(); }

 private:
  std::optional<Command> take_if_there() {
    const uint32_t taken = taken_.count.load();
    if (posted_.count.load() == taken) return std::nullopt;
    Command command = std::move(commands_[taken % kCommandsMax]);
    taken_.count.store(taken + 1);
    return command;
  }

  static constexpr uint32_t kCommandsMax = 64;

  struct alignas(64) CountLine : platform::CacheLine {
    platform::Atomic<uint32_t> count{*this, 0};
  };
  CountLine posted_;
  CountLine taken_;
  std::array<Command, kCommandsMax> commands_;
};

}  // namespace latchscope::wasm
