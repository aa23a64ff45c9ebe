// The path from the agent to its keys (spec 5): brand.json, the agents[] entry, the key set, the purpose of each key,
// and the list of revoked keys. Webhooks are verified with the keys found here, as a buyer would verify them.

import { sameAgentUrl } from '../../key-discovery/agent-url.ts'
import { brandJsonUrl, jwksUriOf, loadBrandAgents } from '../../key-discovery/brand-agents.ts'
import type { Loaded } from '../../key-discovery/document-cache.ts'
import { type KeySet, loadKeySet } from '../../key-discovery/key-set.ts'
import { readRevocationList } from '../../key-discovery/revocation-list.ts'
import { A2A_PATH, MCP_PATH } from '../../protocol/agent-url.ts'
import { algorithmOf, importVerificationKey } from '../../signing/keys.ts'
import { webhookProfile } from '../../signing/profile.ts'
import { type Check, PASSED, quotedValue, skipped, verdictOf } from '../check.ts'
import type { AgentContext } from './context.ts'

const group = 'keys'

export const KEY_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'brand-json',
    group,
    writes: false,
    title: 'brand.json names the agent, once',
    why: 'receivers find the keys of a sender by the entry with its URL: without one every webhook is refused as of an unknown key',
    fix: 'serve /.well-known/brand.json with an agents[] entry whose url is the URL that callers use, to the letter',
    run: async (context) => {
      const { uri } = await discover(context)
      return uri.ok ? PASSED : verdictOf([quotedValue(uri.reason)])
    },
  },
  {
    id: 'key-set',
    group,
    writes: false,
    needs: ['brand-json'],
    title: 'the key set can be read and has keys',
    why: 'no signature of this agent can be verified without it',
    fix: 'serve the jwks_uri of the brand.json entry: {"keys": […]}, up to 64 KiB, without redirects, each kid once',
    run: async (context) => {
      const { keys, jwksUrl } = await discover(context)
      if (!keys.ok) return verdictOf([`${quotedValue(jwksUrl ?? '')}: ${quotedValue(keys.reason)}`])
      return verdictOf(
        keys.value.size === 0
          ? [`${quotedValue(jwksUrl ?? '')} has no key with a kid of its own`]
          : [],
      )
    },
  },
  {
    id: 'key-purpose',
    group,
    writes: false,
    needs: ['brand-json', 'key-set'],
    title: 'a published key is for signing webhooks',
    why: 'a key of another purpose verifies no webhook, whatever it has signed',
    fix: 'publish a key with use sig, key_ops [verify] and the purpose webhook-signing, and keep private members out of the set',
    run: async (context) => {
      const { keys } = await discover(context)
      return keys.ok ? verdictOf(faultsOfKeys(context, keys.value)) : skipped('there is no key set')
    },
  },
  {
    id: 'revocation-list',
    group,
    writes: false,
    needs: ['brand-json', 'key-set'],
    title: 'the list of revoked keys is signed and current, and the webhook key is not on it',
    why: 'a list that is too old blocks every webhook of the operator; one that anyone can write protects no one',
    fix: 'renew /.well-known/governance-revocations.json before its next_update, signed by a key of the key set, with this origin as issuer',
    run: checkRevocations,
  },
]

export interface Discovery {
  /** The URL of the entry that was found. */
  agentUrl: string
  uri: Loaded<string>
  jwksUrl: string | undefined
  keys: Loaded<KeySet>
}

/** Finds the keys of this agent as a receiver does. */
export function discover(context: AgentContext): Promise<Discovery> {
  const { agentUrl, base, egress, once } = context
  return once('keys', async () => {
    const agents = await brandAgents(context)
    const names = [agentUrl, base, `${base}${MCP_PATH}`, `${base}${A2A_PATH}`].map(sameAgentUrl)
    let uri: Loaded<string> = agents.ok ? { ok: false, reason: 'no entry' } : agents
    let found = sameAgentUrl(agentUrl)
    for (const name of agents.ok ? names : []) {
      const one = jwksUriOf(agents.ok ? agents.value : [], name)
      if (name === names[0] || one.ok) uri = one
      found = name
      if (one.ok) break
    }
    if (!uri.ok) return { agentUrl: found, uri, jwksUrl: undefined, keys: uri }
    const keys = await loadKeySet(egress.fetch, uri.value)
    return { agentUrl: found, uri, jwksUrl: uri.value, keys }
  })
}

function brandAgents({ base, egress, once }: Pick<AgentContext, 'base' | 'egress' | 'once'>) {
  return once('brand', () => loadBrandAgents(egress.fetch, brandJsonUrl(base)))
}

/** The URLs of the agents that its brand.json names. */
export async function brandEntries(
  context: Pick<AgentContext, 'base' | 'egress' | 'once'>,
): Promise<string[]> {
  const agents = await brandAgents(context)
  return agents.ok ? agents.value.map(({ url }) => url) : []
}

function faultsOfKeys({ names }: AgentContext, keys: KeySet): string[] {
  const { keyUse, purposes } = webhookProfile({ tag: names.webhookTag, keyUse: names.keyUse })
  const faults: string[] = []
  let usable = 0
  for (const [kid, jwk] of keys) {
    if ('d' in jwk)
      faults.push(`the key ${quotedValue(kid)} is published with its private member d: revoke it`)
    const algorithm = algorithmOf(jwk)
    if (algorithm && importVerificationKey(jwk, { algorithm, keyUse, purposes }).ok) usable++
  }
  if (usable === 0) {
    const reported = [...keys.values()].map((jwk) => quotedValue(jwk[keyUse])).slice(0, 5)
    faults.push(`no key may verify webhooks: ${keyUse} is ${reported.join(', ') || 'missing'}`)
  }
  return faults
}

const PATH = '/.well-known/governance-revocations.json'
const MAX_LIST_BYTES = 256 * 1_024

async function checkRevocations(context: AgentContext) {
  const { keys, agentUrl } = await discover(context)
  if (!keys.ok) return skipped('there is no key set to verify it by')
  const { origin } = new URL(agentUrl)
  const answer = await context.egress.fetch({ url: `${origin}${PATH}`, maxBytes: MAX_LIST_BYTES })
  if (!answer.ok) return verdictOf([`${PATH}: ${quotedValue(answer.message)}`])
  if (answer.status === 404 || answer.status === 410) return skipped('the operator publishes none')
  if (answer.status !== 200) return verdictOf([`${PATH} answers ${answer.status}`])
  const type = context.names.revocationType
  const read = await readRevocationList(answer.body, { origin, type, keys: keys.value })
  if (!read.ok) return verdictOf([quotedValue(read.reason)])
  const { nextUpdate, revokedKids } = read.list
  const revoked = [...keys.value.keys()].filter((kid) => revokedKids.has(kid))
  return verdictOf([
    nextUpdate < Date.now()
      ? `the list should have been renewed at ${new Date(nextUpdate).toISOString()}`
      : undefined,
    revoked.length > 0
      ? `the key set still has the revoked ${quotedValue(revoked.join(', '))}`
      : undefined,
  ])
}
