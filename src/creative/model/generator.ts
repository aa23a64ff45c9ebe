// What a language or image model adds to a build, as a port: without one, or when it fails, the built-in reader and the
// layout engine do everything by themselves (spec 4.2).

/** Reads, writes and draws for `build_creative`; each is optional. An exception counts as no response. */
export interface Generator {
  /** The message in segments; undefined if none arrived in time. They are checked against the message. */
  read?(request: ReadingRequest, signal: AbortSignal): Promise<GeneratedReading | undefined>
  /** Words for the creative; undefined if none arrived in time, or none that can be used. */
  text?(imageRequest: TextOptions, signal: AbortSignal): Promise<GeneratedTexts | undefined>
  /** A picture of about this size, as PNG, JPEG or WebP; undefined in the same cases. */
  image?(imageRequest: ImageRequest, signal: AbortSignal): Promise<Uint8Array | undefined>
}

/** A message that is to be read. */
export interface ReadingRequest {
  message: string
}

/** A message in segments, as a model has read it. */
export interface GeneratedReading {
  /** Their texts, joined, are the message. */
  segments: readonly ReadSegment[]
  /** Whether the message wants words to be written, and does not only give some. Default false. */
  asks_for_copy?: boolean
}

/** A part of a message. */
export interface ReadSegment {
  /** One of `headline`, `body`, `cta`, `legal`, `fact`, `instruction`, `avoid`, `style`, `chat`, `scaffold`. */
  role: string
  text: string
}

/** The requested words, and what is known about their subject. */
export interface TextOptions {
  brand: { name?: string; tagline?: string; tone?: string }
  offering?: { name: string; description?: string }
  message?: string
  /** Longest texts, in characters. */
  limits: Record<keyof GeneratedTexts, number>
}

/** The words of one creative, as plain text. */
export interface GeneratedTexts {
  headline: string
  description: string
  call_to_action: string
}

/** A picture that is wanted. */
export interface ImageRequest {
  /** What the picture shows, in natural language. */
  prompt: string
  width: number
  height: number
}
