// Where `adwire receive` forwards a message: to a command, to another server, to a file. The file is written last, so
// a line in it means that everything was done, and a worker that takes over a message checks it first.

import type { ApplyContext } from '../../webhooks/receiver/apply.ts'
import type { WebhookMessage } from '../../webhooks/receiver/message.ts'
import { forward } from './forward.ts'
import { messageLine } from './message-line.ts'
import type { GuardedFetch } from './named-egress.ts'
import type { ReceiveConfig } from './options.ts'
import { isWritten, type OutFile } from './out-file.ts'
import { runCommand } from './run-command.ts'

export interface HandOnPorts {
  config: Pick<ReceiveConfig, 'exec' | 'execTimeoutMs' | 'forward'>
  out: OutFile | undefined
  /** Reaches the destinations that the operator configured. */
  egress: Pick<GuardedFetch, 'fetch'>
}

/** Throws when one of them failed, and is then called again: the command and the server may get a message twice. */
export async function handOn(
  { config, out, egress }: HandOnPorts,
  message: WebhookMessage,
  { signal, previousWorker, applied }: ApplyContext & { applied: boolean },
): Promise<void> {
  const line = messageLine(message, applied)
  if (out && previousWorker !== undefined) {
    for (const worker of new Set([previousWorker, out.worker])) {
      if (await isWritten(worker, line)) return
    }
  }
  if (applied && config.exec !== undefined) {
    const input = `${JSON.stringify(line)}\n`
    await runCommand(config.exec, input, { timeoutMs: config.execTimeoutMs, signal })
  }
  if (applied && config.forward !== undefined) {
    await forward(config.forward, line, { fetch: egress.fetch, signal })
  }
  await out?.append(line)
}
