#include "server/row/btr.h"

#include <gtest/gtest.h>

#include "telemetry/telemetry.h"
#include "tests/small_server.h"

namespace latchscope::server::row {
namespace {

using telemetry::Counter;
using tests::SmallServer;

class TableSizes : public testing::TestWithParam<uint32_t> {};

// One row, one less than a page, exactly a page, one more; two and three levels.
TEST_P(TableSizes, EveryRowIsFoundAndRightAndNoOtherIs) {
  telemetry::reset();
  const uint32_t rows = GetParam();
  SmallServer server(fil::TablespaceLookupVariant::atomic_word, /*frames=*/64);
  server.create(0, rows);
  DictTable* table = server.dictionary.open(0);
  EXPECT_EQ(table->space->node.file->pages(), pages_for_rows(rows));
  const uint32_t step = rows > 20'000 ? 37 : 1;
  uint64_t found = 0;
  for (uint32_t id = 1; id <= rows; id += step, ++found)
    ASSERT_EQ(server.select(*table, id), DbErr::success) << id;
  EXPECT_EQ(server.select(*table, rows), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_verified), found + 1);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 0u);
  EXPECT_EQ(server.select(*table, 0), DbErr::record_not_found);
  EXPECT_EQ(server.select(*table, rows + 1), DbErr::record_not_found);
  server.dictionary.close(*table);
}

INSTANTIATE_TEST_SUITE_P(Rows, TableSizes, testing::Values(1u, 72u, 73u, 74u, 75u, 1'000u, 200'000u));

TEST(Row, EachByteMatters) {
  const RowSource source{3, 1'000, 7};
  uint8_t record[kRowBytes];
  write_row(record, source, 42);
  ASSERT_TRUE(row_is_right(record, source, 42));
  EXPECT_FALSE(row_is_right(record, source, 43));
  for (uint32_t byte = 0; byte < kRowBytes; ++byte) {
    record[byte] ^= 1;
    EXPECT_FALSE(row_is_right(record, source, 42)) << byte;
    record[byte] ^= 1;
  }
}

TEST(Row, ColumnsLookLikeThoseOfSysbench) {
  uint8_t record[kRowBytes];
  write_row(record, {0, 1'000, 1}, 1);
  const std::string c(reinterpret_cast<const char*>(record + kRowC), 120);
  const std::string pad(reinterpret_cast<const char*>(record + kRowPad), 60);
  EXPECT_EQ(c.find_first_not_of("0123456789-"), 119u);
  EXPECT_EQ(std::count(c.begin(), c.end(), '-'), 9);
  EXPECT_EQ(pad.find_first_not_of("0123456789-"), 59u);
  EXPECT_EQ(std::count(pad.begin(), pad.end(), '-'), 4);
}

TEST(Row, AWrongRowIsCounted) {
  telemetry::reset();
  SmallServer server(fil::TablespaceLookupVariant::atomic_word);
  server.create(0);
  DictTable* table = server.dictionary.open(0);
  uint8_t* page = table->space->node.file->page(2);  // the first leaf
  page[kPageBody + kRowC + 50] ^= 1;
  seal_page(page);  // the page is intact, the row is not
  EXPECT_EQ(server.select(*table, 1), DbErr::success);
  EXPECT_EQ(telemetry::counter_total(Counter::rows_wrong), 1u);
  server.dictionary.close(*table);
}

}  // namespace
}  // namespace latchscope::server::row
