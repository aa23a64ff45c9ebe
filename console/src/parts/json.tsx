// A JSON viewer: members can be folded, large ones are folded at first, and all content is rendered as plain text.

import { useSignal } from '@preact/signals'
import { CopyButton } from './copy.tsx'

const OPEN_TO_DEPTH = 3
const MOST_MEMBERS = 100

/** A text that may be JSON: as a tree if it is, otherwise unchanged. */
export function JsonText({ text, what }: { text: string; what: string }) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      <pre class="code" tabIndex={0}>
        {text === '' ? <span class="faint">empty</span> : text}
      </pre>
    )
  }
  return <Json value={value} what={what} text={text} />
}

interface JsonProps {
  value: unknown
  /** What is copied, for the button. */
  what: string
  /** As it was written, when it was. */
  text?: string
}

export function Json({ value, what, text }: JsonProps) {
  return (
    <div class="json-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="code json" tabIndex={0} aria-label={what}>
        <Node value={value} depth={0} />
      </section>
      <div class="json-copy">
        <CopyButton text={text ?? JSON.stringify(value, null, 2)} what={what} />
      </div>
    </div>
  )
}

interface NodeProps {
  name?: string | undefined
  value: unknown
  depth: number
}

function Node({ name, value, depth }: NodeProps) {
  const key = name !== undefined && (
    <>
      <span class="json-key">{JSON.stringify(name)}</span>:{' '}
    </>
  )
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {key}
        <Leaf value={value} />
      </div>
    )
  }
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const members = Object.entries(value)
  if (members.length === 0) {
    return (
      <div>
        {key}
        {open}
        {close}
      </div>
    )
  }
  return (
    <Branch
      label={key}
      brackets={[open ?? '', close ?? '']}
      members={members}
      isList={isList}
      depth={depth}
    />
  )
}

interface BranchProps {
  label: preact.ComponentChildren
  brackets: readonly [string, string]
  members: readonly [string, unknown][]
  isList: boolean
  depth: number
}

/** Folded content is not rendered, so that the cost of a large document depends on what is viewed. */
function Branch({ label, brackets: [open, close], members, isList, depth }: BranchProps) {
  const isOpen = useSignal(depth < OPEN_TO_DEPTH)
  const most = useSignal(MOST_MEMBERS)
  const count = `${members.length} ${isList ? 'elements' : 'members'}`
  return (
    <details
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        {label}
        {open}
        <span class="folded faint">
          {' '}
          {count} {close}
        </span>
      </summary>
      {isOpen.value && (
        <>
          <div class="inside">
            {members.slice(0, most.value).map(([name, value]) => (
              <Node key={name} name={isList ? undefined : name} value={value} depth={depth + 1} />
            ))}
            {members.length > most.value && (
              <button
                type="button"
                class="button quiet small"
                onClick={() => {
                  most.value += MOST_MEMBERS
                }}
              >
                {members.length - most.value} more
              </button>
            )}
          </div>
          <div>{close}</div>
        </>
      )}
    </details>
  )
}

function Leaf({ value }: { value: unknown }) {
  const kind = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'word'
  return <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
}
