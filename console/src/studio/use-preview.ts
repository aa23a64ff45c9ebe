// The preview of the form's current content: requested when the person pauses; the latest request wins, an earlier
// one in flight is canceled. The last preview stays while the next content is not valid yet.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type {
  FormatRef,
  ManifestFault,
  SerializedPreview,
} from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'

const PAUSE_MS = 400

export interface LivePreview {
  /** Of the last that fitted. */
  preview: SerializedPreview | undefined
  /** Whether it shows the current content. */
  isCurrent: boolean
  faults: readonly ManifestFault[]
  notes: readonly string[]
  /** Why no request was sent to the server, or why it failed. */
  fault: Fault | undefined
  isLoading: boolean
}

const NOTHING: LivePreview = {
  preview: undefined,
  isCurrent: false,
  faults: [],
  notes: [],
  fault: undefined,
  isLoading: false,
}

export interface Filled {
  format: FormatRef
  assets: Readonly<Record<string, unknown>>
  macros: Readonly<Record<string, string>>
}

/** Undefined: there is nothing to show yet. */
export function usePreview(filled: Filled | undefined): LivePreview {
  const returned = useSignal<LivePreview>(NOTHING)
  const key = JSON.stringify(filled)
  useEffect(() => {
    if (!filled) {
      returned.value = NOTHING
      return
    }
    const { format, assets, macros } = filled
    const controller = new AbortController()
    const ask = async () => {
      returned.value = { ...returned.peek(), isLoading: true, isCurrent: false }
      const { signal } = controller
      const body = { format, assets: { ...assets }, macros: { ...macros } }
      const answer = await api('POST /studio/preview', { body, signal }).catch(() => undefined)
      if (!answer || signal.aborted) return
      const before = returned.peek()
      if (!answer.ok) returned.value = { ...before, fault: answer.fault, isLoading: false }
      else {
        const { faults, notes, preview = before.preview } = answer.value
        const isCurrent = faults.length === 0
        returned.value = { preview, isCurrent, faults, notes, fault: undefined, isLoading: false }
      }
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return returned.value
}
