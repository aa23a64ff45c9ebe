// The first screen of `adwire receive`: where it listens, whom it trusts, what was found about them, and what to do
// next.

import type { TrustedSeller } from '../../key-discovery/trusted-seller.ts'
import { hostInUrl } from '../../lib/host-in-url.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Receiver } from '../../webhooks/receiver/receiver.ts'
import type { ReceiveConfig } from './options.ts'

export interface AnnouncePorts {
  port: number
  receiver: Pick<Receiver, 'lookUpSeller'>
  say: (line: string) => void
  /** Resolves when the process is to stop: then nothing is waited for any more. */
  requested: Promise<void>
}

/** Resolves when every seller has been looked up; webhooks are accepted meanwhile. */
export async function announce(config: ReceiveConfig, ports: AnnouncePorts): Promise<void> {
  const { say, receiver, port, requested } = ports
  const { retentionHours, maxKeysPerSender, sellers, routes } = config
  const url = `http://${hostInUrl(config.host)}:${port}`
  say(`adwire receive listens on ${url}`)
  say(`keys are remembered for ${retentionHours} hours, ${maxKeysPerSender} of each sender at most`)
  for (const seller of sellers) say(trustLine(seller))
  for (const { name, mode } of routes) say(`takes /hooks/${name} with ${mode}`)
  if (sellers.length === 0 && routes.every(({ mode }) => mode === 'rfc9421')) {
    say('no sender is trusted, so every webhook is refused. Use --trust, --hmac or --bearer')
    return
  }
  const looked = Promise.all(
    sellers.map(async ({ agentUrl }) => {
      const found = await receiver.lookUpSeller(agentUrl)
      if (!found.ok) {
        const why = plainText(found.reason)
        say(`found no keys of ${agentUrl}: ${why}. It is fetched again when a webhook arrives`)
      } else say(`found ${found.keys} ${found.keys === 1 ? 'key' : 'keys'} of ${agentUrl}`)
    }),
  )
  await Promise.race([looked, requested])
  const outer = config.publicUrl ?? url
  say(
    `next: give sellers ${outer}/hooks/<name> as push_notification_config.url, with a name of your choice`,
  )
}

function trustLine({ agentUrl, jwksUrl, pin, publishers = [] }: TrustedSeller): string {
  const keys = jwksUrl === undefined ? '' : ` with the keys of ${jwksUrl}`
  const pinned = pin === undefined ? '' : `, pinned to ${pin.map(({ kid }) => kid).join(', ')}`
  const pinners = publishers.length === 0 ? '' : `, as ${publishers.join(' and ')} may pin its keys`
  return `trusts ${agentUrl}${keys}${pinned}${pinners}`
}
