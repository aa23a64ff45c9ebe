// The outcome of a build: its progress while it runs, then its creatives side by side, with the deviations from the
// request.

import type { Build, BuildState } from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { sentence, TASK_WORDS } from '../words.ts'
import { Downloads, FileLinks } from './downloads.tsx'
import { PreviewFrames } from './preview-frames.tsx'
import { Save } from './save.tsx'

export function isOver({ status }: Pick<BuildState, 'status'>): boolean {
  return ['completed', 'failed', 'canceled', 'rejected'].includes(status)
}

/** The status of a build; nothing for a completed one. */
export function BuildStatus({ build, refresh }: { build: BuildState; refresh(): void }) {
  const { status, progress_percent, message, errors, task_id } = build
  if (status === 'completed') return null
  return (
    <div class="stack tight">
      <div class="row wrap">
        <WordBadge word={TASK_WORDS[status]} />
        {!isOver(build) && (
          <>
            <progress
              class="meter"
              max={100}
              value={progress_percent ?? 0}
              aria-label="Progress of the build"
            />
            <Action
              label="Cancel"
              small
              run={() => api('POST /tasks/:task_id/cancel', { params: { task_id }, body: {} })}
              done="The build is canceled."
              onDone={refresh}
            />
          </>
        )}
      </div>
      {message !== undefined && errors.length === 0 && (
        <p class="small soft wrap-anywhere">{sentence(message)}</p>
      )}
      {errors.map(({ code, message: said }) => (
        <p key={code + said} class="small bad wrap-anywhere">
          {sentence(said)}
        </p>
      ))}
    </div>
  )
}

/** Side by side, a tall creative must not affect the others. */
const TALLEST_PX = 360

interface ResultProps {
  build: Build
  /** What its creatives are called. */
  name: string
  /** Puts a creative into the form, if there is one. */
  edit?(creative: Build['creatives'][number]): void
}

export function BuildResult({ build, name, edit }: ResultProps) {
  const { creatives, notes, preview_fault, task_id } = build
  return (
    <div class="stack">
      <div class="creatives">
        {creatives.map((creative, index) => {
          const called = creatives.length > 1 ? `${name}, variant ${index + 1}` : name
          const { manifest, files, preview } = creative
          return (
            <article key={called} class="creative" aria-label={called}>
              {creatives.length > 1 && <h3>Variant {index + 1}</h3>}
              {preview ? (
                <PreviewFrames preview={preview} title={called} maxHeight={TALLEST_PX} />
              ) : (
                <p class="small faint wrap-anywhere">
                  {preview_fault === undefined ? 'There is no preview.' : sentence(preview_fault)}
                </p>
              )}
              <div class="row wrap">
                {edit && (
                  <button type="button" class="button small" onClick={() => edit(creative)}>
                    Edit
                  </button>
                )}
                <Save
                  label="Save"
                  name={titleOf(build, called)}
                  small
                  creative={() => ({ task_id, index })}
                />
                <Downloads creative={{ name: called, manifest, files }} small />
              </div>
              <FileLinks files={files} />
            </article>
          )
        })}
      </div>
      <Notes notes={notes} />
    </div>
  )
}

/** A library has many creatives of one format: the opening text of this one distinguishes it from others. */
function titleOf({ requested: { message } }: Build, called: string): string {
  const said = message?.split(/[.!?\n]/, 1)[0]?.trim() ?? ''
  if (said === '') return called
  const words = said.length > MOST_TITLE ? `${said.slice(0, MOST_TITLE).trim()}…` : said
  return `${words} (${called})`
}

const MOST_TITLE = 60

/** Deviations from the request, and other useful notes. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <div class="stack tight">
      <h3>Notes</h3>
      <ul class="plain-list small soft">
        {notes.map((note) => (
          <li key={note} class="wrap-anywhere">
            {sentence(note)}
          </li>
        ))}
      </ul>
    </div>
  )
}
