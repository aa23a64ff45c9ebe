// A value as JSON text, with a readable message if it is not valid JSON.

import { useSignal } from '@preact/signals'
import type { Faults } from '../schema/faults-of.ts'
import { Unparsed } from '../schema/json-schema.ts'

/** A value of a form: its position, its errors, and how to change it. */
export interface At {
  value: unknown
  /** JSON pointer. */
  pointer: string
  faults: Faults
  change(value: unknown): void
}

interface Props {
  id: string
  label: string
  at: At
  hint?: string
  rows?: number
}

const MOST_CHARS = 200_000

export function JsonField({ id, label, at, hint = '', rows = 5 }: Props) {
  const { value, change } = at
  const typed = useSignal(textOf(value))
  // The typed text stays as it is, unless the value was changed in some other way.
  const isTyped = sameJson(typed.value, value)
  const text = isTyped ? typed.value : textOf(value)
  const faults = value instanceof Unparsed ? [value.fault] : faultsWithin(at)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input"
        rows={rows}
        spellcheck={false}
        maxLength={MOST_CHARS}
        value={text}
        aria-invalid={faults.length > 0}
        aria-describedby={`${id}-hint`}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          change(parsed(typed.value))
        }}
      />
      <div id={`${id}-hint`}>
        {hint !== '' && <p class="hint wrap-anywhere">{hint}</p>}
        {faults.map((fault) => (
          <p key={fault} class="fault wrap-anywhere">
            {fault}
          </p>
        ))}
      </div>
    </div>
  )
}

function textOf(value: unknown): string {
  if (value instanceof Unparsed) return value.text
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function sameJson(text: string, value: unknown): boolean {
  if (value instanceof Unparsed) return value.text === text
  const read = parsed(text)
  return !(read instanceof Unparsed) && JSON.stringify(read) === JSON.stringify(value)
}

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    return new Unparsed(text, `This is not JSON: ${why}`)
  }
}

const MOST_SHOWN = 8

/** All errors inside it, since its members have no fields. */
function faultsWithin({ pointer, faults }: At): string[] {
  const found: string[] = []
  for (const [place, message] of faults) {
    if (place === pointer) found.push(message)
    else if (place.startsWith(`${pointer}/`)) {
      found.push(`${place.slice(pointer.length)}: ${message}`)
    }
    if (found.length >= MOST_SHOWN) break
  }
  return found
}
