// A preview in a frame of its own size, scaled down if there is less room. It has its own origin and is limited by
// its sandbox; the frame at exactly the creative's size contains only the creative.

import { useEffect, useRef } from 'preact/hooks'

interface Props {
  /** On this server. */
  path: string
  sandbox: string
  title: string
  /** Of the frame, in CSS pixels. */
  width: number
  height: number
  /** Scaled down above this height, in CSS pixels. Default: its own height. */
  maxHeight?: number | undefined
}

export function ScaledFrame({ path, sandbox, title, width, height, maxHeight }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const scaleToFit = () => {
      if (!place.current || !frame.current) return
      const scale = Math.min(1, place.current.clientWidth / width, (maxHeight ?? height) / height)
      // Through the DOM API, which the policy of the page permits; it does not permit style attributes.
      frame.current.style.transform = `scale(${scale})`
      frame.current.style.left = `${Math.max(0, (place.current.clientWidth - width * scale) / 2)}px`
      place.current.style.height = `${Math.ceil(height * scale)}px`
    }
    scaleToFit()
    const observer = new ResizeObserver(scaleToFit)
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [width, height, maxHeight])
  return (
    <div class="scaled" ref={place}>
      <iframe
        key={path}
        ref={frame}
        src={path}
        title={title}
        sandbox={sandbox}
        referrerpolicy="no-referrer"
        loading="lazy"
        width={width}
        height={height}
      />
    </div>
  )
}
