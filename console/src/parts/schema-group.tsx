// A container of other fields: a frame with its name, its description, and the errors of the whole.

import type { ComponentChildren } from 'preact'
import type { DrawnProps } from './schema-node.tsx'

interface Props extends DrawnProps {
  /** Errors inside it that no field displays. */
  strays?: readonly string[]
  children: ComponentChildren
}

export function GroupHead({
  id,
  label,
  shape,
  at,
  name,
  isRequired,
  strays = [],
  children,
}: Props) {
  const fault = at.faults.get(at.pointer)
  const isReported = shape.hint !== '' || fault !== undefined || strays.length > 0
  const reported = isReported && (
    <div id={`${id}-hint`} class="field">
      {shape.hint !== '' && <p class="hint wrap-anywhere">{shape.hint}</p>}
      {fault !== undefined && <p class="fault wrap-anywhere">{fault}</p>}
      {strays.map((stray) => (
        <p key={stray} class="fault wrap-anywhere">
          {stray}
        </p>
      ))}
    </div>
  )
  // The root has no frame: it is the form.
  if (name === undefined) {
    return (
      <div class="stack">
        {reported}
        {children}
      </div>
    )
  }
  return (
    <fieldset class="schema-group stack" {...(isReported && { 'aria-describedby': `${id}-hint` })}>
      <legend>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      {reported}
      {children}
      {shape.isNullable && (
        <div>
          <button type="button" class="link-button" onClick={() => at.change(null)}>
            Set {label} to null
          </button>
        </div>
      )}
    </fieldset>
  )
}
