#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace conv2d::test {

/// Reads numbers from the bytes of the fuzzer; zeros after the last byte.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    if (at_ >= bytes_.size()) return 0;
    return bytes_[at_++];
  }

  /// In [low, high], from one byte.
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + byte() % (high - low + 1); }

  bool flag() { return (byte() & 1) != 0; }

  /// Mostly small numbers, sometimes any 64 bits.
  std::int64_t hostile() {
    const std::uint8_t kind = byte();
    if (kind < 160) return kind % 9;
    if (kind < 200) return std::int64_t{1} << kind % 63;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    return static_cast<std::int64_t>(bits);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace conv2d::test
