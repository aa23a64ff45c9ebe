export interface ScriptSample {
  /** Its own name. */
  language: string
  brand: { name: string; url: string; colors: { primary: string; secondary: string } }
  offering: { name: string; description: string }
  message: string
}

export const SCRIPT_SAMPLES: readonly ScriptSample[]
