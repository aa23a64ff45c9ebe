// A text, a number, a choice of values: one field with its label, a hint, and its errors.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Primitive, Shape } from '../schema/shape-of.ts'
import type { At } from './schema-json.tsx'
import type { DrawnProps } from './schema-node.tsx'

export function SchemaField(props: DrawnProps) {
  const { id, label, shape, at, isRequired } = props
  const fault = at.faults.get(at.pointer)
  const shared = {
    id,
    class: 'input',
    'aria-invalid': fault !== undefined,
    'aria-describedby': `${id}-hint`,
    ...(isRequired && { 'aria-required': true }),
  }
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {inputOf(shape, at, shared)}
      <div id={`${id}-hint`}>
        {shape.hint !== '' && <p class="hint wrap-anywhere">{shape.hint}</p>}
        {fault !== undefined && <p class="fault wrap-anywhere">{fault}</p>}
      </div>
      {shape.isNullable && (
        <div>
          <button type="button" class="link-button" onClick={() => at.change(null)}>
            Set {label} to null
          </button>
        </div>
      )}
    </div>
  )
}

type Shared = Readonly<Record<string, unknown>> & { id: string; class: string }

function inputOf(shape: Shape, at: At, shared: Shared): ComponentChildren {
  switch (shape.kind) {
    case 'const':
      return <Fixed value={shape.value} at={at} shared={shared} />
    case 'null':
      return <Fixed value={null} at={at} shared={shared} />
    case 'boolean':
      return <Select values={[true, false]} titles={[]} at={at} shared={shared} />
    case 'enum':
      return <Select values={shape.values} titles={shape.titles} at={at} shared={shared} />
    case 'number':
      return <NumberInput at={at} shared={shared} isWhole={shape.isWhole} />
    default:
      return <TextInput shape={shape} at={at} shared={shared} />
  }
}

interface InputProps {
  at: At
  shared: Shared
}

/** There is only one possible value: it is selected or not. */
function Fixed({ value, at, shared }: InputProps & { value: unknown }) {
  return <Select values={[value as Primitive]} titles={[]} at={at} shared={shared} />
}

interface SelectProps extends InputProps {
  values: readonly Primitive[]
  titles: readonly (string | undefined)[]
}

function Select({ values, titles, at, shared }: SelectProps) {
  const texts = values.map((value) => JSON.stringify(value))
  const current = texts.indexOf(JSON.stringify(at.value))
  return (
    <select
      {...shared}
      value={String(current)}
      onChange={(event) => {
        const index = Number(event.currentTarget.value)
        at.change(index < 0 ? '' : values[index])
      }}
    >
      {current < 0 && <option value="-1">Choose…</option>}
      {values.map((value, index) => (
        <option key={texts[index]} value={String(index)}>
          {titles[index] ?? (typeof value === 'string' ? value : texts[index]?.slice(0, 80))}
        </option>
      ))}
    </select>
  )
}

function NumberInput({ at, shared, isWhole }: InputProps & { isWhole: boolean }) {
  const typed = useSignal('')
  const isTyped = typed.value.trim() !== '' && Number(typed.value) === at.value
  return (
    <input
      {...shared}
      type="text"
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={40}
      value={isTyped ? typed.value : textOf(at.value)}
      onInput={(event) => {
        const text = event.currentTarget.value
        typed.value = text
        const number = Number(text)
        // Text that is not a number stays as it was typed, and an error is displayed.
        at.change(text.trim() === '' || !Number.isFinite(number) ? text : number)
      }}
    />
  )
}

const LONG_NAMES = /(?:message|brief|description|text|prompt|html|content|note|spec)$/
const MODES = new Map<string | undefined, 'url' | 'email'>([
  ['uri', 'url'],
  ['url', 'url'],
  ['email', 'email'],
])
const PLACEHOLDERS = new Map<string | undefined, string>([
  ['uri', 'https://'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['date', '2026-01-31'],
  ['email', 'name@example.com'],
])

function TextInput({ shape, at, shared }: InputProps & { shape: Shape }) {
  const { format, maxLength } =
    shape.kind === 'string' ? shape : { format: undefined, maxLength: undefined }
  const text = textOf(at.value)
  const isLong =
    format === undefined &&
    ((maxLength ?? 0) > 200 || LONG_NAMES.test(at.pointer) || text.includes('\n'))
  const given = {
    ...shared,
    value: text,
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => at.change(event.currentTarget.value),
  }
  if (isLong) return <textarea {...given} class="input words" rows={3} />
  const inputMode = MODES.get(format)
  return (
    <input
      {...given}
      type="text"
      autoComplete="off"
      placeholder={PLACEHOLDERS.get(format) ?? ''}
      {...(inputMode && { inputMode })}
    />
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
