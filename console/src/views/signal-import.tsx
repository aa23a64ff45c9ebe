// Importing a file of signals: dropped or chosen, checked first, then imported exactly as checked.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type {
  SignalImportQuery,
  SignalImportReport,
} from '../../../src/console/api/signal-imports.ts'
import { sendFile } from '../api/send-file.ts'
import { Panel } from '../parts/panel.tsx'
import { toast } from '../parts/toast.tsx'
import { ImportReport } from './signal-import-report.tsx'

type Mode = SignalImportQuery['mode']
type Format = SignalImportQuery['format']

/** The state of an import: nothing chosen, its kind requested, being read, read, or stopped by a fault. */
type Step =
  | { at: 'idle' }
  | { at: 'format'; file: File }
  | { at: 'reading'; file: File; mode: Mode; rows: number; bytes: number }
  | { at: 'read'; file: File; format: Format; replace: boolean; report: SignalImportReport }
  | { at: 'fault'; message: string }

const ENDINGS: Readonly<Record<string, Format>> = {
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  csv: 'csv',
}

export function ImportFile({ maxBytes }: { maxBytes: number | undefined }) {
  const { step, take, send, cancel, forget } = useImport(maxBytes)
  const { value } = step
  return (
    <div class="import">
      <Panel
        title="Import a file"
        aside={maxBytes && `JSON, JSON lines or CSV, up to ${mb(maxBytes)}`}
      >
        <div class="stack" aria-live="polite">
          {value.at === 'idle' && <DropZone take={take} />}
          {value.at === 'format' && (
            <FormatQuestion file={value.file} send={send} forget={forget} />
          )}
          {value.at === 'reading' && <Reading step={value} cancel={cancel} />}
          {value.at === 'fault' && (
            <>
              <p class="bad wrap-anywhere" role="alert">
                {value.message}
              </p>
              <DropZone take={take} />
            </>
          )}
          {value.at === 'read' && (
            <ImportReport
              {...value}
              onReplace={(replace) => send(value.file, { ...value, mode: 'check', replace })}
              onImport={() =>
                send(value.file, { ...value, mode: 'import', digest: value.report.digest })
              }
              onClose={forget}
            />
          )}
        </div>
      </Panel>
    </div>
  )
}

interface SendOptions {
  mode: Mode
  format: Format
  replace: boolean
  digest?: string
}

function useImport(maxBytes: number | undefined) {
  const step = useSignal<Step>({ at: 'idle' })
  const sending = useRef<AbortController>(undefined)
  const fail = (message: string) => {
    step.value = { at: 'fault', message }
  }
  const send = async (file: File, { mode, format, replace, digest }: SendOptions) => {
    const controller = new AbortController()
    sending.current = controller
    step.value = { at: 'reading', file, mode, rows: 0, bytes: 0 }
    const name = file.name.slice(0, 500) || 'a file'
    const query = { name, format, mode, replace, ...(digest !== undefined && { digest }) }
    try {
      const answer = await sendFile({
        file,
        query,
        signal: controller.signal,
        onProgress: (rows, bytes) => {
          step.value = { at: 'reading', file, mode, rows, bytes }
        },
      })
      if (controller.signal.aborted) return
      if (answer.ok) step.value = { at: 'read', file, format, replace, report: answer.value }
      else fail(answer.fault.message)
    } catch {
      // Canceled by the person, who already knows.
    }
  }
  const take = (files: ArrayLike<File> | null | undefined) => {
    const [file, ...others] = Array.from(files ?? [])
    if (!file) return
    if (others.length > 0) return fail('Choose one file.')
    if (file.size === 0) return fail('This file is empty, or it is a folder.')
    if (maxBytes !== undefined && file.size > maxBytes) {
      const how = 'Divide it, or use adwire signals import, which takes files of any size.'
      return fail(`${file.name} has ${mb(file.size)}, and a file may have ${mb(maxBytes)}. ${how}`)
    }
    const format = ENDINGS[file.name.split('.').pop()?.toLowerCase() ?? '']
    if (format) send(file, { mode: 'check', format, replace: false })
    else step.value = { at: 'format', file }
  }
  const forget = () => {
    step.value = { at: 'idle' }
  }
  const cancel = () => {
    const isImport =
      step.peek().at === 'reading' && (step.peek() as { mode: Mode }).mode === 'import'
    sending.current?.abort()
    toast(isImport ? 'Cancelled. Rows already imported stay.' : 'Cancelled.')
    forget()
  }
  useEffect(() => () => sending.current?.abort(), [])
  return { step, take, send, cancel, forget }
}

/** A file dropped outside the zone would be opened by the browser, which would close the console. */
function useNoStrayDrops() {
  useEffect(() => {
    const keep = (event: DragEvent) => event.preventDefault()
    addEventListener('dragover', keep)
    addEventListener('drop', keep)
    return () => {
      removeEventListener('dragover', keep)
      removeEventListener('drop', keep)
    }
  }, [])
}

function DropZone({ take }: { take(files: ArrayLike<File> | null | undefined): void }) {
  const isOver = useSignal(false)
  useNoStrayDrops()
  return (
    <label
      class={isOver.value ? 'drop-zone over' : 'drop-zone'}
      onDragEnter={() => {
        isOver.value = true
      }}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => {
        isOver.value = false
      }}
      onDrop={(event) => {
        event.preventDefault()
        isOver.value = false
        take(event.dataTransfer?.files)
      }}
    >
      <input
        type="file"
        class="sr-only"
        accept=".json,.jsonl,.ndjson,.csv"
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <span>
        <b>Drop a file of signals here</b>, or <span class="like-link">choose one</span>
      </span>
      <span class="faint small">It is checked first. Nothing changes until you confirm.</span>
    </label>
  )
}

interface FormatProps {
  file: File
  send(file: File, options: SendOptions): void
  forget(): void
}

function FormatQuestion({ file, send, forget }: FormatProps) {
  const as = (format: Format) => () => send(file, { mode: 'check', format, replace: false })
  return (
    <>
      <p class="wrap-anywhere">
        What <b>{file.name}</b> is cannot be detected from its name.
      </p>
      <div class="row wrap">
        <button type="button" class="button" onClick={as('json')}>
          It is JSON
        </button>
        <button type="button" class="button" onClick={as('jsonl')}>
          It is JSON lines
        </button>
        <button type="button" class="button" onClick={as('csv')}>
          It is CSV
        </button>
        <button type="button" class="button quiet" onClick={forget}>
          Another file
        </button>
      </div>
    </>
  )
}

interface ReadingProps {
  step: Extract<Step, { at: 'reading' }>
  cancel(): void
}

function Reading({ step: { file, mode, rows, bytes }, cancel }: ReadingProps) {
  return (
    <>
      <p class="wrap-anywhere">
        {mode === 'check' ? 'Checking' : 'Importing'} <b>{file.name}</b>
        {bytes === 0 ? ' …' : `: ${rows.toLocaleString()} rows so far`}
      </p>
      <div class="row">
        <progress
          class="meter"
          max={file.size}
          {...(bytes > 0 && { value: bytes })}
          aria-label="How much of the file has been read"
        />
        <button type="button" class="button small" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  )
}

function mb(bytes: number): string {
  return `${(bytes / 1_048_576).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`
}
