// SPDX-License-Identifier: Apache-2.0
#include "converter/import/checkpoint/tensor_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <snappy.h>

#include "converter/import/checkpoint/sorted_table.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/import/checkpoint/table_builder.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

std::span<const std::byte> Bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(Crc32c(Bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(Crc32c(Bytes(std::string(32, '\0'))), 0x8a9136aau);
  EXPECT_EQ(Crc32c(Bytes("56789"), Crc32c(Bytes("1234"))), 0xe3069283u);
  EXPECT_EQ(UnmaskCrc(MaskedCrc("foo")), Crc32c(Bytes("foo")));
}

TEST(SortedTable, PlainAndCompressed) {
  const std::map<std::string, std::string> entries = {
      {"", "header"}, {"a", "1"}, {"b/c", std::string(1000, 'x')}};
  const auto pack = [](const std::string& block) {
    std::string packed;
    snappy::Compress(block.data(), block.size(), &packed);
    return packed;
  };
  for (const std::string& file : {Table(entries), Table(entries, 1, pack)}) {
    const auto table = ReadSortedTable(Bytes(file));
    ASSERT_TRUE(table.ok()) << Message(table.status());
    EXPECT_TRUE(std::equal(table->begin(), table->end(), entries.begin(), entries.end()));
  }
}

TEST(SortedTable, EveryDamagedByteIsNoticed) {
  const std::string good = Table({{"a", "1"}, {"b", "22"}});
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(ReadSortedTable(Bytes(good.substr(0, length))).ok()) << length;
  const size_t footer = good.size() - 48;
  for (size_t i = 0; i < footer; ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto table = ReadSortedTable(Bytes(bad));
    // The block between the other two has metadata, which is never read.
    if (table.ok()) {
      EXPECT_EQ(table->size(), 2u) << i;
      EXPECT_EQ(table->at("b"), "22") << i;
    }
  }
}

// Sizes that no file can have must not be allocated.
TEST(SortedTable, HugeSizes) {
  std::string file(8, '\0'), footer;
  for (const uint64_t part : {uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{1} << 62})
    AppendVarint(part, &footer);
  footer.resize(40, '\0');
  AppendFixed(0xdb4775248b80fb57u, 8, &footer);
  EXPECT_THAT(Message(ReadSortedTable(Bytes(file + footer)).status()), HasSubstr("the file has"));
  const auto claim = [](const std::string&) {
    std::string packed;
    AppendVarint(uint64_t{1} << 31, &packed);
    return packed;
  };
  EXPECT_FALSE(ReadSortedTable(Bytes(Table({{"a", "1"}}, 1, claim))).ok());
}

BundleBuilder Small() {
  BundleBuilder builder;
  builder.Put("w", builder.Entry<float>(tf::DT_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}));
  builder.Put("b", builder.Entry<int64_t>(tf::DT_INT64, {}, {7}));
  builder.Put("flags", builder.Entry<uint8_t>(tf::DT_BOOL, {2}, {1, 0}));
  return builder;
}

TEST(TensorBundle, ReadsWhatIsThere) {
  const auto bundle = Small().Open();
  ASSERT_TRUE(bundle.ok()) << Message(bundle.status());
  EXPECT_EQ((*bundle)->keys(), (std::vector<std::string>{"b", "flags", "w"}));
  const auto w = (*bundle)->Read("w");
  ASSERT_TRUE(w.ok()) << Message(w.status());
  EXPECT_EQ(w->type.shape, (Shape{2, 3}));
  EXPECT_EQ(w->as<float>()[5], 6.0f);
  EXPECT_EQ((*bundle)->Read("b")->ToInt64(), std::vector<int64_t>{7});
  EXPECT_EQ((*bundle)->Read("gone").status().code(), absl::StatusCode::kNotFound);
}

TEST(TensorBundle, PartsOfATensor) {
  const auto bundle = Small().Open();
  const auto column = (*bundle)->Read("w", {{0, 1}, {-1, 1}});
  ASSERT_TRUE(column.ok()) << Message(column.status());
  EXPECT_EQ(column->type.shape, (Shape{2, 1}));
  EXPECT_THAT(column->as<float>(), ::testing::ElementsAre(2, 5));
  EXPECT_FALSE((*bundle)->Read("w", {{0, 2}, {-1, 2}}).ok());
}

// p = [[0 1 2] [3 4 5] [6 7 8]], stored as its first two rows and its last.
BundleBuilder Partitioned() {
  BundleBuilder builder;
  tf::BundleEntryProto whole;
  whole.set_dtype(tf::DT_FLOAT);
  whole.mutable_shape()->add_dim()->set_size(3);
  whole.mutable_shape()->add_dim()->set_size(3);
  for (const auto& [start, length] : {std::pair<int, int>{0, 2}, {2, 1}}) {
    auto* slice = whole.add_slices();
    slice->add_extent()->set_start(start);
    slice->mutable_extent(0)->set_length(length);
    slice->add_extent();
    std::vector<float> values;
    for (int i = 3 * start; i < 3 * (start + length); ++i) values.push_back(static_cast<float>(i));
    builder.Put(SliceKey("p", {{start, 0}, {length, -1}}),
                builder.Entry<float>(tf::DT_FLOAT, {length, 3}, values));
  }
  builder.Put("p", whole);
  return builder;
}

TEST(TensorBundle, Partitions) {
  const auto bundle = Partitioned().Open();
  const auto all = (*bundle)->Read("p");
  ASSERT_TRUE(all.ok()) << Message(all.status());
  EXPECT_THAT(all->as<float>(), ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  const auto last = (*bundle)->Read("p", {{2, 0}, {1, 3}});
  ASSERT_TRUE(last.ok()) << Message(last.status());
  EXPECT_THAT(last->Plain().as<float>(), ::testing::ElementsAre(6, 7, 8));
  const auto across = (*bundle)->Read("p", {{1, 1}, {2, 2}});
  ASSERT_TRUE(across.ok()) << Message(across.status());
  EXPECT_THAT(across->as<float>(), ::testing::ElementsAre(4, 5, 7, 8));
  EXPECT_EQ((*bundle)->keys(), std::vector<std::string>{"p"});
}

TEST(TensorBundle, PartitionsWithAHole) {
  BundleBuilder builder = Partitioned();
  builder.entries.erase(SliceKey("p", {{2, 0}, {1, -1}}));
  EXPECT_THAT(Message((*builder.Open())->Read("p").status()),
              HasSubstr("checkpoint tensor 'p': its slice 1 is missing"));
}

// Bytes from TensorFlow's ordered_code_test and saved_tensor_slice_util_test.
TEST(TensorBundle, SliceKeys) {
  using namespace std::string_literals;
  EXPECT_EQ(SliceKey("p", {{0, 0}, {3, -1}}), "\0p\0\1\1\2\x80\x83\x80\x7f"s);
  EXPECT_EQ(SliceKey("a\0b"s, {{64}, {-65}}),
            "\0a\0\xff"
            "b\0\1\1\1\xc0\x40\x3f\xbf"s);
}

template <typename Change>
std::string Damaged(Change change) {
  BundleBuilder builder = Small();
  tf::BundleEntryProto entry;
  EXPECT_TRUE(entry.ParseFromString(builder.entries["w"]));
  change(&builder, &entry);
  builder.Put("w", entry);
  const auto bundle = builder.Open();
  if (!bundle.ok()) return Message(bundle.status());
  const auto value = (*bundle)->Read("w");
  return value.ok() ? "ok" : Message(value.status());
}

TEST(TensorBundle, DamageNamesTheTensor) {
  using Entry = tf::BundleEntryProto;
  const auto expect = [](const std::string& got, const std::string& part) {
    EXPECT_THAT(got, HasSubstr("checkpoint tensor 'w'"));
    EXPECT_THAT(got, HasSubstr(part));
  };
  expect(Damaged([](BundleBuilder* b, Entry*) { b->data[3] ^= 1; }), "Checksum does not match");
  expect(Damaged([](BundleBuilder* b, Entry*) { b->data.resize(20); }), "ends at 20");
  expect(Damaged([](BundleBuilder*, Entry* e) { e->set_offset(INT64_MAX); }), "has 24 bytes at");
  expect(Damaged([](BundleBuilder*, Entry* e) { e->set_offset(-1); }), "has 24 bytes at -1");
  expect(Damaged([](BundleBuilder*, Entry* e) { e->set_size(20); }),
         "Invalid size in bundle entry: key w; stored size 20; expected size 24");
  expect(Damaged([](BundleBuilder*, Entry* e) { e->set_shard_id(1); }), "data file 1 of 1");
  expect(Damaged([](BundleBuilder*, Entry* e) { e->set_shard_id(-1); }), "data file -1 of 1");
  expect(Damaged([](BundleBuilder*, Entry* e) { e->set_dtype(tf::DT_STRING); }),
         "element type string");
  expect(
      Damaged([](BundleBuilder*, Entry* e) { e->mutable_shape()->mutable_dim(0)->set_size(-1); }),
      "its shape is not known");
  expect(Damaged([](BundleBuilder*, Entry* e) {
           for (int i = 0; i < 2; ++i) e->mutable_shape()->mutable_dim(i)->set_size(INT64_MAX / 2);
         }),
         "its shape overflows");
}

TEST(TensorBundle, TruncatedDataFiles) {
  // "w" lies at 0..24, "b" at 24..32, "flags" at 32..34.
  for (const size_t length : {0, 1, 23, 24, 31, 32, 33}) {
    BundleBuilder builder = Small();
    builder.data.resize(length);
    const auto bundle = builder.Open();
    ASSERT_TRUE(bundle.ok()) << Message(bundle.status());
    for (const auto& [key, end] :
         {std::pair<std::string, size_t>{"w", 24}, {"b", 32}, {"flags", 34}}) {
      const auto value = (*bundle)->Read(key);
      EXPECT_EQ(value.ok(), end <= length) << key << " " << length;
      if (value.ok()) continue;
      EXPECT_THAT(Message(value.status()), HasSubstr("checkpoint tensor '" + key + "'"));
      EXPECT_THAT(Message(value.status()),
                  HasSubstr(std::string("ends at ") + std::to_string(length)));
    }
  }
}

TEST(TensorBundle, EveryFlippedByteOfDataNamesItsTensor) {
  for (size_t i = 0; i < Small().data.size(); ++i) {
    BundleBuilder builder = Small();
    builder.data[i] = static_cast<char>(builder.data[i] ^ 0x04);
    const auto bundle = builder.Open();
    const std::string damaged = i < 24 ? "w" : i < 32 ? "b" : "flags";
    for (const std::string& key : (*bundle)->keys()) {
      const auto value = (*bundle)->Read(key);
      EXPECT_EQ(value.ok(), key != damaged) << key << " " << i;
      if (value.ok()) continue;
      EXPECT_THAT(Message(value.status()),
                  HasSubstr("checkpoint tensor '" + key + "': Checksum does not match"));
      EXPECT_EQ(value.status().code(), absl::StatusCode::kDataLoss);
    }
  }
}

TEST(TensorBundle, MissingDataFiles) {
  BundleBuilder builder = Small();
  builder.entries[""] = BundleBuilder::Header(2);
  tf::BundleEntryProto entry;
  ASSERT_TRUE(entry.ParseFromString(builder.entries["w"]));
  entry.set_shard_id(1);
  builder.Put("w", entry);
  const std::string index = Table(builder.entries);
  const auto bundle =
      TensorBundle::Open(Bytes(index), [&](int shard, int) -> absl::StatusOr<OwnedBytes> {
        if (shard == 1) return absl::NotFoundError("variables.data-00001-of-00002: no such file");
        return OwnedBytes{Bytes(builder.data), nullptr};
      });
  ASSERT_TRUE(bundle.ok()) << Message(bundle.status());
  EXPECT_TRUE((*bundle)->Read("b").ok());
  EXPECT_THAT(Message((*bundle)->Read("w").status()),
              HasSubstr("checkpoint tensor 'w': variables.data-00001-of-00002: no such file"));
}

TEST(TensorBundle, Headers) {
  tf::BundleHeaderProto header;
  header.set_num_shards(1);
  header.set_endianness(tf::BundleHeaderProto::BIG);
  BundleBuilder builder = Small();
  builder.entries[""] = header.SerializeAsString();
  EXPECT_THAT(Message(builder.Open().status()), HasSubstr("big-endian"));
  header.set_endianness(tf::BundleHeaderProto::LITTLE);
  header.mutable_version()->set_min_consumer(2);
  builder.entries[""] = header.SerializeAsString();
  EXPECT_THAT(Message(builder.Open().status()), HasSubstr("needs a reader of version 2"));
  header.mutable_version()->set_min_consumer(0);
  header.mutable_version()->set_producer(-1);
  builder.entries[""] = header.SerializeAsString();
  EXPECT_THAT(Message(builder.Open().status()), HasSubstr("written by version -1"));
  header.mutable_version()->set_producer(1);
  header.mutable_version()->add_bad_consumers(0);
  builder.entries[""] = header.SerializeAsString();
  EXPECT_TRUE(builder.Open().ok());
  header.mutable_version()->add_bad_consumers(1);
  builder.entries[""] = header.SerializeAsString();
  EXPECT_THAT(Message(builder.Open().status()), HasSubstr("must not be read"));
  builder.entries.erase("");
  EXPECT_THAT(Message(builder.Open().status()), HasSubstr("no header"));
}

}  // namespace
}  // namespace linnet::converter
