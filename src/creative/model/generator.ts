// What a language or image model adds to a build, as a port: without one, or when it fails, the layout
// engine makes everything by itself (spec 4.2).

/** Writes and draws for `build_creative`; either may be left out. What it throws counts as no answer. */
export interface Generator {
  /** Words for the creative; undefined when none came in time, or none that can be used. */
  text?(wish: TextWish, signal: AbortSignal): Promise<GeneratedTexts | undefined>
  /** A picture of about this size, as PNG, JPEG or WebP; undefined likewise. */
  image?(wish: PictureWish, signal: AbortSignal): Promise<Uint8Array | undefined>
}

/** Words that are wanted, and what is known of what they are about. */
export interface TextWish {
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
export interface PictureWish {
  /** What the picture shows, in plain words. */
  prompt: string
  width: number
  height: number
}
