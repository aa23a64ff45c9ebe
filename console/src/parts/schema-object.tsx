// Members of an object: required and existing ones, a way to add others, and one to remove them.

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { addedOf } from '../schema/blank-of.ts'
import { isMembers, type JsonSchema, step } from '../schema/json-schema.ts'
import { Icon } from './icon.tsx'
import { GroupHead } from './schema-group.tsx'
import { type DrawnProps, SchemaNode } from './schema-node.tsx'

export function SchemaObject(props: DrawnProps) {
  const { at, shape, context } = props
  if (shape.kind !== 'object') return null
  const { members, required, others } = shape
  const value = isMembers(at.value) ? at.value : {}
  const set = (name: string, member: unknown) => {
    const rest = Object.entries(value).filter(([one]) => one !== name)
    const isThere = Object.hasOwn(value, name)
    if (member === undefined) at.change(Object.fromEntries(rest))
    else if (!isThere) at.change(Object.fromEntries([...rest, [name, member]]))
    else {
      const all = Object.entries(value).map(([one, old]) => [one, one === name ? member : old])
      at.change(Object.fromEntries(all))
    }
  }
  const known = [...members.keys()]
  const displayedNames = [
    ...known.filter((name) => required.has(name)),
    ...known.filter((name) => !required.has(name) && Object.hasOwn(value, name)),
    ...Object.keys(value).filter((name) => !members.has(name)),
  ]
  const addable = known.filter((name) => !required.has(name) && !Object.hasOwn(value, name))
  const schemaOf = (name: string): JsonSchema => members.get(name) ?? others ?? true
  const body = (
    <>
      {displayedNames.map((name) => (
        <div key={name} class="schema-member">
          <SchemaNode
            schema={schemaOf(name)}
            name={name}
            isRequired={required.has(name)}
            context={{ ...context, depth: context.depth + 1 }}
            at={{
              value: Object.hasOwn(value, name) ? value[name] : undefined,
              pointer: step(at.pointer, name),
              faults: at.faults,
              change: (member) => set(name, member),
            }}
          />
          {!required.has(name) && <RemoveButton what={name} remove={() => set(name, undefined)} />}
        </div>
      ))}
      <AddMember
        names={addable}
        others={others !== undefined}
        taken={(name) => Object.hasOwn(value, name)}
        add={(name) => set(name, addedOf(schemaOf(name), context.read))}
      />
    </>
  )
  const strays = strayFaults(props, new Set(displayedNames))
  return (
    <GroupHead {...props} strays={strays}>
      {body}
    </GroupHead>
  )
}

const MOST_STRAYS = 8

/** Faults of members that are not displayed. */
function strayFaults(
  { at: { pointer, faults } }: DrawnProps,
  returned: ReadonlySet<string>,
): string[] {
  const places = new Set([...returned].map((name) => step(pointer, name)))
  const found: string[] = []
  for (const [place, message] of faults) {
    if (found.length >= MOST_STRAYS) break
    if (!place.startsWith(`${pointer}/`)) continue
    const rest = place.slice(pointer.length + 1)
    const [first = ''] = rest.split('/')
    if (!places.has(`${pointer}/${first}`)) found.push(`${rest}: ${message}`)
  }
  return found
}

export function RemoveButton({ what, remove }: { what: string; remove(): void }) {
  return (
    <button
      type="button"
      class="copy"
      aria-label={`Remove ${what}`}
      title={`Remove ${what}`}
      onClick={remove}
    >
      <Icon name="close" />
    </button>
  )
}

interface AddProps {
  names: readonly string[]
  /** Whether members with other names may be added. */
  others: boolean
  taken(name: string): boolean
  add(name: string): void
}

/** A name from the list, or a custom one. */
const OTHER = ' '

function AddMember({ names, others, taken, add }: AddProps) {
  const id = useId()
  const chosen = useSignal('')
  const own = useSignal('')
  if (names.length === 0 && !others) return null
  const isOther = names.length === 0 || chosen.value === OTHER
  const name = isOther ? own.value.trim() : names.includes(chosen.value) ? chosen.value : ''
  const mayAdd = name !== '' && !taken(name)
  const submit = () => {
    if (!mayAdd) return
    add(name)
    chosen.value = ''
    own.value = ''
  }
  return (
    <div class="schema-add">
      {names.length > 0 && (
        <>
          <label class="sr-only" for={id}>
            Field to add
          </label>
          <select
            id={id}
            class="input"
            value={isOther ? OTHER : name}
            onChange={(event) => {
              chosen.value = event.currentTarget.value
            }}
          >
            <option value="">Optional fields ({names.length})</option>
            {names.map((one) => (
              <option key={one} value={one}>
                {one.slice(0, 80)}
              </option>
            ))}
            {others && <option value={OTHER}>another name…</option>}
          </select>
        </>
      )}
      {isOther && (
        <input
          class="input"
          type="text"
          aria-label="Field name"
          placeholder="name"
          maxLength={200}
          value={own.value}
          onInput={(event) => {
            own.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            submit()
          }}
        />
      )}
      <button type="button" class="button small" disabled={!mayAdd} onClick={submit}>
        Add a field
      </button>
    </div>
  )
}
