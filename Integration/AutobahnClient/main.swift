import Foundation

// autobahn-client URL: runs all cases of a fuzzing server of the Autobahn test suite by echoing what
// comes, and has it write its report. Its judgement is the server's exit.

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: autobahn-client ws://HOST:PORT\n".utf8))
  exit(2)
}
let url = CommandLine.arguments[1]
guard let text = await EchoSocket(url + "/getCaseCount", echoes: false).run(),
  let count = Int(text)
else {
  FileHandle.standardError.write(Data("autobahn-client: \(url) is no fuzzing server\n".utf8))
  exit(1)
}
for number in 1...max(1, count) {
  _ = await EchoSocket(url + "/runCase?case=\(number)&agent=zero-swift", echoes: true).run()
}
_ = await EchoSocket(url + "/updateReports?agent=zero-swift", echoes: false).run()
