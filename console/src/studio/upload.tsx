// A picture from this computer: the manifest contains it as data, with its size.

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { spaced } from '../words.ts'

/** As base64 it is a third larger, and a request to the server is at most 512 KiB. */
const MAX_BYTES = 340 * 1_024
const TYPES = 'image/png,image/jpeg,image/gif,image/webp'

interface Props {
  slot: string
  set(members: { url: string; width: number; height: number }): void
}

export function PictureUpload({ slot, set }: Props) {
  const id = useId()
  const fault = useSignal<string | undefined>(undefined)
  const take = async (file: File | undefined) => {
    if (!file) return
    fault.value = undefined
    if (file.size > MAX_BYTES) {
      const size = Math.ceil(file.size / 1_024).toLocaleString()
      fault.value = `This picture has ${size} KB: at most ${MAX_BYTES / 1_024} KB fit in a manifest. Use its URL instead.`
      return
    }
    try {
      const picture = await createImageBitmap(file)
      const { width, height } = picture
      picture.close()
      set({ url: await dataOf(file), width, height })
    } catch {
      fault.value = 'The browser cannot read this file as an image.'
    }
  }
  return (
    <div class="field wide">
      <label for={id}>
        Or a file<span class="sr-only"> for {spaced(slot)}</span>
      </label>
      <input
        id={id}
        class="file-input"
        type="file"
        accept={TYPES}
        aria-describedby={fault.value === undefined ? undefined : `${id}-hint`}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      {fault.value !== undefined && (
        <p id={`${id}-hint`} class="fault" role="alert">
          {fault.value}
        </p>
      )}
    </div>
  )
}

function dataOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

/** Displayed in place of an address that is itself a picture. */
export function serializeUpload(url: unknown): string | undefined {
  if (typeof url !== 'string' || !url.startsWith('data:')) return undefined
  const type = url.slice('data:'.length, url.indexOf(';')).replace('image/', '')
  const bytes = Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4)
  return `${type} picture, ${Math.ceil(bytes / 1_024).toLocaleString()} KB`
}
