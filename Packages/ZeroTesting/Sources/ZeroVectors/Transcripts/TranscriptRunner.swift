/// The runner of every recorded flow between a client and a server.
let transcriptRunner = VectorRunner.pending("messages")
