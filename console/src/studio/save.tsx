// Saving a creative to one's own library, under an id and a name.

import { useSignal } from '@preact/signals'
import type { SaveAnswer, SaveBody } from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { Field } from '../parts/field.tsx'
import { hrefOf } from '../router.ts'
import { mayAct } from '../session.ts'
import { fileName } from './download.ts'

interface Props {
  /** Default `Save to the library`. */
  label?: string
  /** The default name. */
  name: string
  creative(): SaveBody['creative']
  /** Why it cannot be saved now. */
  unless?: string | undefined
  small?: boolean
}

const SAID: Readonly<Record<SaveAnswer['action'], string>> = {
  created: 'The creative is in your library.',
  updated: 'The creative with this id was replaced.',
  unchanged: 'The library already has an identical creative.',
}

export function Save({
  label = 'Save to the library',
  name,
  creative,
  unless,
  small = false,
}: Props) {
  const id = useSignal(fileName(name).toLowerCase())
  const called = useSignal(name)
  const tags = useSignal('')
  const saved = useSignal<string | undefined>(undefined)
  if (!mayAct()) return null
  const bodyOf = (): SaveBody => {
    const all = tags.peek().split(',')
    const given = all.map((tag) => tag.trim()).filter((tag) => tag !== '')
    return {
      creative_id: id.peek().trim(),
      name: called.peek().trim(),
      creative: creative(),
      ...(given.length > 0 && { tags: given }),
    }
  }
  return (
    <>
      <Action
        label={label}
        small={small}
        unless={unless}
        run={() => api('POST /studio/library', { body: bodyOf() })}
        done={({ action, warnings }) => [SAID[action], ...warnings].join(' ')}
        onDone={({ library_id }) => {
          saved.value = library_id
        }}
        confirm={{
          title: 'Save to your library',
          yes: 'Save',
          body: (
            <>
              <Field label="Name" value={called} maxLength={255} required />
              <Field
                label="Id"
                value={id}
                maxLength={255}
                hint="Replaces your creative with the same id."
                required
              />
              <Field label="Tags (optional)" value={tags} placeholder="spring, sale" />
            </>
          ),
        }}
      />
      {saved.value !== undefined && (
        <a class="small saved" href={hrefOf(`/studio/library/${encodeURIComponent(saved.value)}`)}>
          Open it in the library
        </a>
      )}
    </>
  )
}
