import Foundation
import ZeroFuzz

// zero-fuzz [SECONDS] [SEED]: mutated texts for that long, then large texts of hostile forms.
let arguments = CommandLine.arguments
let seconds = arguments.count > 1 ? Double(arguments[1]) ?? 60 : 60
let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : UInt64.random(in: 1...UInt64.max)
print("seed \(seed)")
var fuzzer = Fuzzer(seed: seed, largest: 1 << 16)
var count = 0
let start = ContinuousClock.now
do {
  while ContinuousClock.now - start < .seconds(seconds) {
    let before = ContinuousClock.now
    try fuzzer.step()
    count += 1
    let taken = ContinuousClock.now - before
    if taken > .seconds(5) {
      print("step \(count) took \(taken)")
      exit(1)
    }
  }
  print("\(count) texts, each to \(FuzzDecoder.all.count) decoders, without a failure")
  if MemoryCheck.isPossible {
    let worst = try MemoryCheck.run(size: 8 << 20)
    print(
      "memory at most \(String(format: "%.1f", worst.factor)) times the text: \(worst.place)")
  }
} catch {
  print("failed after \(count) texts: \(error)")
  exit(1)
}
