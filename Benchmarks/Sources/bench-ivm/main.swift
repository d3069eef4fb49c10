import BenchKit
import CBenchOrderedSet
import ZeroIVM
import ZeroProtocol

let run = BenchRun("Engine")
let bench = EngineBench(run)
try bench.sets()
try bench.loading()
try bench.hydration()
try bench.pushes()
try bench.fullList()
try bench.transactions()
try bench.liveViews()
try bench.forks()
try bench.memory()
try run.finish()
