#include "bench_ordered_set.h"

#include <set>
#include <string>

struct bench_ordered_set {
  std::set<std::string> texts;
};

bench_ordered_set *bench_ordered_set_create(void) { return new bench_ordered_set(); }

void bench_ordered_set_destroy(bench_ordered_set *set) { delete set; }

void bench_ordered_set_fill(bench_ordered_set *set, const char *texts, size_t length, size_t count) {
  for (size_t i = 0; i < count; i++) {
    set->texts.emplace_hint(set->texts.end(), texts + i * length, length);
  }
}

size_t bench_ordered_set_find(
    const bench_ordered_set *set, const char *texts, size_t length, size_t count) {
  size_t found = 0;
  std::string key;
  for (size_t i = 0; i < count; i++) {
    key.assign(texts + i * length, length);
    found += set->texts.find(key) != set->texts.end();
  }
  return found;
}

void bench_ordered_set_churn(
    bench_ordered_set *set, const char *texts, size_t length, size_t count) {
  for (size_t i = 0; i < count; i++) {
    set->texts.erase(set->texts.emplace(texts + i * length, length).first);
  }
}

size_t bench_ordered_set_scan(const bench_ordered_set *set) {
  size_t sum = 0;
  for (const auto &text : set->texts) sum += text.size();
  return sum;
}
