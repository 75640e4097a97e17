// Reads the fields of a compiled program field by field. After the first error it reads nothing
// more.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/program.h"
#include "run/json.h"
#include "run/run_spec.h"

namespace latchscope::run {

class FieldReader {
 protected:
  bool is_good() const { return errors_.empty(); }
  // The error, if there is one.
  std::vector<FieldError> errors() { return std::move(errors_); }

  void fail(const std::string& field, const Json& value, std::string allowed) {
    refuse(field, value.dump(), std::move(allowed));
  }
  void refuse(const std::string& field, const std::string& value, std::string allowed) {
    if (is_good()) errors_.push_back(FieldError::of(field, value, std::move(allowed)));
  }

  void refuse_unknown(const Json& json, const std::string& prefix,
                      std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : json.items()) {
      if (std::ranges::find(known, name) == known.end()) fail(prefix + name, value, "no such field");
    }
  }

  static bool is_word(const Json& value) {
    return value.is_number_unsigned() && value.get<uint64_t>() <= kWordMax;
  }

  // Leaves `number` unchanged if the field is absent.
  void read_number(const Json& json, const char* name, const std::string& field, uint32_t& number) {
    if (!is_good() || !json.contains(name)) return;
    if (!is_word(json[name])) return fail(field, json[name], "an integer from 0 to 4294967295");
    number = json[name].get<uint32_t>();
  }

  void read_truth(const Json& json, const char* name, const std::string& field, bool& truth) {
    if (!is_good() || !json.contains(name)) return;
    if (!json[name].is_boolean()) return fail(field, json[name], "true or false");
    truth = json[name].get<bool>();
  }

  // Reads the field `words`: declarations of the latch lab.
  void read_word_declarations(const Json& json, std::vector<lab::WordDeclaration>& words) {
    const Json* given = list(json, "words", lab::kWordsMax);
    if (given == nullptr) return;
    for (const Json& word : *given)
      words.push_back(word_declaration(word, "words[" + std::to_string(words.size()) + "]."));
  }

  // Returns null, after an error, if the field is absent or is no list of at most `elements_max`
  // elements.
  const Json* list(const Json& json, const char* name, size_t elements_max, const std::string& prefix = "") {
    if (!is_good()) return nullptr;
    const bool is_list = has(json, name, &Json::is_array) && json[name].size() <= elements_max;
    if (is_list) return &json[name];
    fail(prefix + name, json.contains(name) ? json[name] : Json(),
         "a list of at most " + std::to_string(elements_max) + " elements");
    return nullptr;
  }

  // Reads a list of numbers of 32 bits.
  void read_words(const Json& json, const char* name, size_t elements_max, std::vector<uint32_t>& words,
                  const char* allowed) {
    const Json* elements = list(json, name, elements_max);
    if (elements == nullptr) return;
    if (!std::ranges::all_of(*elements, is_word)) return fail(name, elements->size(), allowed);
    for (const Json& element : *elements)
      words.push_back(element.get<uint32_t>());
  }

 private:
  lab::WordDeclaration word_declaration(const Json& json, const std::string& prefix) {
    lab::WordDeclaration word;
    if (!json.is_object() || !has(json, "name", &Json::is_string)) {
      fail(prefix + "name", json, "an object with a name");
      return word;
    }
    refuse_unknown(
        json, prefix,
        {"name", "line", "elements", "per_thread", "packed", "initial", "initial_is_index", "source_line"});
    word.name = json["name"].get<std::string>();
    read_number(json, "line", prefix + "line", word.line);
    read_number(json, "elements", prefix + "elements", word.elements);
    read_truth(json, "per_thread", prefix + "per_thread", word.per_thread);
    read_truth(json, "packed", prefix + "packed", word.is_packed);
    read_number(json, "initial", prefix + "initial", word.initial);
    read_truth(json, "initial_is_index", prefix + "initial_is_index", word.initial_is_index);
    read_number(json, "source_line", prefix + "source_line", word.source_line);
    return word;
  }

  static constexpr uint64_t kWordMax = 0xffffffff;

  std::vector<FieldError> errors_;
};

}  // namespace latchscope::run
