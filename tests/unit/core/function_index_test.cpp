#include "runtime/core/function_index.h"

#include <catch2/catch.hpp>

#include <thread>

using hip::core::FunctionIndex;

TEST_CASE("Keys are found until they are removed") {
  FunctionIndex<int> index;
  std::vector<int> keys(1000), values(1000);
  CHECK(index.find(&keys[0]) == nullptr);
  for (size_t i = 0; i < keys.size(); ++i) index.insert(&keys[i], &values[i]);
  for (size_t i = 0; i < keys.size(); ++i) CHECK(index.find(&keys[i]) == &values[i]);
  for (size_t i = 0; i < keys.size(); i += 2) index.remove(&keys[i], &values[i]);
  for (size_t i = 0; i < keys.size(); ++i) CHECK(index.find(&keys[i]) == (i % 2 ? &values[i] : nullptr));
  CHECK(index.find(nullptr) == nullptr);
  CHECK(index.find(&index) == nullptr);
}

TEST_CASE("The last insertion of a key counts, and only it can remove the key") {
  FunctionIndex<int> index;
  int key = 0, first = 0, second = 0;
  index.insert(&key, &first);
  index.insert(&key, &second);
  CHECK(index.find(&key) == &second);
  index.remove(&key, &first);
  CHECK(index.find(&key) == &second);
  index.remove(&key, &second);
  CHECK(index.find(&key) == nullptr);
  index.insert(&key, &first);
  CHECK(index.find(&key) == &first);
}

TEST_CASE("Lookups run while the table grows") {
  FunctionIndex<int> index;
  std::vector<int> keys(20000);
  int value = 0;
  index.insert(&keys[0], &value);
  std::atomic<bool> stop{false};
  std::atomic<int> misses{0};
  std::thread reader([&] {
    while (!stop)
      if (index.find(&keys[0]) != &value) ++misses;
  });
  for (int& key : keys) index.insert(&key, &value);
  stop = true;
  reader.join();
  CHECK(misses == 0);
}
