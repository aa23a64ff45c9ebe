// Signed requests as the SDK's grader sends them. Its vectors are for verifiers of three policies of the content
// digest, so each policy is a server of its own, and each vector is checked where it belongs.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { startServers } from './servers.mjs'

const GRADER = new URL('./node_modules/@adcp/sdk/bin/adcp.js', import.meta.url).pathname
const POLICIES = ['either', 'required', 'forbidden']
/** How many requests of one key a sandbox counts. */
const CAP = '100'

export async function gradeSigning(world) {
  const results = []
  for (const policy of POLICIES) {
    const servers = await startServers({
      ...world,
      database: 'sqlite',
      settings: {
        // The SDK signs as releases before 3.2 do.
        ADWIRE_REQUEST_SIGNING_PROFILE: '3.1',
        ADWIRE_REQUEST_CONTENT_DIGEST: policy,
        ADWIRE_REQUEST_SIGNING_REQUIRED_FOR: 'create_media_buy',
      },
    })
    const steps = await grade(`${servers.urls[0]}/mcp`, policy).finally(servers.stop)
    const id = `request signing, digest ${policy}`
    results.push({ id, title: id, steps })
  }
  return results
}

async function grade(url, policy) {
  const args = ['grade', 'request-signing', url, '--allow-http', '--allow-live-side-effects']
  args.push('--transport', 'mcp', '--covers-content-digest', policy)
  args.push('--rate-abuse-cap', CAP, '--json', '--only', vectorsOf(policy).join(','))
  const { stdout, stderr } = await run(args)
  try {
    const { positive, negative } = JSON.parse(stdout)
    const ours = new Set(vectorsOf(policy))
    return [...positive, ...negative].filter((one) => ours.has(one.vector_id)).map(stepOf)
  } catch {
    return [{ id: 'run', outcome: 'failed', reason: `the grader gave no report: ${stderr}` }]
  }
}

/** Each vector says which policy it is for. */
function vectorsOf(policy) {
  const { getComplianceCacheDir } = createRequire(import.meta.url)('@adcp/sdk/testing')
  const folder = join(getComplianceCacheDir(), 'test-vectors/request-signing')
  return ['positive', 'negative'].flatMap((kind) =>
    readdirSync(join(folder, kind)).flatMap((file) => {
      const vector = JSON.parse(readFileSync(join(folder, kind, file), 'utf8'))
      const isFor = vector.verifier_capability.covers_content_digest === policy
      return isFor ? [basename(file, '.json')] : []
    }),
  )
}

function stepOf({ vector_id, passed, skipped, skip_reason, diagnostic }) {
  if (skipped) {
    return {
      id: vector_id,
      outcome: 'skipped',
      kind: skip_reason,
      reason: diagnostic ?? skip_reason,
    }
  }
  if (passed) return { id: vector_id, outcome: 'passed' }
  return { id: vector_id, outcome: 'failed', reason: diagnostic }
}

/** Its exit code says that a vector failed, which its report says too. */
export function run(args) {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1_024 * 1_024, timeout: 600_000 }
    execFile(process.execPath, [GRADER, ...args], options, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    )
  })
}
