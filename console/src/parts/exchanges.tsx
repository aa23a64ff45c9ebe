// The exchanged HTTP messages: each request with its response, folded, without secrets.

import { useSignal } from '@preact/signals'
import type { Exchange } from '../../../src/console/api/agents.ts'
import { HttpHeaders } from './http.tsx'
import { JsonText } from './json.tsx'
import { Panel } from './panel.tsx'
import { lasting } from './time.tsx'

export function Exchanges({ of, title }: { of: readonly Exchange[]; title: string }) {
  return (
    <Panel title={title} aside={`${of.length} ${of.length === 1 ? 'request' : 'requests'}`}>
      <ol class="exchanges">
        {of.map((one, index) => (
          <li key={index}>
            <OneExchange exchange={one} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function OneExchange({ exchange }: { exchange: Exchange }) {
  const { method, url, status, duration_ms } = exchange
  const isGood = status !== undefined && status < 400
  // Folded content is not rendered: it may be large.
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary class="http-line">
        <b>{method}</b> {url} <span class={isGood ? 'good' : 'bad'}>{status ?? 'no response'}</span>{' '}
        <span class="faint">{lasting(duration_ms)}</span>
      </summary>
      {isOpen.value && <Opened exchange={exchange} />}
    </details>
  )
}

function Opened({ exchange }: { exchange: Exchange }) {
  const { status, fault } = exchange
  return (
    <div class="stack tight">
      <h3>Request</h3>
      <HttpHeaders headers={exchange.request_headers} label="Headers of the request" />
      {exchange.request_body !== undefined && (
        <JsonText text={exchange.request_body} what="body of the request" />
      )}
      <h3>Response</h3>
      {fault !== undefined && <p class="bad wrap-anywhere">{fault}</p>}
      {status !== undefined && (
        <>
          <HttpHeaders headers={exchange.response_headers} label="Headers of the response" />
          <JsonText text={exchange.response_body ?? ''} what="body of the response" />
        </>
      )}
      {exchange.is_cut && <p class="small faint">The response is truncated here.</p>}
    </div>
  )
}
