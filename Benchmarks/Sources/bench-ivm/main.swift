import BenchKit
import CBenchOrderedSet
import ZeroIVM
import ZeroProtocol

let run = BenchRun("Engine")
let bench = EngineBench(run)
try bench.values()
try bench.sets()
try bench.loading()
try bench.hydration()
try bench.trees()
try bench.building()
try bench.pushes()
try bench.fullList()
try bench.transactions()
try bench.liveViews()
try bench.tenants()
try bench.forks()
try bench.memory()
try run.finish()
