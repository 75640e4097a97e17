// A doubly linked list whose links are inside the elements, like InnoDB's UT_LIST. Not thread-safe:
// the owner's latch guards it.
#pragma once

#include <cstddef>

#include "platform/platform.h"

namespace latchscope::server::ut {

template <class T>
struct ListLink {
  T* previous = nullptr;
  T* next = nullptr;
  bool linked = false;
};

template <class T, ListLink<T> T::* Link>
class IntrusiveList {
 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* first() const { return first_; }
  T* last() const { return last_; }
  static T* previous(const T& element) { return (element.*Link).previous; }
  static T* next(const T& element) { return (element.*Link).next; }
  static bool is_linked(const T& element) { return (element.*Link).linked; }

  void push_front(T& element) {
    ListLink<T>& link = claim(element);
    link.next = first_;
    (first_ != nullptr ? (first_->*Link).previous : last_) = &element;
    first_ = &element;
  }

  void push_back(T& element) {
    ListLink<T>& link = claim(element);
    link.previous = last_;
    (last_ != nullptr ? (last_->*Link).next : first_) = &element;
    last_ = &element;
  }

  void remove(T& element) {
    ListLink<T>& link = element.*Link;
    LATCHSCOPE_ASSERT(link.linked, "only a linked element is removed from its list");
    (link.previous != nullptr ? (link.previous->*Link).next : first_) = link.next;
    (link.next != nullptr ? (link.next->*Link).previous : last_) = link.previous;
    link = {};
    --size_;
  }

  T* pop_front() {
    T* element = first_;
    if (element != nullptr) remove(*element);
    return element;
  }

 private:
  ListLink<T>& claim(T& element) {
    ListLink<T>& link = element.*Link;
    LATCHSCOPE_ASSERT(!link.linked, "an element is in a list at most once");
    link.linked = true;
    ++size_;
    return link;
  }

  T* first_ = nullptr;
  T* last_ = nullptr;
  size_t size_ = 0;
};

}  // namespace latchscope::server::ut
