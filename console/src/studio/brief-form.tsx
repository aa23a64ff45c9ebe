// What to create, in plain words, and for which brand.

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { BuildBody } from '../../../src/console/api/studio.ts'
import type { Fault } from '../api/request.ts'
import { Field } from '../parts/field.tsx'
import { BROKEN, readJson } from './slot-form.tsx'

export interface Brief {
  message: Signal<string>
  domain: Signal<string>
  manifest: Signal<string>
}

export function useBrief(): Brief {
  return { message: useSignal(''), domain: useSignal(''), manifest: useSignal('') }
}

export type Requested = Pick<BuildBody, 'message' | 'brand_domain' | 'brand_manifest'>

/** The parameters of a build, or an error about what is missing. */
export function requestedBy({ message, domain, manifest }: Brief): Requested | { missing: string } {
  const brand = readJson(manifest.value)
  if (message.value.trim() === '') return { missing: 'Describe in one sentence what to make.' }
  if (brand === BROKEN || (brand !== undefined && (typeof brand !== 'object' || !brand))) {
    return { missing: 'The brand must be a JSON object, such as {"name": "Acme"}.' }
  }
  return {
    message: message.value,
    ...(domain.value.trim() !== '' && { brand_domain: domain.value.trim() }),
    ...(brand !== undefined && { brand_manifest: brand as Record<string, unknown> }),
  }
}

interface Props {
  brief: Brief
  fault: Fault | undefined
  isBusy: boolean
  submit(): void
  label: string
  children?: ComponentChildren
}

export function BriefForm({ brief, fault, isBusy, submit, label, children }: Props) {
  return (
    <form
      class="stack brief"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submit()
      }}
    >
      <Field
        label="Message"
        value={brief.message}
        type="lines"
        rows={5}
        maxLength={10_000}
        placeholder="Summer sale: 20 % off all tents until Sunday. Button: Shop now."
        hint="Include the click URL, unless the brand has one."
      />
      <Field
        label="Brand, by its domain"
        value={brief.domain}
        maxLength={253}
        placeholder="solara-coffee.example"
        hint="Logo, colours and fonts come from its brand.json."
      />
      <details class="stack tight">
        <summary>Or describe the brand</summary>
        <Field
          label="Brand manifest (JSON)"
          value={brief.manifest}
          type="lines"
          rows={6}
          placeholder='{"name": "Acme", "url": "https://acme.example", "colors": {"primary": "#22543D"}}'
        />
      </details>
      {children}
      {fault && (
        <p class="bad wrap-anywhere" role="alert">
          {fault.message}
        </p>
      )}
      <div>
        <button type="submit" class="button primary" disabled={isBusy}>
          {label}
        </button>
      </div>
    </form>
  )
}
