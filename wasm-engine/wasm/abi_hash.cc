#include "telemetry/fnv1a.h"
#include "wasm/latchscope.h"

namespace latchscope::wasm {

uint32_t abi_hash() {
  uint32_t hash = telemetry::kFnv1aBasis;
#define LATCHSCOPE_SPELL_ONE(type, name) #type " " #name
#define LATCHSCOPE_SPELL_TWO(type, name, other_type, other_name) \
  #type " " #name ", " #other_type " " #other_name
#define LATCHSCOPE_HASH(text) hash = telemetry::fnv1a(hash, text ";");
#define LATCHSCOPE_HASH_OUTCOME(name, meaning) LATCHSCOPE_HASH(#name)
#define LATCHSCOPE_HASH_COMMAND(name, parameters, states, meaning) \
  LATCHSCOPE_HASH(#name "(" parameters ")" #states)
#define LATCHSCOPE_HASH_QUESTION(name, parameters, meaning) LATCHSCOPE_HASH(#name "(" parameters ")")
#define LATCHSCOPE_HASH_CALL(returned, name, parameters, meaning) \
  LATCHSCOPE_HASH(#returned " " #name "(" parameters ")")
  LATCHSCOPE_OUTCOMES(LATCHSCOPE_HASH_OUTCOME)
  LATCHSCOPE_COMMANDS(LATCHSCOPE_HASH_COMMAND, "", LATCHSCOPE_SPELL_ONE, LATCHSCOPE_SPELL_TWO)
  LATCHSCOPE_QUESTIONS(LATCHSCOPE_HASH_QUESTION, "", LATCHSCOPE_SPELL_ONE)
  LATCHSCOPE_CALLS(LATCHSCOPE_HASH_CALL, "", LATCHSCOPE_SPELL_ONE, LATCHSCOPE_SPELL_TWO)
  return hash;
}

}  // namespace latchscope::wasm
