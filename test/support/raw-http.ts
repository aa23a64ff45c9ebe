// Requests byte by byte, for tests of what a well-behaved client never does: bodies that do not end, or
// never come, and answers that no one reads.

import { connect, type Socket } from 'node:net'

export interface RawExchange {
  socket: Socket
  /** What was answered so far. */
  received(): string
  /** The status of the answer, when there is one. */
  status: Promise<number>
  /** When the server has ended it, or the socket broke. */
  closed: Promise<void>
}

export function openRaw(url: string): RawExchange {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let answered: (status: number) => void = () => {}
  const status = new Promise<number>((resolve) => {
    answered = resolve
  })
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    const found = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1]
    if (found !== undefined && found !== '100') answered(Number(found))
  })
  // What breaks is seen by its end.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, received: () => received, status, closed }
}

export interface Head {
  path: string
  key?: string
  /** `chunked`, or how many bytes follow. */
  body: number | 'chunked'
}

export function headOf({ path, key, body }: Head): string {
  return [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    body === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${body}`,
    '\r\n',
  ].join('\r\n')
}

/** Bytes as chunks of chunked encoding, with the end. */
export function chunked(bytes: Buffer, size = 65_536): Buffer {
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** Writes without end, as fast as it is taken, until the socket closes. */
export function writeForever(socket: Socket, chunk: string): void {
  const write = () => {
    while (!socket.destroyed && socket.writable && socket.write(chunk)) {}
  }
  socket.on('drain', write)
  write()
}
