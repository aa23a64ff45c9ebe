// `adwire call --receive`: where to receive the webhooks of a call that is waited for, from its flags.

import type { CallReceiverOptions, OpenCallReceiver } from '../app/call-receiver.ts'
import type { CallReceiver } from '../client/options.ts'
import { isUrl } from '../lib/is-url.ts'
import { UsageError } from './terminal.ts'

export interface ReceiveFlags {
  wait?: boolean
  watch?: boolean
  receive?: string
  receivePort?: string
}

type ReceiveAt = Pick<CallReceiverOptions, 'url' | 'host' | 'port'>

/** Undefined when no receiver is requested. */
export function receiveAt(flags: ReceiveFlags): ReceiveAt | undefined {
  const { receive, receivePort, wait, watch } = flags
  if (receive === undefined) {
    if (receivePort === undefined) return undefined
    throw new UsageError(
      '--receive-port requires --receive, the address that the agent sends webhooks to',
    )
  }
  if (!wait && !watch) {
    throw new UsageError('--receive receives webhooks while waiting for the task: add --wait')
  }
  const url = webhookUrl(receive)
  if (receivePort !== undefined) return { url, host: '127.0.0.1', port: portOf(receivePort) }
  if (url.protocol === 'https:') {
    throw new UsageError(
      `--receive ${receive} is served by your own proxy: add --receive-port with the port of 127.0.0.1 that it forwards to`,
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { url, host, port: url.port === '' ? 80 : Number(url.port) }
}

/** The receiver of a call; it does not listen until it is opened, once the request is known to be valid. */
export interface CallWebhooks {
  receiver: CallReceiver
  /** `onFault` is called with one line when a webhook is not accepted. */
  open(onFault: (fault: string) => void): Promise<void>
  close(): Promise<void>
}

export function webhooksOf(options: Omit<CallReceiverOptions, 'onFault'>): CallWebhooks {
  let opened: OpenCallReceiver | undefined
  const receiver = () => {
    if (opened) return opened.receiver
    throw new Error('the receiver of the call is not open')
  }
  return {
    receiver: {
      urlFor: (call) => receiver().urlFor(call),
      waitFor: (operationId, waiting) => receiver().waitFor(operationId, waiting),
    },
    open: async (onFault) => {
      // Loaded only here: a call without it starts faster, and needs no database.
      const { openCallReceiver } = await import('../app/call-receiver.ts')
      const result = await openCallReceiver({ ...options, onFault })
      if (!result.ok) throw new UsageError(`--receive: ${result.reason}`)
      opened = result
    },
    close: async () => opened?.close(),
  }
}

const DEFAULT_PATH = '/hooks/call'

function webhookUrl(text: string): URL {
  const url = isUrl(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--receive must be a URL such as http://127.0.0.1:8422 (got ${text})`)
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new UsageError('--receive must not contain a user name, password or fragment')
  }
  if (url.pathname === '/') url.pathname = DEFAULT_PATH
  return url
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--receive-port must be a number up to 65535 (got ${text})`)
}
