// The parts of a creative in the preview, alone or on the screen of a device.

import type { SerializedPreview } from '../../../src/console/api/studio.ts'
import { ScaledFrame } from './scaled-frame.tsx'

/** Widths as on the page of preview_creative. */
export const DEVICES = [
  { id: 'alone', name: 'Ad alone', width: undefined, macro: undefined },
  { id: 'desktop', name: 'Desktop', width: 1_280, macro: 'desktop' },
  { id: 'tablet', name: 'Tablet', width: 768, macro: 'tablet' },
  { id: 'mobile', name: 'Mobile', width: 390, macro: 'mobile' },
] as const
export type Device = (typeof DEVICES)[number]

/** Next to the creative: the caption of the page, and the content below it. */
const AROUND_PX = 260
const UNSIZED = { width: 460, height: 520 }
const TALLEST_PX = 2_400

interface Props {
  preview: SerializedPreview
  /** A description of the preview, for screen readers. */
  title: string
  device?: Device
  /** In CSS pixels. */
  maxHeight?: number | undefined
}

export function PreviewFrames({ preview, title, device = DEVICES[0], maxHeight }: Props) {
  return (
    <div class="stack">
      {preview.renders.map((render) => {
        const { path, sandbox, role, width = UNSIZED.width, height = UNSIZED.height } = render
        const isAlone = device.width === undefined
        return (
          <figure key={path}>
            <ScaledFrame
              path={path}
              sandbox={sandbox}
              title={`${title}, ${role}`}
              width={isAlone ? width : device.width}
              height={isAlone ? height : Math.min(height + AROUND_PX, TALLEST_PX)}
              maxHeight={maxHeight}
            />
            {preview.renders.length > 1 && <figcaption class="small faint">{role}</figcaption>}
          </figure>
        )
      })}
    </div>
  )
}
