import CZeroCurl
import CZeroSockets
import ZeroProtocol

extension SocketError.Code {
  /// What a result of libcurl means for a socket.
  init(_ result: CURLcode, systemError: Int, socketError: Int, proxyStatus: Int) {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: self = .nameResolution
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
    case CURLE_COULDNT_CONNECT:
      self =
        czero_is_out_of_descriptors(socketError) != 0
        ? .tooManyOpenFiles
        : czero_is_unreachable(systemError) != 0
          ? .unreachable : czero_is_refusal(systemError) != 0 ? .connectionRefused : .unreachable
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS:
      self = .certificate
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_CRL_BADFILE:
      self = .tls
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT:
      self = .invalidRequest
    case _ where proxyStatus != 0: self = .proxy
    default: self = .connectionLost
    }
  }

  /// What the user can do about it.
  var advice: String {
    switch self {
    case .nameResolution: "Check the host name and the network."
    case .connectionRefused: "Check that the server runs and that the port is right."
    case .unreachable: "Check the network."
    case .tooManyOpenFiles: "Close files, or raise the limit."
    case .timeout: "Check the network, or allow more time."
    case .certificate:
      "Check the server's certificate, and which authorities and keys this app trusts."
    case .tls: "Check the TLS versions, ciphers and certificate files of both sides."
    case .proxy: "Check the proxy's address and credentials."
    case .invalidRequest: "Correct the URL."
    default: "Try again."
    }
  }
}
