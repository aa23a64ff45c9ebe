// One examination: its progress, and its findings, the worst first.

import { useEffect } from 'preact/hooks'
import type { CheckResult, ExaminationDetails } from '../../../src/console/api/doctor.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import type { Params } from '../paths.ts'
import { hrefOf } from '../router.ts'
import { mayAct } from '../session.ts'
import { examinationWord, sentence, withoutScheme } from '../words.ts'

const REFRESH_MS = 1_000
const WITHIN = { title: 'Doctor', path: '/agents/doctor' }

export function View({ params: { run_id = '' } }: { params: Params }) {
  const run = useData('GET /doctor/:run_id', { params: { run_id } }, [])
  const isRunning = run.value?.state === 'running'
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(run.refresh, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  const { value: examined } = run
  if (!examined) {
    return (
      <>
        <ViewHead title="Report" within={WITHIN} />
        {run.fault ? (
          <FaultNotice fault={run.fault} retry={run.refresh} />
        ) : (
          <Skeletons panels={2} />
        )}
      </>
    )
  }
  return (
    <>
      <ViewHead
        title={withoutScheme(examined.url)}
        within={WITHIN}
        actions={<Actions examined={examined} show={run.show} />}
      >
        <WordBadge word={examinationWord(examined)} />
      </ViewHead>
      <FaultBanner fault={run.fault} retry={run.refresh} />
      <div class="stack">
        <Summary examined={examined} />
        <Report examined={examined} />
      </div>
    </>
  )
}

interface ActionsProps {
  examined: ExaminationDetails
  show(value: ExaminationDetails): void
}

function Actions({ examined, show }: ActionsProps) {
  const { run_id, state, url, subject } = examined
  const again = hrefOf(`/agents/doctor?${new URLSearchParams({ url, subject })}`)
  return (
    <>
      {state === 'running' ? (
        <Action
          label="Cancel"
          kind="danger"
          run={() => api('POST /doctor/:run_id/cancel', { params: { run_id }, body: {} })}
          done="Cancelled. The remaining checks are skipped."
          onDone={show}
        />
      ) : (
        <>
          {mayAct() && (
            <a class="button" href={again}>
              Examine again
            </a>
          )}
          <button type="button" class="button" onClick={() => download(examined)}>
            Download as JSON
          </button>
        </>
      )}
    </>
  )
}

/** The report as `adwire doctor --json` prints it. */
function download({ subject, url, checks, summary, is_away }: ExaminationDetails) {
  const findings = checks.flatMap((check) => check.findings)
  const exit_code = is_away ? 3 : findings.length > 0 ? 1 : 0
  const report = { subject, url, checks, findings, summary, exit_code }
  const file = new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `doctor-${withoutScheme(url).replace(/[^a-z0-9.-]+/gi, '-')}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

function Summary({ examined }: { examined: ExaminationDetails }) {
  const { summary, checks, total, now, state, reason, subject, by, may_write, is_away } = examined
  return (
    <Panel title={subject === 'agent' ? 'Agent' : 'Webhook receiver'} aside={`by ${by}`}>
      <div class="stack">
        {state === 'running' && (
          <div class="stack tight" role="status">
            <p>
              {checks.length} of {total ?? '…'} checks.{' '}
              <span class="soft">
                {now === undefined ? 'Checking whether the server responds.' : sentence(now)}
              </span>
            </p>
            <progress
              class="meter"
              max={total ?? 1}
              value={checks.length}
              aria-label="Checks that have ended"
            />
          </div>
        )}
        {reason !== undefined && <p class="warn wrap-anywhere">{sentence(reason)}</p>}
        {is_away && (
          <p class="bad">The address does not respond, so the other checks were skipped.</p>
        )}
        <div class="tiles">
          <Tile name="Passed" value={summary.passed} />
          <Tile name="Failed" value={summary.failed} tone="bad" />
          <Tile name="Skipped" value={summary.skipped} />
        </div>
        <Facts
          of={[
            ['Address', <Id key="url" text={examined.url} what="address" wraps />],
            ['Begun', <Time key="at" at={examined.started_at} />],
            ['Ended', examined.ended_at !== undefined && <Time at={examined.ended_at} />],
            ['Checks that change something', may_write ? 'tried' : 'skipped'],
          ]}
        />
      </div>
    </Panel>
  )
}

function Tile({ name, value, tone = '' }: { name: string; value: number; tone?: string }) {
  return (
    <div class="tile">
      <span class="name">{name}</span>
      <span class={`value ${value > 0 ? tone : ''}`}>{value}</span>
    </div>
  )
}

function Report({ examined: { checks, state } }: { examined: ExaminationDetails }) {
  const of = (wanted: CheckResult['state']) => checks.filter((one) => one.state === wanted)
  const failed = of('failed')
  const skipped = of('skipped')
  const passed = of('passed')
  return (
    <>
      {failed.length === 0 && state === 'done' && (
        <Panel title="What is wrong">
          <Notice title="Nothing was found" compact>
            <p>{skipped.length > 0 ? 'Skipped checks were not run.' : 'Every check passed.'}</p>
          </Notice>
        </Panel>
      )}
      {failed.length > 0 && (
        <Panel title="What is wrong" aside={`${failed.length} failed`}>
          <ul class="steps">
            {failed.map((check) => (
              <Failed key={check.id} check={check} />
            ))}
          </ul>
        </Panel>
      )}
      {skipped.length > 0 && (
        <Panel title="Skipped" aside={`${skipped.length} skipped`}>
          <p class="small faint">
            Names such as --auth are flags of adwire doctor. Use the fields of the form instead.
          </p>
          <ul class="steps">
            {skipped.map(({ id, title, reason = '' }) => (
              <li key={id}>
                <span class="mark" aria-hidden="true">
                  ·
                </span>
                <div>
                  <CheckTitle id={id} title={title} />
                  <p class="small soft wrap-anywhere">{sentence(reason)}</p>
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {passed.length > 0 && (
        <Panel title="Passed" aside={`${passed.length} passed`}>
          <ul class="steps">
            {passed.map(({ id, title }) => (
              <li key={id} class="pass">
                <span class="mark" aria-hidden="true">
                  ✓
                </span>
                <CheckTitle id={id} title={title} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Failed({ check: { id, title, findings } }: { check: CheckResult }) {
  const [first] = findings
  return (
    <li class="fail">
      <span class="mark" aria-hidden="true">
        ✕
      </span>
      <div class="stack tight">
        <CheckTitle id={id} title={title} />
        {findings.map(({ what }) => (
          <p key={what} class="bad wrap-anywhere">
            {sentence(what)}
          </p>
        ))}
        {first && (
          <dl class="advice">
            <div>
              <dt>Why it matters</dt>
              <dd>{sentence(first.why)}</dd>
            </div>
            <div>
              <dt>What to do</dt>
              <dd>{sentence(first.fix)}</dd>
            </div>
          </dl>
        )}
      </div>
    </li>
  )
}

function CheckTitle({ id, title }: { id: string; title: string }) {
  return (
    <p class="wrap-anywhere">
      {sentence(title)} <code class="faint">{id}</code>
    </p>
  )
}
