// An operator's actions on signing keys, each with its consequences explained before the click.

import { useSignal } from '@preact/signals'
import type { Rotation, SigningKey, SigningKeys } from '../../../src/console/api/keys.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { Field } from '../parts/field.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { lasting } from '../parts/time.tsx'

interface Shows {
  show(keys: SigningKeys): void
}

const ALGORITHMS = [
  ['', 'Same as the current key'],
  ['ed25519', 'Ed25519'],
  ['ecdsa-p256-sha256', 'ECDSA P-256'],
] as const
type Algorithm = SigningKey['algorithm']

export function PublishKey({ purpose, show }: Shows & { purpose: SigningKey['purpose'] }) {
  const algorithm = useSignal('')
  const body = () => ({
    purpose,
    ...(algorithm.peek() !== '' && { algorithm: algorithm.peek() as Algorithm }),
  })
  return (
    <Action
      needs="admin"
      label="Publish a key"
      small
      run={() => api('POST /keys', { body: body() })}
      done="Published. It signs after the next rotation."
      onDone={show}
      confirm={{
        title: 'Publish a key in advance?',
        body: (
          <>
            <p>
              A new key is added to the key set and does not sign yet. Receivers fetch it in
              advance, so that the next rotation causes no failures.
            </p>
            <SelectField label="Algorithm" value={algorithm} options={ALGORITHMS} />
          </>
        ),
      }}
    />
  )
}

export function RotateKey({
  rotation,
  keys,
  show,
}: Shows & { rotation: Rotation; keys: SigningKeys }) {
  const when = useSignal('usual')
  const { purpose, current, next } = rotation
  const isHurried = when.value === 'hurry'
  const seconds = isHurried ? rotation.hurried_in_seconds : rotation.signs_in_seconds
  const isFirst = current === undefined
  return (
    <Action
      needs="admin"
      label={isFirst ? 'Make a key' : 'Rotate'}
      kind="primary"
      small
      run={() =>
        api('POST /keys/rotate', { body: { purpose, in_a_hurry: when.peek() === 'hurry' } })
      }
      done={(answer) => doneWords(answer, purpose)}
      onDone={show}
      confirm={{
        title: isFirst ? 'Make the first key?' : 'Rotate the key?',
        yes: isFirst ? 'Make the key' : 'Rotate',
        body: isFirst ? (
          <p>A key is made, published, and signs at once.</p>
        ) : (
          <>
            <ul class="points">
              <li>
                {next === undefined ? 'A new key is published now' : `${short(next)} takes over`}{' '}
                and signs {inWords(seconds)}. Until then {short(current)} signs.
              </li>
              <li>
                {short(current)} stays in the key set for {lasting(keys.overlap_seconds * 1_000)}{' '}
                after that, so that receivers can verify all that it signed.
              </li>
              <li>
                {deliveries(keys.in_flight.waiting)} in the queue will be signed with whichever key
                signs when their time comes. None is lost.
              </li>
              <li>
                {isHurried
                  ? 'Receivers that cache the key set refuse the new key for a few minutes. Those webhooks are retried until they are accepted.'
                  : 'Receivers that fetch the key set again in time notice nothing.'}{' '}
                Receivers that pinned {short(current)} must be informed.
              </li>
            </ul>
            <SelectField
              label="When"
              value={when}
              options={[
                ['usual', `As usual (${inWords(rotation.signs_in_seconds)})`],
                ['hurry', `Urgent (${inWords(rotation.hurried_in_seconds)})`],
              ]}
            />
          </>
        ),
      }}
    />
  )
}

function doneWords({ keys }: SigningKeys, purpose: SigningKey['purpose']): string {
  const next = keys.find((key) => key.purpose === purpose && key.state === 'published')
  return next ? `${short(next.kid)} is published and takes over by itself.` : 'The key signs now.'
}

const CONFIRM_CHARS = 8

export function RevokeKey({
  signing,
  keys,
  show,
}: Shows & { signing: SigningKey; keys: SigningKeys }) {
  const typed = useSignal('')
  const { kid, revocation } = signing
  if (!revocation) return null
  const wanted = kid.slice(0, CONFIRM_CHARS)
  const params = { kid }
  return (
    <Action
      needs="admin"
      label="Revoke"
      kind="danger"
      small
      run={() => api('POST /keys/:kid/revoke', { params, body: { confirm: typed.peek().trim() } })}
      done="Revoked. Everything it signed is void."
      onDone={show}
      confirm={{
        title: `Revoke ${short(kid)}?`,
        yes: 'Revoke the key',
        isReady: typed.value.trim() === wanted,
        body: (
          <>
            <p>Use this for a compromised key. To replace a key that is safe, rotate it instead.</p>
            <ul class="points">
              <li>
                It is removed from the key set immediately and stays on the revocation list
                permanently. Its private key is erased. This cannot be undone.
              </li>
              <li>
                Everything it ever signed becomes invalid: receivers refuse it as soon as they fetch
                the list, including webhooks that they have not verified yet.
              </li>
              <Follows signing={signing} keys={keys} />
            </ul>
            <Field
              label={`Type ${wanted} to confirm`}
              value={typed}
              maxLength={64}
              autoComplete="off"
            />
          </>
        ),
      }}
    />
  )
}

function Follows({
  signing: { revocation, purpose },
  keys,
}: {
  signing: SigningKey
  keys: SigningKeys
}) {
  const { is_signing, signs_next } = revocation ?? {}
  const { sending, waiting } = keys.in_flight
  if (!is_signing) return <li>It does not sign now, so new deliveries are not affected.</li>
  return (
    <>
      <li>
        It signs now. {signs_next === undefined ? 'A new key is made, which' : short(signs_next)}{' '}
        signs from then on, though receivers may not know it for some minutes: what they refuse is
        retried.
      </li>
      {purpose === 'webhook-signing' && (
        <li>
          {sending === 0
            ? 'No delivery is being sent with its signature at this moment.'
            : `${deliveries(sending)} being sent now with its signature may be refused, and would be sent again with the next key.`}{' '}
          {waiting > 0 && `${deliveries(waiting)} in the queue will be signed with the next key.`}
        </li>
      )}
    </>
  )
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString()} deliveries`
}

function inWords(seconds: number): string {
  return seconds === 0 ? 'at once' : `in ${lasting(seconds * 1_000)}`
}

/** The part of a key's id that people compare. */
function short(kid: string): string {
  return `${kid.slice(0, CONFIRM_CHARS)}…`
}
