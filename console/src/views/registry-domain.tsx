// One domain: the result of a lookup, its references with their proofs and the history of their verification, and the
// agents that its organisation lists.

import type { Reference, RegistryDomain } from '../../../src/console/api/registry.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { Badge, WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { PublisherPanel } from '../parts/publisher-panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { Timeline } from '../parts/timeline.tsx'
import type { Params } from '../paths.ts'
import { proofText, targetOf, VERIFICATION_WORDS } from '../registry-words.ts'
import { hrefOf } from '../router.ts'
import { sentence, spaced } from '../words.ts'

export function View({ params }: { params: Params }) {
  const { domain = '' } = params
  const { value, fault, refresh, show } = useData(
    'GET /registry/domains/:domain',
    { params: { domain } },
    ['registry'],
  )
  return (
    <>
      <ViewHead title={value?.domain ?? domain} within={{ title: 'Registry', path: '/registry' }} />
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole of={value} show={show} />}
    </>
  )
}

function Whole({ of, show }: { of: RegistryDomain; show(value: RegistryDomain): void }) {
  return (
    <div class="columns">
      <div class="stack two-thirds">
        <PublisherPanel domain={of.domain} />
        {of.references.length === 0 && (
          <Panel title="References">
            <Notice title="No references" compact>
              <p>A lookup of this domain finds nothing.</p>
            </Notice>
          </Panel>
        )}
        {of.references.map((one) => (
          <ReferencePanel key={one.id} reference={one} show={show} />
        ))}
        {of.has_more && <p class="faint">The 50 best references are listed.</p>}
      </div>
      <div class="stack third">
        <LookupPanel of={of} />
        <OrganizationPanel of={of} />
      </div>
    </div>
  )
}

/** What everybody is answered. */
function LookupPanel({ of: { domain, lookup } }: { of: RegistryDomain }) {
  const feed = hrefOf(`/registry/feed?${new URLSearchParams({ domain })}`)
  return (
    <Panel title="Lookup result" aside={<a href={feed}>Its feed</a>}>
      <div class="stack">
        <Id text={domain} what="domain" wraps />
        {lookup.map(({ manifest_type, reference }) => (
          <div key={manifest_type} class="stack tight">
            <div class="row between">
              <b>{manifest_type}</b>
              {reference ? (
                <WordBadge word={VERIFICATION_WORDS[reference.verification_status]} />
              ) : (
                <Badge tone="idle">nothing found</Badge>
              )}
            </div>
            {reference && (
              <Id
                text={reference.manifest_url ?? reference.agent_url ?? ''}
                what={reference.reference_type === 'agent' ? 'URL of the agent' : 'URL of the file'}
                wraps
              />
            )}
          </div>
        ))}
      </div>
    </Panel>
  )
}

function OrganizationPanel({ of: { organization } }: { of: RegistryDomain }) {
  return (
    <Panel title="Agents" aside={organization?.name}>
      {!organization ? (
        <p class="faint">No organisation has its addresses at this domain.</p>
      ) : organization.agents.length === 0 ? (
        <p class="faint">The organisation lists no agents.</p>
      ) : (
        <ul class="stack tight">
          {organization.agents.map((agent) => (
            <li key={agent.url}>
              <div class="row between top">
                <span class="wrap-anywhere">{agent.name ?? spaced(agent.type)}</span>
                <Badge tone={agent.visibility === 'public' ? 'good' : 'idle'}>
                  {spaced(agent.visibility)}
                </Badge>
              </div>
              <Id text={agent.url} what="URL of the agent" wraps />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface ReferenceProps {
  reference: Reference
  show(value: RegistryDomain): void
}

function ReferencePanel({ reference, show }: ReferenceProps) {
  const { manifest_type, reference_type, verification_status } = reference
  const kind = reference_type === 'agent' ? 'an agent' : 'a file'
  return (
    <Panel
      title={`${manifest_type}: ${kind}`}
      aside={<WordBadge word={VERIFICATION_WORDS[verification_status]} />}
    >
      <div class="stack">
        <Why reference={reference} />
        <About reference={reference} />
        <div class="row wrap">
          <VerifyNow reference={reference} show={show} />
          <Next reference={reference} />
        </div>
        <History reference={reference} />
      </div>
    </Panel>
  )
}

/** Why it has its status, and how to fix it. */
function Why({ reference }: { reference: Reference }) {
  const { verification_status, history, ways_to_prove, is_proof_asked } = reference
  const [last] = history
  if (!last) return <p class="soft">It was not verified yet.</p>
  const isUnproved = verification_status === 'pending'
  return (
    <div class="stack tight">
      <p class={verification_status === 'valid' ? 'wrap-anywhere' : 'wrap-anywhere warn'}>
        {sentence(last.reason)}
      </p>
      <Issues issues={last.issues} />
      {isUnproved && (
        <ul class="soft small stack tight" aria-label="How to prove it">
          {ways_to_prove.map((way) => (
            <li key={way} class="wrap-anywhere">
              {sentence(way)}
            </li>
          ))}
          {is_proof_asked && (
            <li>Its contributor requested a challenge, which is being checked.</li>
          )}
        </ul>
      )}
    </div>
  )
}

function Issues({ issues }: { issues: Reference['history'][number]['issues'] }) {
  if (issues.length === 0) return null
  return (
    <ul class="issues">
      {issues.map(({ pointer, message }) => (
        <li key={pointer + message}>
          <code class="wrap-anywhere">{pointer === '' ? 'the whole file' : pointer}</code>
          <span class="wrap-anywhere">{message}</span>
        </li>
      ))}
    </ul>
  )
}

function About({ reference }: { reference: Reference }) {
  const { proved_by, agent_id, completeness_score } = reference
  return (
    <Facts
      of={[
        ['Leads to', <Id key="target" text={targetOf(reference)} what="URL" wraps />],
        ['Agent id', agent_id !== undefined && <Id text={agent_id} what="agent id" wraps />],
        ['Vouched for', proved_by === undefined ? 'not by the domain' : proofText(proved_by)],
        ['Filled in', `${completeness_score} %`],
        ['Added by', reference.organization_name ?? reference.organization_id],
        ['Added', <Time key="added" at={reference.created_at} as="full" />],
        ['Reference id', <Id key="id" text={reference.id} what="reference id" wraps />],
      ]}
    />
  )
}

function Next({ reference }: { reference: Reference }) {
  const { is_queued, is_under_way, next_verification_at, failures } = reference
  if (is_under_way) return <Badge tone="info">being verified</Badge>
  if (is_queued) return <Badge tone="info">first in line</Badge>
  return (
    <span class="faint small">
      verified again <Time at={next_verification_at} as="until" />
      {failures > 1 && `, after ${failures.toLocaleString()} failures in a row`}
    </span>
  )
}

function VerifyNow({ reference, show }: ReferenceProps) {
  const { id: reference_id, is_queued, is_under_way } = reference
  return (
    <Action
      label="Verify now"
      small
      unless={is_queued || is_under_way ? 'The verification is in progress.' : undefined}
      run={() =>
        api('POST /registry/references/:reference_id/verify', {
          params: { reference_id },
          body: {},
        })
      }
      done="It is next in the queue. The result appears here."
      onDone={show}
    />
  )
}

function History({ reference: { history } }: { reference: Reference }) {
  if (history.length === 0) return null
  return (
    <details class="stack tight" open={history.length > 1}>
      <summary>
        {history.length === 1 ? 'One verification' : `The last ${history.length} verifications`}
      </summary>
      <Timeline
        label="Verifications, the newest first"
        moments={history.map((entry, index) => ({
          key: `${entry.verified_at} ${index}`,
          tone: VERIFICATION_WORDS[entry.verification_status].tone,
          title: VERIFICATION_WORDS[entry.verification_status].text,
          at: entry.verified_at,
          aside: <span class="faint small">{lasting(entry.duration_ms)}</span>,
          children: (
            <div class="said small">
              {entry.proved_by !== undefined && `${sentence(proofText(entry.proved_by))} `}
              {sentence(entry.reason)}
              <Issues issues={entry.issues} />
            </div>
          ),
        }))}
      />
    </details>
  )
}
