// Frames composed from layers that were drawn once: drawing every frame again would take a hundred times as long. A
// frame has three bytes per pixel; layers have four, with premultiplied alpha.

export interface FrameLayer {
  x: number
  y: number
  width: number
  height: number
  pixels: Uint8Array
}

interface Canvas {
  width: number
  height: number
  pixels: Uint8Array
}

/** The part of a canvas-sized drawing that is not empty; undefined if all of it is empty. */
export function cropped({ width, height, pixels }: Canvas): FrameLayer | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[(y * width + x) * 4 + 3] === 0) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  if (right < 0) return undefined
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  const kept = new Uint8Array(box.width * box.height * 4)
  for (let y = 0; y < box.height; y++) {
    const from = ((top + y) * width + left) * 4
    kept.set(pixels.subarray(from, from + box.width * 4), y * box.width * 4)
  }
  return { ...box, pixels: kept }
}

/** Without the opacity, which is full everywhere. */
export function opaque({ width, height, pixels }: Canvas): Uint8Array {
  const kept = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < kept.length; from += 4, to += 3) {
    kept[to] = pixels[from] as number
    kept[to + 1] = pixels[from + 1] as number
    kept[to + 2] = pixels[from + 2] as number
  }
  return kept
}

/** Blends another frame of the same size over one. */
export function crossFade(frame: Uint8Array, over: Uint8Array, opacity: number): void {
  const share = Math.round(opacity * 256)
  const rest = 256 - share
  for (let i = 0; i < frame.length; i++) {
    frame[i] = ((frame[i] as number) * rest + (over[i] as number) * share) >> 8
  }
}

/**
 * Draws a layer over a frame, the given number of pixels below its position; anything beyond the edges is omitted.
 */
export function lay(
  frame: Canvas,
  { x, y, width, height, pixels }: FrameLayer,
  { opacity, down }: { opacity: number; down: number },
): void {
  const share = Math.round(opacity * 256)
  const first = Math.max(0, -(y + down))
  const last = Math.min(height, frame.height - y - down)
  for (let row = first; row < last; row++) {
    let from = row * width * 4
    let to = ((y + down + row) * frame.width + x) * 3
    for (let column = 0; column < width; column++, from += 4, to += 3) {
      const alpha = ((pixels[from + 3] as number) * share) >> 8
      if (alpha === 0) continue
      const rest = 255 - alpha
      for (let channel = 0; channel < 3; channel++) {
        const under = (frame.pixels[to + channel] as number) * rest
        const over = ((pixels[from + channel] as number) * share) >> 8
        frame.pixels[to + channel] = Math.min(255, over + (under + 127) / 255)
      }
    }
  }
}
