// The SDK's fuzzer: requests that fit its schemas, for every task that it knows of and Adwire has; each must be answered
// by its schema, or refused in the protocol's words. Bounded, and the same every time.
import { run } from './signing.mjs'

const TOOLS = [
  'get_signals',
  'list_creative_formats',
  'list_creatives',
  'get_products',
  'get_media_buys',
  'get_media_buy_delivery',
]
const SEED = '20261117'
const TURNS = '15'

export async function fuzz({ url, transport, keys }) {
  const [own, other] = Object.values(keys)
  const args = ['fuzz', `${url}${transport === 'mcp' ? '/mcp' : ''}`, '--protocol', transport]
  args.push('--seed', SEED, '--turn-budget', TURNS, '--tools', TOOLS.join(','))
  args.push('--auth-token', own, '--auth-token-cross-tenant', other, '--format', 'json')
  const { stdout, stderr } = await run(args)
  const id = `fuzzer: ${transport}`
  try {
    const { failures, perTool } = JSON.parse(stdout)
    return { id, title: id, steps: stepsOf(perTool ?? {}, failures ?? []) }
  } catch {
    const reason = `the fuzzer gave no report: ${stderr.slice(0, 2_000)}`
    return { id, title: id, steps: [{ id: 'run', outcome: 'failed', reason }] }
  }
}

function stepsOf(perTool, failures) {
  return Object.entries(perTool).map(([tool, counts]) => {
    const own = failures.filter((failure) => failure.tool === tool)
    if (own.length > 0) {
      const reason = own.map(({ verdict, invariantFailures }) => `${verdict}: ${invariantFailures}`)
      return { id: tool, outcome: 'failed', reason: reason.join('; ') }
    }
    if (counts.skipped) return { id: tool, outcome: 'skipped', reason: String(counts.skipReason) }
    return { id: tool, outcome: 'passed' }
  })
}
