// Search and filters above a list. They are stored in the address, so that it can be saved and shared.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { changeQuery, query } from '../router.ts'

const PAUSE_MS = 250

export function Filters({ children }: { children: ComponentChildren }) {
  return <search class="filters">{children}</search>
}

interface SearchProps {
  label: string
  name?: string
  /** The part of the text that may be in the address. Default: all of it. */
  kept?(text: string): string
}

/** A search field: queries the server when the person pauses. `/` focuses it. */
export function Search({ label, name = 'q', kept = (text) => text }: SearchProps) {
  const id = useId()
  const inAddress = query.value.get(name) ?? ''
  const typed = useSignal(inAddress)
  const sent = useRef(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The address may change in other ways: back, a link, a removed filter.
  if (inAddress !== sent.current) {
    sent.current = inAddress
    typed.value = inAddress
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = () => {
    clearTimeout(timer.current)
    const whole = typed.peek().trim()
    const text = kept(whole)
    if (text !== whole) typed.value = text
    if (text === sent.current) return
    sent.current = text
    changeQuery({ [name]: text }, { replace: true })
  }
  return (
    <div class="search">
      <label class="sr-only" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type="search"
        data-search
        placeholder={label}
        autoComplete="off"
        spellcheck={false}
        maxLength={500}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          clearTimeout(timer.current)
          timer.current = setTimeout(send, PAUSE_MS)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send()
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <span class="kbd" aria-hidden="true">
        /
      </span>
    </div>
  )
}

interface ChoiceProps {
  label: string
  name: string
  options: readonly (readonly [value: string, text: string])[]
  /** More options are being loaded. */
  isLoading?: boolean
}

export function Choice({ label, name, options, isLoading = false }: ChoiceProps) {
  return (
    <select
      class="input"
      aria-label={label}
      aria-busy={isLoading}
      value={query.value.get(name) ?? ''}
      onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** A filter that came with a link, displayed as text that can be removed. */
export function Chips({ names }: { names: Readonly<Record<string, string>> }) {
  const set = Object.entries(names).filter(([name]) => query.value.has(name))
  return (
    <>
      {set.map(([name, label]) => (
        <span key={name} class="chip">
          <span class="clip">
            {label}: {query.value.get(name)}
          </span>
          <button
            type="button"
            aria-label={`Without the filter ${label}`}
            onClick={() => changeQuery({ [name]: undefined })}
          >
            ×
          </button>
        </span>
      ))}
    </>
  )
}
