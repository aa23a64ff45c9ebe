// The ways to take a creative along.

import { toast } from '../parts/toast.tsx'
import { type Downloadable, saveAll, saveManifest } from './download.ts'

interface DownloadsProps {
  creative: Downloadable
  small?: boolean
}

export function Downloads({ creative, small = false }: DownloadsProps) {
  return (
    <>
      <button
        type="button"
        class={small ? 'button small' : 'button'}
        onClick={() => saveManifest(creative)}
      >
        Manifest
      </button>
      <ZipButton creatives={[creative]} label="All files" small={small} />
    </>
  )
}

interface ZipProps {
  creatives: readonly Downloadable[]
  label: string
  small?: boolean
}

export function ZipButton({ creatives, label, small = false }: ZipProps) {
  const save = async () => {
    const missing = await saveAll(creatives)
    if (missing === undefined) toast('The archive is saved by the browser.')
    else toast(missing, 'bad')
  }
  return (
    <button type="button" class={small ? 'button small' : 'button'} onClick={() => void save()}>
      {label}
    </button>
  )
}

/** Each file for itself. */
export function FileLinks({ files }: Pick<Downloadable, 'files'>) {
  if (files.length === 0) return null
  return (
    <p class="small">
      {files.map(({ slot, path }, index) => (
        <span key={slot + path}>
          {index > 0 && ' · '}
          <a href={path} download>
            {slot}
          </a>
        </span>
      ))}
    </p>
  )
}
