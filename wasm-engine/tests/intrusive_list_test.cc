#include "server/ut/intrusive_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace latchscope::server::ut {
namespace {

struct Element {
  int value;
  ListLink<Element> link;
};
using List = IntrusiveList<Element, &Element::link>;

std::vector<int> values_of(const List& list) {
  std::vector<int> values;
  for (Element* element = list.first(); element != nullptr; element = list.next(*element)) {
    values.push_back(element->value);
  }
  return values;
}

TEST(IntrusiveList, KeepsOrderThroughPushesAndRemovals) {
  Element one{1, {}};
  Element two{2, {}};
  Element three{3, {}};
  List list;
  list.push_back(two);
  list.push_front(one);
  list.push_back(three);
  EXPECT_EQ(values_of(list), (std::vector<int>{1, 2, 3}));
  list.remove(two);
  EXPECT_EQ(values_of(list), (std::vector<int>{1, 3}));
  EXPECT_FALSE(List::is_linked(two));
  EXPECT_EQ(list.last()->value, 3);
  EXPECT_EQ(list.pop_front()->value, 1);
  EXPECT_EQ(list.pop_front()->value, 3);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_TRUE(list.empty());
}

TEST(IntrusiveListDeathTest, AnElementIsNotInTheListTwice) {
  Element one{1, {}};
  List list;
  list.push_back(one);
  EXPECT_DEATH(list.push_front(one), "in a list at most once");
}

}  // namespace
}  // namespace latchscope::server::ut
