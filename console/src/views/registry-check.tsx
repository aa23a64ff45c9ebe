// Check a file: paste a brand.json, adagents.json or ads.txt, and see its errors, where they are, how to fix them,
// and what it would authorize.

import { useSignal } from '@preact/signals'
import type { CheckAnswer, CheckBody } from '../../../src/console/api/registry.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { Badge } from '../parts/badge.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { foundAt, syntaxFault } from '../pasted-json.ts'
import { sentence, spaced, withoutScheme } from '../words.ts'
import { RegistryPlaces } from './registry-places.tsx'

interface Checked {
  answer: CheckAnswer
  type: CheckBody['type']
  text: string
}

export function View() {
  const checked = useSignal<Checked | undefined>(undefined)
  return (
    <>
      <ViewHead
        title="Check a file"
        within={{ title: 'Registry', path: '/registry' }}
        about="Paste a file as it is published. It is checked like in a verification; nothing is stored or fetched."
        actions={<RegistryPlaces />}
      />
      <div class="columns">
        <div class="half stack">
          <CheckForm
            show={(value) => {
              checked.value = value
            }}
          />
        </div>
        <div class="half stack" aria-live="polite">
          {checked.value ? (
            <>
              <Verdict checked={checked.value} />
              {checked.value.answer.authorizes && (
                <WouldAuthorize of={checked.value.answer.authorizes} />
              )}
            </>
          ) : (
            <Panel title="What is wrong">
              <Notice title="No results yet">
                <p>Each error appears here with its location and the accepted values.</p>
              </Notice>
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}

const TYPES = [
  ['brand.json', 'brand.json'],
  ['adagents.json', 'adagents.json'],
  ['ads.txt', 'ads.txt'],
] as const

const MAX_CHARS = 400_000

function CheckForm({ show }: { show(value: Checked | undefined): void }) {
  const type = useSignal<string>('brand.json')
  const text = useSignal('')
  const domain = useSignal('')
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    isBusy.value = true
    fault.value = undefined
    const body: CheckBody = { type: type.value as CheckBody['type'], text: text.value }
    if (domain.value.trim() !== '') body.domain = domain.value.trim()
    const answered = await api('POST /registry/check', { body })
    isBusy.value = false
    if (!answered.ok) fault.value = answered.fault
    show(answered.ok ? { answer: answered.value, type: body.type, text: body.text } : undefined)
  }
  return (
    <Panel title="File">
      <form class="stack" onSubmit={submit}>
        <SelectField label="What it is" value={type} options={TYPES} />
        <Field
          label="The file"
          value={text}
          type="lines"
          rows={18}
          maxLength={MAX_CHARS}
          placeholder={'{\n  "id": "acme",\n  "names": [{"en": "Acme"}]\n}'}
          required
        />
        <Field
          label="Domain (optional)"
          value={domain}
          placeholder="acme.example"
          hint="Where it is published: then the check also reports what the file may say for it."
          maxLength={253}
        />
        {fault.value && (
          <p class="bad wrap-anywhere" role="alert">
            {fault.value.message}
          </p>
        )}
        <div>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            Check
          </button>
        </div>
      </form>
    </Panel>
  )
}

function Verdict({ checked: { answer, text, type } }: { checked: Checked }) {
  const { ok, reason, issues, variant, completeness, name, points_to, names_domain } = answer
  const more = answer.total_issues - issues.length
  const broken = ok || issues.length > 0 || type === 'ads.txt' ? undefined : syntaxFault(text)
  return (
    <Panel
      title="What is wrong"
      aside={<Badge tone={ok ? 'good' : 'bad'}>{ok ? 'valid' : 'not valid'}</Badge>}
    >
      <div class="stack">
        <p class="wrap-anywhere">{sentence(reason)}</p>
        {broken !== undefined && <p class="soft small wrap-anywhere">{sentence(broken)}</p>}
        {ok && (
          <Facts
            of={[
              ['Name', name],
              ['Kind', variant !== undefined && spaced(variant)],
              ['Filled in', completeness !== undefined && `${completeness} %`],
              ['Points to', points_to],
              [
                'Mentions the domain',
                names_domain !== undefined && (names_domain ? 'yes' : 'no: list it in the file'),
              ],
            ]}
          />
        )}
        {issues.length > 0 && (
          <ul class="issues" aria-label="Faults">
            {issues.map(({ pointer, message, line, severity }) => (
              <li key={pointer + message}>
                <span class="row">
                  {line !== undefined && <span class="faint small">line {line}</span>}
                  <code class={`wrap-anywhere ${severity === 'warning' ? 'warn' : 'bad'}`}>
                    {pointer === '' ? 'the whole file' : pointer}
                  </code>
                  {pointer !== '' && <CopyButton text={pointer} what="pointer" />}
                </span>
                <span class="wrap-anywhere">{message}</span>
                <Found text={text} pointer={pointer} />
              </li>
            ))}
          </ul>
        )}
        {more > 0 && <p class="faint small">and {more.toLocaleString()} more faults</p>}
      </div>
    </Panel>
  )
}

type Authorizes = NonNullable<CheckAnswer['authorizes']>

const COLUMNS: readonly Column<Authorizes['rows'][number]>[] = [
  {
    name: 'Agent',
    cell: ({ agent_url, authorized_for }) => (
      <>
        <span class="line" title={agent_url}>
          {withoutScheme(agent_url)}
        </span>
        <span class="sub">{authorized_for}</span>
      </>
    ),
  },
  {
    name: 'For',
    cell: ({ publisher_domain, is_own, property_ids }) => (
      <>
        <span class="line" title={property_ids.join(', ')}>
          {publisher_domain}
        </span>
        <span class={is_own ? 'sub' : 'sub warn'}>
          {is_own ? 'its own properties' : 'once it points to this file'}
        </span>
      </>
    ),
  },
  {
    name: 'Properties',
    width: 5,
    right: true,
    cell: ({ properties_authorized: some, properties_total: all }) => `${some} of ${all}`,
  },
  {
    name: 'Terms',
    width: 7,
    from: 'medium',
    cell: (row) => <span class="wrap-anywhere">{termsText(row)}</span>,
  },
]

function termsText(row: Authorizes['rows'][number]): string {
  const { countries, effective_from, effective_until, is_exclusive, is_pinned } = row
  const terms = [
    countries === undefined ? 'all countries' : countries.join(', '),
    effective_from !== undefined && `from ${effective_from.slice(0, 10)}`,
    effective_until !== undefined && `until ${effective_until.slice(0, 10)}`,
    is_exclusive && 'exclusive',
    is_pinned && 'keys pinned',
  ]
  return terms.filter((term) => term !== false).join(' · ')
}

/** What the registry would store if each publisher pointed to this file. */
function WouldAuthorize({ of: { rows, total, idle } }: { of: Authorizes }) {
  return (
    <Panel title="What it would authorize" aside={`${total.toLocaleString()} in all`} flush>
      <Table
        caption="Agents that the file would authorize, with the publishers"
        columns={COLUMNS}
        rows={rows}
        keyOf={(row) => `${row.agent_url} ${row.publisher_domain} ${rows.indexOf(row)}`}
        empty={
          <Notice title="It would authorize no agent">
            <p>No entry without a fault chooses a property of the file.</p>
          </Notice>
        }
        dense
      />
      {rows.length < total && (
        <p class="panel-body faint small">The first {rows.length} are displayed.</p>
      )}
      {idle.length > 0 && (
        <ul class="issues panel-body" aria-label="Agents listed in vain">
          {idle.map(({ agent_url, reason }) => (
            <li key={agent_url + reason}>
              <code class="wrap-anywhere">{agent_url}</code>
              <span class="wrap-anywhere">{sentence(reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Found({ text, pointer }: { text: string; pointer: string }) {
  const found = pointer === '' ? undefined : foundAt(text, pointer)
  if (found === undefined) return null
  return (
    <span class="faint small wrap-anywhere">
      There is <code>{found}</code> now.
    </span>
  )
}
