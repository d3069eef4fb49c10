/// Figures of the reference engine in Node 24 on this kind of machine, recorded on another day: the
/// spread there was 30 %.
enum Recorded {
  /// Milliseconds to materialize a view when its indexes exist, by query and number of issues.
  static let hydration: [String: [Int: Double]] = [
    "plain": [1000: 3.862, 10_000: 46.077, 100_000: 527.095, 1_000_000: 7649],
    "filter": [1000: 2.464, 10_000: 17.88, 100_000: 178.906],
    "limit": [1000: 0.533, 10_000: 0.5, 100_000: 0.539],
    "join1": [1000: 18.052, 10_000: 181.314, 100_000: 1823.448],
    "exists": [1000: 18.67, 10_000: 149.264, 100_000: 1465.028],
    "join2": [1000: 17.703, 10_000: 168.308, 100_000: 2105.787],
  ]

  /// Pushes per second, one per transaction, by query, kind of push and number of issues.
  static let pushes: [String: [String: [Int: Double]]] = [
    "plain": [
      "editTitle": [1000: 45062, 10_000: 24240, 100_000: 1093],
      "editPriority": [1000: 44013, 10_000: 29434, 100_000: 1064],
      "remove": [1000: 54038, 10_000: 40152, 100_000: 1093],
      "add": [1000: 107_833, 10_000: 30122, 100_000: 968],
    ],
    "filter": [
      "editTitle": [1000: 105_679, 10_000: 49827, 100_000: 13210],
      "editPriority": [1000: 64148, 10_000: 45361, 100_000: 7854],
      "remove": [1000: 104_872, 10_000: 88629, 100_000: 13834],
      "add": [1000: 164_046, 10_000: 86958, 100_000: 12675],
    ],
    "limit": [
      "editTitle": [1000: 55954, 10_000: 51600, 100_000: 22372],
      "editPriority": [1000: 70533, 10_000: 42285, 100_000: 17837],
      "remove": [1000: 62278, 10_000: 73465, 100_000: 19175],
      "add": [1000: 52637, 10_000: 65353, 100_000: 28856],
    ],
    "join1": [
      "editTitle": [1000: 44040, 10_000: 23934, 100_000: 1072],
      "editPriority": [1000: 52779, 10_000: 23459, 100_000: 1024],
      "remove": [1000: 60889, 10_000: 32489, 100_000: 1061],
      "add": [1000: 24066, 10_000: 15967, 100_000: 993],
      "removeChild": [1000: 28754, 10_000: 15719, 100_000: 947],
      "addChild": [1000: 24719, 10_000: 12871, 100_000: 960],
    ],
    "exists": [
      "editTitle": [1000: 50845, 10_000: 33643, 100_000: 17956],
      "editPriority": [1000: 44106, 10_000: 31130, 100_000: 18205],
      "remove": [1000: 39355, 10_000: 39039, 100_000: 20723],
      "add": [1000: 37953, 10_000: 39799, 100_000: 20064],
      "removeChild": [1000: 60316, 10_000: 67865, 100_000: 22274],
      "addChild": [1000: 39209, 10_000: 46589, 100_000: 17019],
    ],
    "join2": [
      "editTitle": [1000: 42202, 10_000: 17531, 100_000: 12459],
      "editPriority": [1000: 36639, 10_000: 22708, 100_000: 8816],
      "remove": [1000: 58385, 10_000: 31401, 100_000: 14972],
      "add": [1000: 16019, 10_000: 18658, 100_000: 7074],
      "removeChild": [1000: 18978, 10_000: 18035, 100_000: 8326],
      "addChild": [1000: 24636, 10_000: 14925, 100_000: 8091],
    ],
  ]

  /// Milliseconds to load all rows by pushes.
  static let load: [Int: Double] = [1000: 24.8, 10_000: 93.9, 100_000: 869, 1_000_000: 5840]

  /// Microseconds for one push into the full list.
  static let fullList: [Int: Double] = [1000: 32.8, 10_000: 56.5, 100_000: 867, 1_000_000: 11300]

  /// Microseconds for K edits in one transaction over 10,000 rows.
  static let transaction: [Int: Double] = [1: 20.7, 100: 800, 1000: 8990]

  static let openThousandViewsMilliseconds = 292.3
  static let liveViewsEditsPerSecond = 1027.0

  /// Milliseconds by number of issues: the fork, 1,000 edits on it, the first ordered query on it.
  static let forks: [Int: (fork: Double, edits: Double, query: Double)] = [
    1000: (0.1638, 14.228, 5.351), 10_000: (0.1198, 17.454, 14.977),
    100_000: (0.1139, 46.793, 325.568),
  ]

  /// Milliseconds to hydrate trees of related rows, and microseconds for one push into all of them.
  static let treeMilliseconds = [
    "issues": 0.54, "comments": 7.0, "emoji": 24.5, "everything": 73.7,
    "everything, limit 50": 18.0,
  ]
  static let treePushMicroseconds = 61.8

  static let bytesPerRow = 372.0
  static let bytesPerRowOfView = 200.0
}
