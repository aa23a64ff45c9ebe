// A JSON-RPC 2.0 error, for servers that return one and clients that receive one.

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

export const RPC_INVALID_REQUEST = -32_600
export const RPC_METHOD_NOT_FOUND = -32_601
export const RPC_INVALID_PARAMS = -32_602
