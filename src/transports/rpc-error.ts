// An error of JSON-RPC 2.0, for whoever answers with one and whoever is answered.

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

export const RPC_INVALID_REQUEST = -32_600
export const RPC_METHOD_NOT_FOUND = -32_601
export const RPC_INVALID_PARAMS = -32_602
