// An action: a button, a confirmation first if it cannot be undone, and a message with the outcome.
// Only with the role that it requires.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Role } from '../../../src/console/api/role-names.ts'
import type { Answer } from '../api/request.ts'
import { mayAct } from '../session.ts'
import { Dialog, DialogButtons } from './dialog.tsx'
import { toast } from './toast.tsx'

export interface ActionProps<T> {
  label: string
  run(): Promise<Answer<T>>
  /** Said when it was done. */
  done: string | ((value: T) => string)
  onDone?(value: T): void
  /** Confirmation; its children explain the consequences, and may be fields. */
  confirm?: {
    title: string
    body: ComponentChildren
    yes?: string
    /** False while some fields are still to be filled in. Default true. */
    isReady?: boolean
  }
  kind?: 'primary' | 'danger'
  small?: boolean
  /** The role that it requires. Default operator. */
  needs?: Role
  /** Why it is not possible now: displayed in place of the action. */
  unless?: string | undefined
}

export function Action<T>(props: ActionProps<T>) {
  const { label, confirm, kind, small = false, unless, needs } = props
  const isAsking = useSignal(false)
  const isBusy = useSignal(false)
  if (!mayAct(needs)) return null
  const act = async () => {
    if (isBusy.peek()) return
    isBusy.value = true
    const answer = await props.run()
    isBusy.value = false
    if (!answer.ok) {
      toast(`${label}: ${answer.fault.message}`, 'bad')
      return
    }
    isAsking.value = false
    toast(typeof props.done === 'function' ? props.done(answer.value) : props.done)
    props.onDone?.(answer.value)
  }
  const start = () => {
    if (confirm) isAsking.value = true
    else act()
  }
  return (
    <>
      <button
        type="button"
        class={`button ${kind ?? ''} ${small ? 'small' : ''}`}
        disabled={unless !== undefined || isBusy.value}
        title={unless}
        onClick={start}
      >
        {label}
      </button>
      {confirm && isAsking.value && (
        <Dialog
          title={confirm.title}
          onClose={() => {
            isAsking.value = false
          }}
        >
          {confirm.body}
          <DialogButtons>
            <button
              type="button"
              class="button"
              onClick={() => {
                isAsking.value = false
              }}
            >
              Back
            </button>
            <button
              type="button"
              class={kind === 'danger' ? 'button danger' : 'button primary'}
              disabled={isBusy.value || confirm.isReady === false}
              onClick={act}
            >
              {confirm.yes ?? label}
            </button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  )
}
