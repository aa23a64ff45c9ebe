// The storyboards of the SDK for the roles that Adwire has, over one transport: each step passed, failed with its reason, or
// skipped with its reason.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MCP_ALONE, NOT_OURS, PHASES_NOT_OURS, ROLES, STEPS_APART } from './roles.mjs'

const require = createRequire(import.meta.url)
const testing = require('@adcp/sdk/testing')
const { StaticJwksResolver } = require('@adcp/sdk/signing')

/**
 * `urls` has one address for each instance; `only` are ids of storyboards, all of ours by default.
 */
export async function runStoryboards({ urls, transport, keys, only = [], onResult = () => {} }) {
  const path = transport === 'mcp' ? '/mcp' : ''
  const agents = urls.map((url) => `${url}${path}`)
  const results = []
  for (const storyboard of ours()) {
    if (only.length > 0 && !only.includes(storyboard.id)) continue
    const notOurs =
      NOT_OURS[storyboard.id] ?? (transport === 'a2a' ? MCP_ALONE[storyboard.id] : undefined)
    if (notOurs !== undefined) {
      const { id, title } = storyboard
      const step = { id: 'all', outcome: 'skipped', kind: 'not_ours', reason: notOurs }
      results.push({ id, title, steps: [step] })
      onResult(results.at(-1))
      continue
    }
    const options = await optionsFor({ url: urls[0], transport, keys, storyboard })
    const result = await checked(agents.length > 1 ? agents : agents[0], storyboard, options)
    onResult(result)
    results.push(result)
  }
  return results
}

/** Universal ones, those of our protocols, of our specialisms, and the scenarios that these name. */
function ours() {
  const { protocols, specialisms } = ROLES
  const { storyboards } = testing.resolveStoryboardsForCapabilities({
    supported_protocols: protocols,
    specialisms: [...specialisms],
    major_versions: [3],
  })
  const all = new Map(testing.listAllComplianceStoryboards().map((one) => [one.id, one]))
  const wanted = new Map()
  for (const one of storyboards) {
    for (const id of one.requires_scenarios ?? []) wanted.set(id, all.get(id))
    wanted.set(one.id, one)
  }
  return [...wanted.values()].filter(({ id }) => !ELSEWHERE.has(id))
}

/** Graded with servers of their own: see signing.mjs. */
const ELSEWHERE = new Set(['signed_requests'])

async function optionsFor({ url, transport, keys, storyboard }) {
  const kit = kitOf(storyboard)
  return {
    protocol: transport,
    auth: { type: 'bearer', token: keyFor(kit, { keys, storyboard }) },
    allow_http: true,
    sandbox: true,
    test_session_id: `interop-${transport}-${storyboard.id}`,
    webhook_receiver: { mode: 'loopback_mock' },
    contracts: ['webhook_receiver_runner'],
    webhook_signing: { jwks: new StaticJwksResolver(await keysOf(url)) },
    ...(kit ? { test_kit: kit, brand: brandOf(kit) } : {}),
    ...(storyboard.id === 'webhook_emission' ? SIGNED_ORDER : {}),
  }
}

/** A buy is answered at once, which needs no webhook, unless the seller signs each order of the product. */
const SIGNED_ORDER = {
  context: { product_id: 'zz_signed_order', pricing_option_id: 'cpm_guaranteed' },
  brand: { domain: 'acmeoutdoor.example' },
}

/** Storyboards that count what there is are tenants of their own; the others find the fixtures. */
const COUNTING = new Set(['pagination_integrity_list_accounts'])

function keyFor(kit, { keys, storyboard }) {
  const known = kit?.auth?.api_key ?? Object.values(keys)[0]
  return COUNTING.has(storyboard.id) ? `${known.replace(/v1$/, '')}alone` : known
}

async function keysOf(url) {
  // The connection may be one that the server closes at this moment, since nothing was sent for a while.
  const ask = () => fetch(`${url}/.well-known/jwks.json`)
  const answer = await ask().catch(ask)
  return (await answer.json()).keys
}

function kitOf({ prerequisites }) {
  const file = prerequisites?.test_kit
  if (file === undefined) return undefined
  const { parse } = require('yaml')
  return parse(readFileSync(join(testing.getComplianceCacheDir(), file), 'utf8'))
}

function brandOf(kit) {
  const domain = kit.brand?.house?.domain
  return domain === undefined ? undefined : { domain }
}

async function checked(agents, storyboard, options) {
  const { id, title } = storyboard
  const others = PHASES_NOT_OURS[id] ?? {}
  const apart = STEPS_APART[id] ?? []
  const phases = inTime(storyboard)
    .filter((phase) => others[phase.id] === undefined)
    .map((phase) => ({ ...phase, steps: phase.steps.filter((step) => !apart.includes(step.id)) }))
  const skipped = Object.entries(others).map(([what, reason]) => ({
    id: what,
    outcome: 'skipped',
    kind: 'not_ours',
    reason,
  }))
  const steps = await stepsOf(agents, { ...storyboard, phases }, options)
  for (const step of apart) steps.push(await alone(agents, storyboard, options, step))
  return { id, title, steps: [...steps, ...skipped] }
}

async function stepsOf(agents, storyboard, options) {
  try {
    const result = await testing.runStoryboard(agents, storyboard, options)
    return result.phases.flatMap((phase) => phase.steps.map((step) => stepOf(phase.phase_id, step)))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ id: 'run', outcome: 'failed', reason }]
  }
}

/** A run that ends with the step. */
async function alone(agents, storyboard, options, id) {
  const all = inTime(storyboard)
  const at = all.findIndex(({ steps }) => steps.some((step) => step.id === id))
  const until = all[at].steps.findIndex((step) => step.id === id)
  const last = { ...all[at], steps: all[at].steps.slice(0, until + 1) }
  const session = { ...options, test_session_id: `${options.test_session_id}-${id}` }
  const phases = [...all.slice(0, at), last]
  return (await stepsOf(agents, { ...storyboard, phases }, session)).at(-1)
}

/** Where dates are past the runner takes the time of the call, and a repeated call would be another one. */
const DATED = new Set(['idempotency'])

function inTime({ id, phases }) {
  if (!DATED.has(id)) return phases
  const year = new Date().getFullYear() + 1
  return JSON.parse(JSON.stringify(phases).replaceAll(/"2026-(\d\d-\d\dT)/g, `"${year}-$1`))
}

function stepOf(phase, step) {
  const base = { id: `${phase}/${step.step_id}`, task: step.task }
  if (step.skipped) {
    const { skip_reason, skip } = step
    return { ...base, outcome: 'skipped', kind: skip_reason, reason: skip?.detail ?? skip_reason }
  }
  if (step.passed) return { ...base, outcome: 'passed' }
  const wrong = step.validations.filter(({ passed }) => !passed).map(sentenceOf)
  return { ...base, outcome: 'failed', reason: [step.error, ...wrong].filter(Boolean).join('; ') }
}

function sentenceOf({ check, path, error, description }) {
  return `${check}${path ? ` ${path}` : ''}: ${error ?? description}`
}
