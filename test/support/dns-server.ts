// A name server on a free UDP port of this machine, which answers by a table and is silent about the rest.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** As a setting names it. */
  address: string
  /** Names that were queried, with their family, in order. */
  requested: { name: string; family: 4 | 6 }[]
  close(): Promise<void>
}

/** What is said of a name: addresses of both families, `unknown` for NXDOMAIN; undefined is silence. */
export type DnsAnswer = readonly string[] | 'unknown' | undefined

export async function startDnsServer(
  answerOf: (name: string, family: 4 | 6) => DnsAnswer,
  { ttl = 60 }: { ttl?: number } = {},
): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const requested: DnsServer['requested'] = []
  socket.on('message', (query, from) => {
    const { name, family, end } = questionOf(query)
    requested.push({ name, family })
    const answer = answerOf(name, family)
    if (answer === undefined) return
    const records = answer === 'unknown' ? [] : answer.filter((one) => isOf(one, family))
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(answer === 'unknown' ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    const said = records.map((one) => recordOf(one, family, ttl))
    socket.send(Buffer.concat([header, query.subarray(12, end), ...said]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requested,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionOf(query: Buffer): { name: string; family: 4 | 6; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const family = query.readUInt16BE(at + 1) === 28 ? 6 : 4
  return { name: labels.join('.').toLowerCase(), family, end: at + 5 }
}

const isOf = (address: string, family: 4 | 6) => address.includes(':') === (family === 6)

function recordOf(address: string, family: 4 | 6, ttl: number): Buffer {
  const data = family === 4 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(family === 4 ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [head, tail] = [groups(before), groups(after)]
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...head, ...zeros, ...tail].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2)
  }
  return bytes
}
