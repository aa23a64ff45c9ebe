// The form of a creative: a field for each slot of its format, with the format's requirements and the errors.

import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { ManifestFault, Slot } from '../../../src/console/api/studio.ts'
import { Badge } from '../parts/badge.tsx'
import { spaced } from '../words.ts'
import {
  type Assets,
  assetOf,
  type Member,
  membersOf,
  requestOf,
  withJson,
  withMembers,
} from './slot-members.ts'
import { PictureUpload, serializeUpload } from './upload.tsx'

interface FormProps {
  slots: readonly Slot[]
  assets: Signal<Assets>
  faults: readonly ManifestFault[]
}

export function SlotForm({ slots, assets, faults }: FormProps) {
  const needed = slots.filter(({ required }) => required)
  const others = slots.filter(({ required }) => !required)
  const isOpen = others.some(
    ({ name }) => name in assets.value || faults.some(({ pointer }) => isWithin(pointer, name)),
  )
  return (
    <div class="stack">
      {needed.map((slot) => (
        <SlotFields key={slot.name} slot={slot} assets={assets} faults={faults} />
      ))}
      {others.length > 0 && (
        <details open={isOpen}>
          <summary>What may be added ({others.length})</summary>
          <div class="stack after-summary">
            {others.map((slot) => (
              <SlotFields key={slot.name} slot={slot} assets={assets} faults={faults} />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

/** The faults that no field of the form shows. */
export function otherFaults(
  slots: readonly Slot[],
  faults: readonly ManifestFault[],
): ManifestFault[] {
  return faults.filter(({ pointer }) => !slots.some(({ name }) => isWithin(pointer, name)))
}

function pointerOf(slot: string, member?: string): string {
  const place = `/assets/${slot.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return member === undefined ? place : `${place}/${member}`
}

function isWithin(pointer: string, slot: string): boolean {
  return pointer === pointerOf(slot) || pointer.startsWith(`${pointerOf(slot)}/`)
}

interface SlotProps {
  slot: Slot
  assets: Signal<Assets>
  faults: readonly ManifestFault[]
}

function SlotFields({ slot, assets, faults }: SlotProps) {
  const members = membersOf(slot)
  const requested = requestOf(slot)
  const asset = assetOf(assets.value, slot)
  const upload = serializeUpload(asset.url)
  const own = faults.filter(({ pointer }) => isWithin(pointer, slot.name))
  const main = members?.find(({ isMain }) => isMain)
  const returned = new Set(members?.map(({ name }) => pointerOf(slot.name, name)))
  // Errors of the whole asset, such as a missing one, are displayed at the member that creates it.
  if (main && upload === undefined) returned.add(pointerOf(slot.name))
  const faultAt = (member: Member) =>
    own.find(({ pointer }) => pointer === pointerOf(slot.name, member.name)) ??
    (member === main ? own.find(({ pointer }) => pointer === pointerOf(slot.name)) : undefined)
  const stray = own.filter(({ pointer }) => !returned.has(pointer))
  const set = (changes: Record<string, string | number | undefined>) => {
    assets.value = withMembers(assets.value, slot, changes)
  }
  return (
    <fieldset class="slot">
      <legend>
        {spaced(slot.name)} {slot.required && <span class="faint">(needed)</span>}
      </legend>
      <p class="small faint wrap-anywhere">
        {[spaced(slot.asset_type), requested].filter((text) => text !== '').join(' · ')}
      </p>
      {members ? (
        <div class="slot-members">
          {members.map((member) =>
            member.name === 'url' && upload !== undefined ? (
              <div key="url" class="row wrap wide">
                <Badge tone="info">{upload}</Badge>
                <button
                  type="button"
                  class="link-button"
                  onClick={() => set({ url: undefined, width: undefined, height: undefined })}
                >
                  Choose another image
                </button>
              </div>
            ) : (
              <MemberField
                key={member.name}
                slot={slot}
                member={member}
                value={asset[member.name]}
                fault={faultAt(member)}
                set={(value) => set({ [member.name]: value })}
              />
            ),
          )}
          {slot.asset_type === 'image' && upload === undefined && (
            <PictureUpload slot={slot.name} set={set} />
          )}
        </div>
      ) : (
        <JsonMember slot={slot} assets={assets} />
      )}
      {stray.map(({ pointer, message }) => (
        <p key={pointer + message} class="small bad wrap-anywhere">
          {message}
        </p>
      ))}
    </fieldset>
  )
}

interface MemberProps {
  slot: Slot
  member: Member
  value: unknown
  fault: ManifestFault | undefined
  set(value: string | number | undefined): void
}

function MemberField({ slot, member, value, fault, set }: MemberProps) {
  const id = useId()
  const { label, kind, isMain } = member
  const choices = kind === 'text' ? slot.requirements?.allowed_values : undefined
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const shared = {
    id,
    class: kind === 'lines' ? 'input words' : 'input',
    value: text,
    'aria-invalid': fault !== undefined,
    ...(fault && { 'aria-describedby': `${id}-hint` }),
  }
  const typed = (event: { currentTarget: { value: string } }) => {
    const given = event.currentTarget.value
    // Text that is not a number stays as it was typed, and an error is displayed.
    set(kind === 'number' && /^\d{1,9}$/.test(given) ? Number(given) : given)
  }
  return (
    <div class={isMain ? 'field wide' : 'field'}>
      <label for={id}>
        {label}
        <span class="sr-only"> of {spaced(slot.name)}</span>
      </label>
      {Array.isArray(choices) ? (
        <select {...shared} onChange={typed}>
          <option value="">Choose…</option>
          {choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'lines' || kind === 'code' ? (
        <textarea
          {...shared}
          rows={kind === 'code' ? 8 : 3}
          spellcheck={kind === 'lines'}
          onInput={typed}
        />
      ) : (
        <input
          {...shared}
          type="text"
          {...(kind === 'number' && { inputMode: 'numeric' as const })}
          {...(kind === 'url' && { inputMode: 'url' as const, placeholder: 'https://' })}
          autoComplete="off"
          onInput={typed}
        />
      )}
      {fault && (
        <p id={`${id}-hint`} class="fault wrap-anywhere">
          {fault.message}
        </p>
      )}
    </div>
  )
}

/** For types without fields: catalogues, briefs, groups. */
function JsonMember({ slot, assets }: Pick<SlotProps, 'slot' | 'assets'>) {
  const id = useId()
  const known = assets.value[slot.name]
  const typed = useSignal(known === undefined ? '' : JSON.stringify(known, null, 2))
  const isBroken = useSignal(false)
  return (
    <div class="field">
      <label for={id}>
        As JSON<span class="sr-only"> of {spaced(slot.name)}</span>
      </label>
      <textarea
        id={id}
        class="input"
        rows={6}
        spellcheck={false}
        aria-invalid={isBroken.value}
        aria-describedby={`${id}-hint`}
        placeholder={slot.group ? '[ { … } ]' : `{ "asset_type": "${slot.asset_type}" }`}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          const read = readJson(typed.value)
          isBroken.value = read === BROKEN
          if (read !== BROKEN) assets.value = withJson(assets.value, slot, read)
        }}
      />
      <p id={`${id}-hint`} class={isBroken.value ? 'fault' : 'hint'}>
        {isBroken.value ? 'This is not JSON yet.' : 'The fields of this asset, as in a manifest.'}
      </p>
    </div>
  )
}

export const BROKEN = Symbol('broken')

/** Undefined for nothing. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return BROKEN
  }
}
