// `POST /console/api/signal-imports`: a file of signals. The sender and the maximum size are checked before the
// first byte is read; the whole file is read, and then processed by a thread of its own. The response is streamed
// in lines during that work, and closing the page cancels it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  SIGNAL_IMPORTS_PATH,
  type SignalImportLine,
  type SignalImportQuery,
  signalImportQuery,
} from '../../../console/api/signal-imports.ts'
import { CONSOLE_LIMITS } from '../../../console/limits.ts'
import { Refused } from '../../../console/refusal.ts'
import type { Visitor } from '../../../console/sessions.ts'
import { importSent, type SignalImportPorts } from '../../../console/signal-import.ts'
import { startDeadline } from '../../../lib/deadline.ts'
import { askForBody } from '../../../lib/linger.ts'
import { createUsageQuota } from '../../../lib/usage-quota.ts'
import { type ConsoleGatePorts, gateFor } from './authorize.ts'
import { consoleHeaders } from './headers.ts'
import { sendConsoleFault, sendConsoleRefusal } from './refusals.ts'

export interface ImportRoutePorts extends ConsoleGatePorts {
  imports: SignalImportPorts
  /** Cancels imports when the server stops. */
  stopping: AbortSignal
  onFault: (error: unknown) => void
}

/** Each holds a whole file, and a thread. */
const AT_ONCE = CONSOLE_LIMITS.importsAtOnce.value
const MAX_BYTES = CONSOLE_LIMITS.importBytes.value
const LONGEST_MS = CONSOLE_LIMITS.importSeconds.value * 1_000
/** Interval between two progress lines. */
const TOLD_EVERY_MS = 200

export function importRoutes(ports: ImportRoutePorts) {
  const shares = createUsageQuota({ max: AT_ONCE, maxOfOne: 1 })
  return (app: FastifyInstance): void => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      // The handler reads it, once it knows that there is room.
      scope.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null))
      scope.post(
        SIGNAL_IMPORTS_PATH,
        {
          onRequest: [
            consoleHeaders,
            gateFor({ method: 'POST', path: SIGNAL_IMPORTS_PATH, role: 'operator' }, ports),
          ],
          errorHandler: sendConsoleFault,
          schema: { hide: true, querystring: signalImportQuery },
          config: { quiet: true },
        },
        async (request, reply) => {
          const visitor = request.visitor as Visitor
          const owner = visitor.principal.principal_id
          if (shares.take(owner) !== 'taken') return sendConsoleRefusal(reply, BUSY)
          try {
            const bytes = await readFile(request)
            const requested = request.query as SignalImportQuery
            await answer(reply, { requested, visitor, bytes }, ports)
          } finally {
            shares.give(owner)
          }
          return reply
        },
      )
    })
  }
}

const BUSY = {
  status: 429,
  code: 'too_many_imports',
  message: `you or ${AT_ONCE} other users are already importing a file: wait until it is done`,
  retryAfterSeconds: 10,
} as const

/** Rejects with a Refused if the upload is too large or breaks off; the rest is left unread. */
function readFile({ raw, headers }: FastifyRequest): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) return Promise.reject(tooLarge())
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const stop = (refused?: Refused) => {
      raw.off('data', take).off('end', end).off('close', breakOff).off('error', breakOff)
      if (!refused) return resolve(joined(chunks, size))
      raw.pause()
      reject(refused)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BYTES) return stop(tooLarge())
      chunks.push(chunk)
    }
    const end = () => stop()
    const breakOff = () => stop(new Refused(400, 'invalid_request', 'the file broke off'))
    raw.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff)
    askForBody(raw)
  })
}

/** In its own memory, so that it can be transferred to a thread without a copy. */
function joined(chunks: readonly Buffer[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function tooLarge(): Refused {
  const most = MAX_BYTES / 1_024 / 1_024
  const how = 'divide it, or use adwire signals import, which takes files of any size'
  return new Refused(413, 'too_large', `a file may have at most ${most} MB: ${how}`)
}

interface Sent {
  requested: SignalImportQuery
  visitor: Visitor
  bytes: Uint8Array
}

async function answer(
  reply: FastifyReply,
  { requested, visitor, bytes }: Sent,
  { imports, stopping, onFault }: ImportRoutePorts,
): Promise<void> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/x-ndjson; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  const deadline = startDeadline({ timeoutMs: LONGEST_MS, signals: [gone.signal, stopping] })
  const { signal: abort } = deadline
  const say = (line: SignalImportLine) => raw.write(`${JSON.stringify(line)}\n`)
  let reportedAt = 0
  const onProgress = (progress: { rows: number; bytes: number }) => {
    if (performance.now() - reportedAt < TOLD_EVERY_MS) return
    reportedAt = performance.now()
    say({ progress })
  }
  try {
    say({ report: await importSent(imports, visitor, { requested, bytes, onProgress, abort }) })
  } catch (error) {
    if (!abort.aborted) onFault(error)
    say({ error: abort.aborted ? CALLED_OFF : FAILED })
  } finally {
    deadline.end()
  }
  raw.end()
}

const CALLED_OFF = {
  code: 'called_off',
  message:
    'the server stopped, or the import timed out: rows already imported stay. Import the file again',
} as const

const FAILED = {
  code: 'internal',
  message: 'the file could not be read to its end (see the log): rows already imported stay',
} as const
