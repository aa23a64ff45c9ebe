// The possible destinations of a signal, and its status there for each principal: in progress, live with its key, or
// why not.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type {
  SignalActivation,
  SignalDetails,
  SignalPlace,
} from '../../../src/console/api/signals.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { Badge, WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { ACTIVATION_WORDS, keyText, NOT_ACTIVE, placeText } from '../signal-words.ts'
import { sentence } from '../words.ts'

interface Props {
  signal: SignalDetails
  refresh(): void
}

export function SignalPlaces({ signal, refresh }: Props) {
  const { places, has_more_activations } = signal
  return (
    <Panel title="Platforms and agents" aside="follows by itself">
      {places.length === 0 ? (
        <Notice title="No deployments" compact>
          <p>The catalogue has no deployments that this principal may use.</p>
        </Notice>
      ) : (
        <ul class="places" aria-label="Platforms and agents">
          {places.map((place) => (
            <Place key={placeText(place)} place={place} signal={signal} refresh={refresh} />
          ))}
        </ul>
      )}
      {has_more_activations && (
        <p class="faint small">Only the latest activations are listed. Choose a principal above.</p>
      )}
    </Panel>
  )
}

function Place({ place, signal, refresh }: Props & { place: SignalPlace }) {
  const { type, catalogue, activations } = place
  const isBare = activations.length === 0
  return (
    <li class="place">
      <div class="row wrap">
        <b class="wrap-anywhere">{placeText(place)}</b>
        {type === 'agent' && <span class="faint small">agent</span>}
        {catalogue?.is_live && <Badge tone="good">live for all callers</Badge>}
        {isBare && !catalogue?.is_live && <WordBadge word={NOT_ACTIVE} />}
        {catalogue?.minutes !== undefined && (
          <span class="faint small">takes about {lasting(catalogue.minutes * 60_000)}</span>
        )}
      </div>
      {catalogue?.activation_key && (
        <p class="small">
          Key <Id text={keyText(catalogue.activation_key)} what="activation key" wraps />
        </p>
      )}
      {!isBare && (
        <ul class="place-activations">
          {activations.map((activation) => (
            <Activated
              key={activation.principal_id}
              activation={activation}
              place={place}
              refresh={refresh}
              signalId={signal.signal_id}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

interface ActivatedProps {
  activation: SignalActivation
  place: SignalPlace
  signalId: string
  refresh(): void
}

function Activated({ activation, place, signalId, refresh }: ActivatedProps) {
  const { state, activation_key, reason, principal_name, principal_id } = activation
  const isOn = state === 'live' || state === 'activating'
  return (
    <li>
      <div class="row wrap between">
        <span class="row wrap">
          <WordBadge word={ACTIVATION_WORDS[state]} />
          <span class="wrap-anywhere">{principal_name ?? principal_id}</span>
          <span class="faint small">
            <Time at={activation.deployed_at ?? activation.changed_at} as="ago" />
          </span>
        </span>
        <span class="row wrap">
          <TaskLinks activation={activation} />
          {isOn && (
            <TakeOff activation={activation} place={place} signalId={signalId} refresh={refresh} />
          )}
        </span>
      </div>
      {state === 'activating' && <Progress activation={activation} />}
      {activation_key && (
        <p class="small">
          Key <Id text={keyText(activation_key)} what="activation key" wraps />
        </p>
      )}
      {reason !== undefined && (
        <p class={`small wrap-anywhere ${state === 'failed' ? 'bad' : 'soft'}`}>
          {sentence(reason)}
        </p>
      )}
    </li>
  )
}

function TaskLinks({ activation: { has_task, task_id } }: { activation: SignalActivation }) {
  if (!has_task) return null
  return (
    <>
      <a href={hrefOf(`/tasks/${encodeURIComponent(task_id)}`)}>Task</a>
      <a href={hrefOf(`/deliveries?${new URLSearchParams({ task_id })}`)}>Deliveries</a>
    </>
  )
}

const TICK_MS = 1_000

/** The expected progress, by the platform's estimated time; the server reports when it is live. */
function Progress({ activation: { started_at, eta_at } }: { activation: SignalActivation }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  if (eta_at === undefined) {
    return <p class="soft small">The platform has not given an estimate.</p>
  }
  const [start, end] = [Date.parse(started_at), Date.parse(eta_at)]
  const share = Math.min(1, Math.max(0, (now.value - start) / Math.max(1, end - start)))
  return (
    <div class="row">
      <progress
        class="meter"
        max={100}
        value={Math.round(share * 100)}
        aria-label="Time that the platform needs"
      />
      <span class="soft small nowrap">
        {share < 1 ? `about ${lasting(end - now.value)} left` : 'should be live any moment'}
      </span>
    </div>
  )
}

function TakeOff({ activation, place, signalId, refresh }: ActivatedProps) {
  const { principal_id, principal_name } = activation
  const { type, name, account } = place
  const whom = principal_name ?? principal_id
  return (
    <Action
      label="Deactivate"
      kind="danger"
      small
      run={() =>
        api('POST /signals/:signal_id/activate', {
          params: { signal_id: signalId },
          body: {
            action: 'deactivate',
            type,
            name,
            principal_id,
            ...(account !== undefined && { account }),
          },
        })
      }
      done={({ message }) => sentence(message)}
      onDone={refresh}
      confirm={{
        title: `Deactivate it on ${placeText(place)}?`,
        body: (
          <p>
            Its key stops working for {whom} there, and campaigns that target it no longer reach
            anyone through it. It can be activated again, with another key.
          </p>
        ),
        yes: 'Deactivate',
      }}
    />
  )
}
