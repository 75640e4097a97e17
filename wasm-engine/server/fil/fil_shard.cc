#include "server/fil/fil_shard.h"

namespace latchscope::server::fil {

void FilShard::prepare_node(FilNode& node) {
  ut::pay(ut::work_cost::fil_node_io_ns);
  node.line.write();
  if (!node.is_open) open_node(node);
  if (node.n_pending == 0) {
    lru_line.write();
    lru.remove(node);
  }
  ++node.n_pending;
}

void FilShard::complete_node(FilNode& node) {
  LATCHSCOPE_ASSERT(node.n_pending > 0, "each completed I/O was prepared");
  ut::pay(ut::work_cost::fil_node_io_ns);
  node.line.write();
  if (--node.n_pending > 0) return;
  lru_line.write();
  lru.push_front(node);
}

void FilShard::open_node(FilNode& node) {
  if (open_files >= open_files_max) close_least_recently_used();
  node.is_open = true;
  node.space->pending.word.fetch_and(~FilSpace::kClosing);
  lru.push_front(node);
  ++open_files;
}

void FilShard::close_node(FilNode& node) {
  LATCHSCOPE_ASSERT(node.n_pending == 0, "a file with pending I/O is never closed");
  lru.remove(node);
  node.is_open = false;
  --open_files;
}

// Keeps a space open whose word counts operations (variants that do not take the mutex for each
// step). CLOSING is set only while the count is 0, in one compare-exchange.
void FilShard::close_least_recently_used() {
  for (FilNode* node = lru.last(); node != nullptr; node = lru.previous(*node)) {
    uint32_t idle = node->space->pending.word.load() & ~FilSpace::kCountMask;
    if (!node->space->pending.word.compare_exchange(idle, idle | FilSpace::kClosing)) continue;
    close_node(*node);
    return;
  }
}

}  // namespace latchscope::server::fil
