#include "server/fil/tablespace_lookup.h"

#include "server/fil/tablespace_lookup_variants.h"

namespace latchscope::server::fil {

std::unique_ptr<TablespaceLookup> make_tablespace_lookup(TablespaceLookupVariant variant, FilShards& shards) {
  switch (variant) {
    case TablespaceLookupVariant::global_mutex:
    case TablespaceLookupVariant::yours:
      return std::make_unique<GlobalMutexLookup>(shards);
    case TablespaceLookupVariant::release_by_pointer:
      return std::make_unique<ReleaseByPointerLookup>(shards);
    case TablespaceLookupVariant::sharded_mutex:
      return std::make_unique<ShardedMutexLookup>(shards);
    case TablespaceLookupVariant::single_lookup_pin:
      return std::make_unique<SingleLookupPin>(shards);
    case TablespaceLookupVariant::atomic_word:
      return std::make_unique<AtomicWordLookup>(shards);
  }
  LATCHSCOPE_ASSERT(false, "every variant of tablespace_lookup has a class");
}

}  // namespace latchscope::server::fil
