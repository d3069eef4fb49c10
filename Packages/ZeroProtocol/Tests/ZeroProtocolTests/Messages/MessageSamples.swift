import Testing
import ZeroProtocol

/// A message and the exact text that the reference would write for it.
struct MessageSample<Message: Sendable>: Sendable, CustomTestStringConvertible {
  let message: Message
  let text: String

  init(_ text: String, _ message: Message) {
    self.text = text
    self.message = message
  }

  var testDescription: String { String(text.prefix(60)) }
}

/// One sample or more of every message from a client.
let upstreamSamples: [MessageSample<UpstreamMessage>] = [
  .init(
    #"["initConnection",{"desiredQueriesPatch":[{"op":"put","hash":"h","name":"n","args":[],"ttl":0},"#
      + #"{"op":"del","hash":"g"},{"op":"clear"}],"deleted":{"clientIDs":["d"]},"#
      + #""clientSchema":{"tables":{"t":{"columns":{"id":{"type":"string"}},"primaryKey":["id"]}}},"#
      + #""userPushURL":"p","userPushHeaders":{"b":"1","a":"2"},"userQueryURL":"q","#
      + #""userQueryHeaders":{},"activeClients":["c"],"traceparent":"t"}]"#,
    .initConnection(
      InitConnection(
        desiredQueriesPatch: [
          .put(DesiredQuery(hash: "h", name: "n", args: [], ttl: 0)), .del(hash: "g"), .clear,
        ],
        deleted: DeleteClients(clientIDs: ["d"]),
        clientSchema: ClientSchema(tables: [
          .init(name: "t", columns: [("id", .string)], primaryKey: ["id"])
        ]),
        userPushURL: "p", userPushHeaders: ["b": "1", "a": "2"], userQueryURL: "q",
        userQueryHeaders: [:], activeClients: ["c"], traceparent: "t"))),
  .init(
    #"["initConnection",{"desiredQueriesPatch":[]}]"#,
    .initConnection(InitConnection(desiredQueriesPatch: []))),
  .init(
    #"["changeDesiredQueries",{"desiredQueriesPatch":[{"op":"put","hash":"h","ast":{"table":"t"}}],"#
      + #""traceparent":"t"}]"#,
    .changeDesiredQueries(
      ChangeDesiredQueries(
        desiredQueriesPatch: [.put(DesiredQuery(hash: "h", ast: AST(table: "t")))],
        traceparent: "t"))),
  .init(
    #"["push",{"timestamp":5.5,"clientGroupID":"g","mutations":[{"type":"custom","timestamp":4,"id":1,"#
      + #""clientID":"c","name":"m","args":[null]}],"pushVersion":1,"requestID":"r"}]"#,
    .push(
      Push(
        timestamp: 5.5, clientGroupID: "g",
        mutations: [
          MutationMessage(
            id: MutationID(id: 1, clientID: "c"), timestamp: 4,
            content: .custom(name: "m", args: [.null]))
        ], requestID: "r"))),
  .init(
    #"["push",{"timestamp":5,"clientGroupID":"g","mutations":[{"type":"crud","timestamp":4,"id":1,"#
      + #""clientID":"c","name":"_zero_crud","args":[{"ops":[{"op":"delete","tableName":"t","#
      + #""primaryKey":["id"],"value":{"id":1}}]}]}],"pushVersion":1,"schemaVersion":2,"#
      + #""requestID":"r","auth":"a","traceparent":"t"}]"#,
    .push(
      Push(
        timestamp: 5, clientGroupID: "g",
        mutations: [
          MutationMessage(
            id: MutationID(id: 1, clientID: "c"), timestamp: 4,
            content: .crud([
              CRUDWrite(
                .delete, tableName: "t", primaryKey: ["id"], value: ["id": .number(1)])
            ]))
        ], schemaVersion: 2, requestID: "r", auth: "a", traceparent: "t"))),
  .init(
    #"["ackMutationResponses",{"clientID":"c","id":7}]"#,
    .ackMutationResponses(AckMutationResponses(clientID: "c", id: 7))),
  .init(#"["updateAuth",{"auth":"a"}]"#, .updateAuth(UpdateAuth(auth: "a"))),
  .init(
    #"["deleteClients",{"clientIDs":["a"],"clientGroupIDs":[]}]"#,
    .deleteClients(DeleteClients(clientIDs: ["a"], clientGroupIDs: []))),
  .init(#"["deleteClients",{}]"#, .deleteClients(DeleteClients())),
  .init(#"["ping",{}]"#, .ping),
  .init(
    #"["pull",{"clientGroupID":"g","cookie":null,"requestID":"r"}]"#,
    .pull(PullRequest(clientGroupID: "g", cookie: nil, requestID: "r"))),
  .init(
    #"["inspect",{"op":"queries","id":"i","clientID":"c"}]"#,
    .inspect(InspectRequest(id: "i", .queries(clientID: "c")))),
  .init(
    #"["inspect",{"op":"metrics","id":"i"}]"#, .inspect(InspectRequest(id: "i", .metrics))),
  .init(
    #"["inspect",{"op":"version","id":"i"}]"#, .inspect(InspectRequest(id: "i", .version))),
  .init(
    #"["inspect",{"op":"authenticate","id":"i","value":"p"}]"#,
    .inspect(InspectRequest(id: "i", .authenticate(password: "p")))),
  .init(
    #"["inspect",{"op":"analyze-query","id":"i","options":{"joinPlans":true},"name":"n","args":[1]}]"#,
    .inspect(
      InspectRequest(
        id: "i",
        .analyzeQuery(.init(name: "n", args: [.number(1)], options: .init(joinPlans: true)))))),
  .init(#"["closeConnection",[1,null]]"#, .closeConnection([.number(1), .null])),
]

/// One sample or more of every message from the server.
let downstreamSamples: [MessageSample<DownstreamMessage>] = [
  .init(#"["connected",{"wsid":"w"}]"#, .connected(Connected(wsid: "w"))),
  .init(
    #"["error",{"kind":"Internal","message":"m"}]"#,
    .error(ServerError(.internal, message: "m", origin: nil))),
  .init(
    #"["error",{"kind":"Rehome","message":"m","minBackoffMs":1,"maxBackoffMs":2,"#
      + #""reconnectParams":{"z":"1","a":"2"},"origin":"zeroCache"}]"#,
    .error(
      ServerError(
        .rehome, message: "m", origin: .zeroCache,
        payload: .backoff(
          .init(minBackoffMs: 1, maxBackoffMs: 2, reconnectParams: ["z": "1", "a": "2"]))))),
  .init(
    #"["error",{"kind":"PushFailed","origin":"zeroCache","reason":"http","status":401,"#
      + #""bodyPreview":"b","message":"m","mutationIDs":[{"id":1,"clientID":"c"}]}]"#,
    .error(
      ServerError(
        .pushFailed, message: "m", origin: .zeroCache,
        payload: .push(
          EndpointFailure(.http, status: 401, bodyPreview: "b"),
          mutationIDs: [MutationID(id: 1, clientID: "c")])))),
  .init(
    #"["error",{"kind":"TransformFailed","origin":"server","reason":"parse","message":"m","#
      + #""details":null,"queryIDs":["q"]}]"#,
    .error(
      ServerError(
        .transformFailed, message: "m", origin: .server,
        payload: .transform(EndpointFailure(.parse, details: .null), queryIDs: ["q"])))),
  .init(#"["pong",{}]"#, .pong),
  .init(
    #"["pokeStart",{"pokeID":"p","baseCookie":null,"schemaVersions":{"minSupportedVersion":1,"#
      + #""maxSupportedVersion":2},"timestamp":3}]"#,
    .pokeStart(
      PokeStart(
        pokeID: "p", baseCookie: nil,
        schemaVersions: .init(minSupportedVersion: 1, maxSupportedVersion: 2), timestamp: 3))),
  .init(
    #"["pokePart",{"pokeID":"p","lastMutationIDChanges":{"c":1},"desiredQueriesPatches":{"c":["#
      + #"{"op":"put","hash":"h","ttl":5},{"op":"del","hash":"g"},{"op":"clear"}]},"#
      + #""gotQueriesPatch":[],"rowsPatch":[{"op":"put","tableName":"t","value":{"id":1}},"#
      + #"{"op":"update","tableName":"t","id":{"id":1},"merge":{"a":null},"constrain":["a"]},"#
      + #"{"op":"del","tableName":"t","id":{"id":true}},{"op":"clear"}],"mutationsPatch":["#
      + #"{"op":"put","mutation":{"id":{"id":1,"clientID":"c"},"result":{"error":"app"}}},"#
      + #"{"op":"del","id":{"id":1,"clientID":"c"}}]}]"#,
    .pokePart(
      PokePart(
        pokeID: "p", lastMutationIDChanges: ["c": 1],
        desiredQueriesPatches: ["c": [.put(hash: "h", ttl: 5), .del(hash: "g"), .clear]],
        gotQueriesPatch: [],
        rowsPatch: [
          .put(tableName: "t", value: ["id": .number(1)]),
          .update(
            RowUpdate(
              tableName: "t", id: ["id": .number(1)], merge: .object(["a": .null]),
              constrain: ["a"])),
          .del(tableName: "t", id: ["id": .bool(true)]), .clear,
        ],
        mutationsPatch: [
          .put(
            MutationResponse(
              id: MutationID(id: 1, clientID: "c"),
              result: .appError(message: nil, details: nil))),
          .del(MutationID(id: 1, clientID: "c")),
        ]))),
  .init(
    #"["pokeEnd",{"pokeID":"p","cookie":"","cancel":true}]"#,
    .pokeEnd(PokeEnd(pokeID: "p", cookie: "", cancel: true))),
  .init(
    #"["deleteClients",{"clientIDs":["c"]}]"#,
    .deleteClients(DeleteClients(clientIDs: ["c"]))),
  .init(
    #"["transformError",[{"error":"parse","id":"q","name":"n","message":"m","details":[1]}]]"#,
    .transformError([
      QueryError(.parse, id: "q", name: "n", message: "m", details: .array([.number(1)]))
    ])),
  .init(
    #"["pushResponse",{"mutations":[{"id":{"id":1,"clientID":"c"},"result":{"data":null}},"#
      + #"{"id":{"id":2,"clientID":"c"},"result":{}},"#
      + #"{"id":{"id":3,"clientID":"c"},"result":{"error":"alreadyProcessed","details":1}},"#
      + #"{"id":{"id":4,"clientID":"c"},"result":{"error":"oooMutation"}}]}]"#,
    .pushResponse(
      .results([
        MutationResponse(id: MutationID(id: 1, clientID: "c"), result: .success(data: .null)),
        MutationResponse(id: MutationID(id: 2, clientID: "c"), result: .success(data: nil)),
        MutationResponse(
          id: MutationID(id: 3, clientID: "c"), result: .alreadyProcessed(details: .number(1))),
        MutationResponse(
          id: MutationID(id: 4, clientID: "c"), result: .outOfOrder(details: nil)),
      ]))),
  .init(
    #"["pushResponse",{"error":"http","status":500,"details":"d","mutationIDs":[]}]"#,
    .pushResponse(.failed(.init(.http(status: 500, details: "d"), mutationIDs: [])))),
  .init(
    #"["pushResponse",{"error":"zeroPusher","details":"d"}]"#,
    .pushResponse(.failed(.init(.zeroPusher(details: "d"))))),
  .init(
    #"["pull",{"cookie":"c","requestID":"r","lastMutationIDChanges":{}}]"#,
    .pull(PullResponse(cookie: "c", requestID: "r", lastMutationIDChanges: [:]))),
  .init(
    #"["inspect",{"op":"queries","id":"i","value":[{"clientID":"c","queryID":"q","ast":{"table":"t"},"#
      + #""name":null,"args":null,"got":true,"deleted":false,"ttl":1,"inactivatedAt":null,"#
      + #""rowCount":2,"metrics":{"query-hydration-server-ms":3,"query-update-server":[1]}}]}]"#,
    .inspect(
      InspectReply(
        id: "i",
        .queries([
          InspectedQuery(
            clientID: "c", queryID: "q", ast: AST(table: "t"), got: true, deleted: false, ttl: 1,
            rowCount: 2, metrics: .value(.init(hydrationMs: 3, update: Digest([1]))))
        ])))),
  .init(
    #"["inspect",{"op":"metrics","id":"i","value":{"query-materialization-server":[1],"#
      + #""query-update-server":[2,3]}}]"#,
    .inspect(
      InspectReply(
        id: "i",
        .metrics(ServerMetrics(queryMaterialization: Digest([1]), queryUpdate: Digest([2, 3])))))),
  .init(
    #"["inspect",{"op":"version","id":"i","value":"1"}]"#,
    .inspect(InspectReply(id: "i", .version("1")))),
  .init(
    #"["inspect",{"op":"authenticated","id":"i","value":false}]"#,
    .inspect(InspectReply(id: "i", .authenticated(false)))),
  .init(
    #"["inspect",{"op":"analyze-query","id":"i","value":{"warnings":["w"],"syncedRowCount":1,"#
      + #""start":1,"end":2,"elapsed":1}}]"#,
    .inspect(
      InspectReply(
        id: "i",
        .analyzeQuery(
          QueryAnalysis(warnings: ["w"], syncedRowCount: 1, start: 1, end: 2, elapsed: 1))))),
  .init(
    #"["inspect",{"op":"error","id":"i","value":"e"}]"#,
    .inspect(InspectReply(id: "i", .error("e")))),
]
