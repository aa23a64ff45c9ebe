// What importing a file of signals would do, or did: counts, the errors row by row, and the button that imports it.

import { useSignal } from '@preact/signals'
import type { SignalImportReport } from '../../../src/console/api/signal-imports.ts'
import { Table } from '../parts/table.tsx'
import { saveFaults } from '../save-faults.ts'
import { sentence } from '../words.ts'

interface Props {
  file: File
  replace: boolean
  report: SignalImportReport
  onReplace(replace: boolean): void
  onImport(): void
  onClose(): void
}

export function ImportReport(props: Props) {
  const { file, report } = props
  const { totals, mode } = report
  const isImported = mode === 'import'
  return (
    <>
      <p class="wrap-anywhere" role="status">
        <b>{file.name}</b> {summaryOf(report)}
      </p>
      {totals.stopped !== undefined && (
        <p class="bad wrap-anywhere" role="alert">
          {sentence(totals.stopped)}
        </p>
      )}
      <Tiles report={report} />
      <Faults report={report} fileName={file.name} />
      <Changes report={report} />
      <Warnings report={report} />
      {isImported ? (
        <div>
          <button type="button" class="button" onClick={props.onClose}>
            Import another file
          </button>
        </div>
      ) : (
        <Confirm {...props} />
      )}
    </>
  )
}

function summaryOf({ mode, totals }: SignalImportReport): string {
  const { rows, bad } = totals
  const all = `${rows.toLocaleString()} ${rows === 1 ? 'row' : 'rows'}`
  if (mode === 'import')
    return `was imported: ${all}, of which ${bad.toLocaleString()} were omitted.`
  if (bad === 0) return `was checked: ${all}, and nothing is wrong with them.`
  return `was checked: ${all}, of which ${bad.toLocaleString()} would be omitted.`
}

function Tiles({ report: { totals, mode } }: { report: SignalImportReport }) {
  const tiles = [
    ['New', totals.added, ''],
    ['Changed', totals.changed, ''],
    ['Unchanged', totals.unchanged, ''],
    ['Removed', totals.removed, totals.removed > 0 && mode === 'check' ? 'warn' : ''],
    ['Bad rows', totals.bad, totals.bad > 0 ? 'bad' : ''],
  ] as const
  return (
    <div class="tiles">
      {tiles.map(([name, count, tone]) => (
        <div key={name} class="tile small-tile">
          <span class="name">{name}</span>
          <span class={`value ${tone}`}>{count.toLocaleString()}</span>
        </div>
      ))}
    </div>
  )
}

/** A file without changes is not imported. */
function Confirm({ report: { totals }, replace, onReplace, onImport, onClose }: Props) {
  const { added, changed, removed, stopped } = totals
  const isNothing = added + changed + removed === 0
  const isBroken = stopped !== undefined
  return (
    <div class="stack tight">
      <label class="row">
        <input
          type="checkbox"
          checked={replace}
          onChange={(event) => onReplace(event.currentTarget.checked)}
        />
        The file is the whole catalogue: remove what it does not have
      </label>
      {isNothing && !isBroken && (
        <p class="soft">Nothing to import: everything is already in the catalogue.</p>
      )}
      <div class="row wrap">
        <button
          type="button"
          class={removed > 0 ? 'button danger' : 'button primary'}
          disabled={isNothing}
          onClick={onImport}
        >
          {labelOf(totals)}
        </button>
        <button type="button" class="button" onClick={onClose}>
          Do not import
        </button>
      </div>
    </div>
  )
}

function labelOf({ added, changed, removed }: SignalImportReport['totals']): string {
  const put = added + changed
  const parts = [
    ...(put > 0 || removed === 0 ? [`Import ${put.toLocaleString()}`] : []),
    ...(removed > 0 ? [`${put > 0 ? 'remove' : 'Remove'} ${removed.toLocaleString()}`] : []),
  ]
  return `${parts.join(' and ')} ${put + removed === 1 ? 'signal' : 'signals'}`
}

const SHOWN_AT_ONCE = 50

interface FaultLine {
  key: string
  row: string
  field: string
  message: string
}

function Faults({ report, fileName }: { report: SignalImportReport; fileName: string }) {
  const most = useSignal(SHOWN_AT_ONCE)
  const { faults, totals } = report
  if (faults.length === 0) return null
  const lines: FaultLine[] = faults.slice(0, most.value).flatMap(({ row, faults: found }) =>
    found.map(({ pointer, message }, index) => ({
      key: `${row} ${index}`,
      row,
      field: fieldOf(pointer),
      message,
    })),
  )
  const more = faults.length - most.value
  return (
    <section class="stack tight" aria-label="Bad rows">
      <div class="row between wrap">
        <h3>What is wrong, row by row</h3>
        <button
          type="button"
          class="button small"
          onClick={() => saveFaults(fileName, faults, fieldOf)}
        >
          Save as CSV
        </button>
      </div>
      <div class="fault-table">
        <Table
          caption="Omitted rows and their errors"
          dense
          columns={[
            { name: 'Row', width: 5, cell: ({ row }: FaultLine) => row },
            {
              name: 'Field',
              width: 8,
              cell: ({ field }) => <code class="wrap-anywhere">{field}</code>,
            },
            {
              name: 'What is wrong',
              cell: ({ message }) => <span class="wrap-anywhere">{sentence(message)}</span>,
            },
          ]}
          rows={lines}
          keyOf={({ key }) => key}
          empty={null}
        />
      </div>
      {more > 0 && (
        <div>
          <button
            type="button"
            class="button quiet small"
            onClick={() => {
              most.value += SHOWN_AT_ONCE
            }}
          >
            {more.toLocaleString()} more rows
          </button>
        </div>
      )}
      {totals.bad > faults.length && (
        <p class="faint small">
          The first {faults.length.toLocaleString()} of {totals.bad.toLocaleString()} bad rows are
          listed. Fix them and check the file again.
        </p>
      )}
    </section>
  )
}

/** A JSON pointer as people say it. */
function fieldOf(pointer: string): string {
  if (pointer === '') return 'the row'
  return pointer.slice(1).replaceAll('/', ' › ').replaceAll('~1', '/').replaceAll('~0', '~')
}

const OUTCOMES = { added: 'new', changed: 'changed', removed: 'removed' } as const

function Changes({ report: { changes, totals, mode } }: { report: SignalImportReport }) {
  if (mode === 'import' || changes.length === 0) return null
  const all = totals.added + totals.changed + totals.removed
  return (
    <details>
      <summary>What would change</summary>
      <ul class="change-list">
        {changes.map(({ id, outcome, row, members }) => (
          <li key={`${row} ${id}`} class="small wrap-anywhere">
            <code>{id}</code> {OUTCOMES[outcome]}
            {members !== undefined && `: ${members.join(', ')}`}
            {row !== undefined && <span class="faint"> ({row})</span>}
          </li>
        ))}
      </ul>
      {all > changes.length && (
        <p class="faint small">and {(all - changes.length).toLocaleString()} more</p>
      )}
    </details>
  )
}

function Warnings({ report: { warnings, warning_count } }: { report: SignalImportReport }) {
  if (warnings.length === 0) return null
  return (
    <details>
      <summary>
        {warning_count.toLocaleString()} {warning_count === 1 ? 'warning' : 'warnings'}
      </summary>
      <ul class="change-list">
        {warnings.map(({ row, message }) => (
          <li key={row + message} class="small wrap-anywhere">
            <span class="faint">{row}:</span> {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
