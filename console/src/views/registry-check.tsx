// Check a file: paste a brand.json or adagents.json, and see what is wrong with it, where, and what would be right.

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
import { foundAt, syntaxFault } from '../pasted-json.ts'
import { sentence, spaced } from '../words.ts'
import { RegistryPlaces } from './registry-places.tsx'

interface Judged {
  answer: CheckAnswer
  text: string
}

export function View() {
  const judged = useSignal<Judged | undefined>(undefined)
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
              judged.value = value
            }}
          />
        </div>
        <div class="half stack" aria-live="polite">
          {judged.value ? (
            <Verdict judged={judged.value} />
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
] as const

const MAX_CHARS = 400_000

function CheckForm({ show }: { show(value: Judged | undefined): void }) {
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
    show(answered.ok ? { answer: answered.value, text: body.text } : undefined)
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
          hint="Then the check also reports whether the file mentions it."
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

function Verdict({ judged: { answer, text } }: { judged: Judged }) {
  const { ok, reason, issues, variant, completeness, name, points_to, names_domain } = answer
  const broken = ok || issues.length > 0 ? undefined : syntaxFault(text)
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
            {issues.map(({ pointer, message }) => (
              <li key={pointer + message}>
                <span class="row">
                  <code class="wrap-anywhere bad">
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
      </div>
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
