// What came of it: on the terminal, and in docs/interop.md. A failure counts unless known.json has it, with the proof that
// the grader is wrong.
import { readFileSync, writeFileSync } from 'node:fs'

/** By the transport, or all of them; each with the steps that it explains. */
const KNOWN = JSON.parse(readFileSync(new URL('./known.json', import.meta.url), 'utf8')).flatMap(
  ({ transport = '', steps, proof }) =>
    Object.entries(steps).flatMap(([storyboard, ids]) =>
      ids.map((step) => ({
        run: new RegExp(`${transport.toUpperCase()}$`),
        storyboard,
        step,
        proof,
      })),
    ),
)
const PAGE = new URL('../docs/interop.md', import.meta.url)

const count = (steps, outcome) => steps.filter((step) => step.outcome === outcome).length

export function report({ id, steps }, run) {
  const counts = ['passed', 'failed', 'skipped'].map((outcome) => count(steps, outcome))
  console.log(
    `${run.padEnd(32)} ${id.padEnd(52)} ${counts.map((n) => String(n).padStart(4)).join('')}`,
  )
  for (const step of steps) {
    if (step.outcome === 'failed') console.log(`      failed  ${step.id}: ${short(step.reason)}`)
    if (step.outcome === 'skipped') console.log(`      skipped ${step.id}: ${short(step.reason)}`)
  }
}

function short(text = '') {
  const line = text.replaceAll(/\s+/g, ' ').replace(/; agent tools: \[.*/, '')
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** The failures that are not known, as `run / storyboard / step`. */
export function unknownFailures(runs) {
  return runs.flatMap(({ name, results }) =>
    results.flatMap(({ id, steps }) =>
      steps
        .filter((step) => step.outcome === 'failed' && !isKnown(name, id, step.id))
        .map((step) => `${name} / ${id} / ${step.id}: ${short(step.reason)}`),
    ),
  )
}

function isKnown(run, storyboard, step) {
  return KNOWN.some(
    (one) => one.run.test(run) && one.storyboard === storyboard && one.step === step,
  )
}

export function writePage(runs, { sdk }) {
  const lines = [
    '# Interop',
    '',
    `Adwire judged by programs that nobody here wrote: \`@adcp/sdk\` ${sdk}, with the storyboards that it brings along.`,
    '`npm run interop` builds the server, starts it as a [sandbox](#a-sandbox) with the fixtures of `interop/fixtures`, runs all',
    'that is below, writes this page, and fails on any failure that is not listed with a proof that the grader is wrong.',
    '',
    ...SANDBOX,
    ...CHANGED,
    '## Results',
    '',
    '| run | passed | failed | skipped |',
    '|---|---|---|---|',
    ...runs.map(({ name, results }) =>
      rowOf(
        name,
        results.flatMap(({ steps }) => steps),
      ),
    ),
    '',
    ...runs.flatMap(({ name, results }) => [
      `### ${name}`,
      '',
      '| storyboard | passed | failed | skipped |',
      '|---|---|---|---|',
      ...results.map(({ id, steps }) => rowOf(id, steps)),
      '',
    ]),
    '## Steps that were skipped',
    '',
    'Every step, with the runs in which it was skipped, and why.',
    '',
    '| storyboard | steps | runs | why |',
    '|---|---|---|---|',
    ...skipRows(runs),
    '',
    '## Failures that are the grader’s',
    '',
    ...(KNOWN.length === 0
      ? ['None.']
      : [...new Set(KNOWN.map(({ proof }) => proof))].map(
          (proof) =>
            `- ${KNOWN.filter((one) => one.proof === proof)
              .map(({ storyboard, step }) => `\`${storyboard}\` ${step}`)
              .join(', ')}: ${proof}`,
        )),
    '',
  ]
  writeFileSync(PAGE, lines.join('\n'))
}

function rowOf(name, steps) {
  const cells = ['passed', 'failed', 'skipped'].map((outcome) => count(steps, outcome))
  return `| ${name} | ${cells.join(' | ')} |`
}

/** One row for the steps of a storyboard that were skipped for one reason, with the runs in which they were. */
function skipRows(runs) {
  const rows = new Map()
  for (const { name, results } of runs) {
    for (const { id, steps } of results) {
      for (const [reason, ids] of skippedByReason(steps)) {
        const key = `| \`${id}\` | ${ids.join(', ')} |`
        const row = rows.get(`${key}${reason}`) ?? { key, reason, names: [] }
        rows.set(`${key}${reason}`, { ...row, names: [...row.names, name] })
      }
    }
  }
  return [...rows.values()].map(
    ({ key, names, reason }) => `${key} ${names.join('; ')} | ${reason} |`,
  )
}

function skippedByReason(steps) {
  const byReason = new Map()
  for (const { id, reason } of steps.filter(({ outcome }) => outcome === 'skipped')) {
    const why = short(reason).replaceAll('|', '\\|')
    byReason.set(why, [...(byReason.get(why) ?? []), `\`${id}\``])
  }
  return byReason
}

const SANDBOX = `## A sandbox

\`adwire serve --sandbox\` serves public graders. It has the task \`comply_test_controller\`, with which its callers force
states, simulate delivery and seed what tests need, each by the server's own rules: what is forced is told by webhook and
shown as ever. \`list_scenarios\` tells which there are. Without the flag nothing knows the name: not the lists of tools and
skills, not the capabilities, not the OpenAPI description, and a call of it is one of an unknown task.

- It starts only on a database without principals of others, and knows none but its own; those are refused by every
  server that is no sandbox. It may reach this machine by http, since test receivers stand there.
- \`adwire principals create NAME --sandbox --key KEY\` makes a caller with a key that the grader brings.
- It has the products, signals and formats that public tests name: \`test-product\` with the price \`default\`, a signal of outdoor
  enthusiasts, \`native_post\`, \`vast_30s\` (a slot for a film, and no VAST). What is on file under one of these
  ids is left as it is. Every signal can be activated on any platform and any agent.
- Formats of any agent URL are its own (\`ADWIRE_FORMAT_AGENT_URLS\`), and unsigned calls may register webhooks with legacy
  authentication (\`ADWIRE_UNSIGNED_LEGACY_WEBHOOKS\`), unless these settings say otherwise.
- Seeds may leave out what their test is not about. A price that is neither fixed nor has a floor is of an auction in which any bid
  counts, reporting capabilities are completed, \`selection_type\` is \`all\`, \`by_id\` or \`by_tag\` by the members beside it,
  formats may be named by \`format_options\`, and a creative of an unknown format gets a format with the slots of its assets.
- \`adwire principals keys add PRINCIPAL --jwks-url URL\` registers the keys that a runner signs its requests with.
- \`adwire sandbox load DIR\` loads a folder: \`principals.json\` (names, keys, prefixes of keys, accounts, creatives),
  \`signals.jsonl\` and \`products.jsonl\` as the import commands read them. \`ADWIRE_FORMATS_DIR\` names more formats.
- Where a prefix is on file, each key that begins so is a tenant of its own, made when it first calls.
- Tenants do not see or change each other's buys, creatives, accounts, tasks, formats or recorded calls, and what one of them makes
  the sandbox keep is [limited](limits.md#tenants-of-a-sandbox). They share the products: a tenant can change the price or the name of
  a product that it may buy. Ids of buys, accounts and tasks that a caller chooses are taken for all tenants: prefix them.
- Platforms that nobody configured are put live at once by the sandbox itself, over HTTP: \`query_upstream_traffic\` shows
  these calls.
- An account that is named by an id and is not there has what its caller seeded, and nothing else: so lists can be walked.
- A key is good for 100 signed requests within the life of a signature (\`ADWIRE_REQUEST_NONCES_PER_KEY\`).
`.split('\n')

/** A reader must be able to distinguish a grade from a grade of something else. */
const CHANGED = `## What is not as the SDK would run it

The figures are of these runs, and not of the SDK's own command without options:

- The list of storyboards is that of \`interop/roles.mjs\`, not that of the declared capabilities alone.
- Left out, each counted as skipped below: \`media_buy_seller/proposal_finalize\`; the phase \`deterministic_session\`, so that the
  phases behind it are judged; \`security_baseline\` over A2A, which **fails** there (405).
- \`idempotency\`: its dates are past, so they are moved to next year; else the runner dates each call anew and the replay
  is another request. Its step \`no_duplicate_webhooks_on_replay\` **fails**, and is run apart so that the phases behind it are judged.
- \`ADWIRE_REQUIRE_IDEMPOTENCY_KEY\` is on: the step \`create_media_buy_missing_key\` names no release, and **fails** without it.
- \`webhook_emission\` orders \`zz_signed_order\`, a product that was made for it. With the SDK's default product it **fails**: that
  buy is answered at once and no webhook comes. With \`build_creative\` or \`activate_signal\` instead, the step
  \`expect_key_stable_across_retries\` **fails**: several events of one task reach the address, each under its own key.
- \`pagination_integrity_list_accounts\` is run by a tenant of its own; it counts accounts.
- Signed requests are graded with the profile of 3.1, each vector with the policy of digests that it names, as calls of MCP. With
  \`--transport raw\` the vectors go to \`/adcp/create_media_buy\`. Of those that must be refused all are, but 016, which needs an
  accepted one first; those that must be accepted are told 400, since their body (\`plan_id\` and \`packages\` alone) is no
  request of the task, or 404 where their path is another.
- The fuzzer is bounded: six reading tasks, 15 turns each, one seed.
- *Stock command* runs the SDK's command line against the demo, with no option but the key and the protocol (\`auto\`: not even
  that): the list of tools and five tasks. A warning counts as a failure.
- *Every answer by its schema* makes the calls of \`interop/calls\` over HTTP and MCP, release by release. Answers to 3.0
  are judged by the schemas that the SDK brings along, those to 3.1 and 3.2 by \`interop/newer-shapes.mjs\`, which is ours.
`.split('\n')
