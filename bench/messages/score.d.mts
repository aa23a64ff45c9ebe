/** What a reader of the ad must learn, in any of these spellings. */
export interface Fact {
  kind: string
  any_of: string[]
  /** Good to have; not counted. */
  optional?: boolean
  /** In none of its spellings literally in the message. */
  derived?: boolean
}

/** One line of `labelled/*.jsonl`; README.md there says what each field means. */
export interface Label {
  id: string
  language: string
  kind: string
  split: 'dev' | 'unseen' | 'dev2' | 'unseen2' | 'dev3' | 'unseen3'
  message: string
  brand: { name: string; url: string; colors: { primary: string; secondary: string } }
  /** What else the agent was given, such as an offering of the brand. */
  offering?: unknown
  facts: Fact[]
  avoid?: string[]
  avoid_numbers?: string[]
  call_to_action?: { any_of: string[]; derived?: boolean }
  tone?: string
  not_copy?: string[]
}

export interface Score {
  missing: Fact[]
  avoided: string[]
  printed: string[]
  invented: { kind: string; text: string }[]
}

/** Shares of messages from 0 to 1; null where none of them could fail. */
export interface UsageQuota {
  messages: number
  allRight: number | null
  factsDisplayed: number | null
  nothingInvented: number | null
  nothingForbidden: number | null
  noInstructions: number | null
}

export interface Summary {
  all: UsageQuota
  language: Record<string, UsageQuota>
  kind: Record<string, UsageQuota>
  split: Record<string, UsageQuota>
}

export function scoreCreative(label: Label, texts: string[]): Score
export function wantedFacts(label: Pick<Label, 'facts' | 'call_to_action'>): Fact[]
export function summary(results: { label: Label; score: Score }[]): Summary
export function baselineTexts(label: Pick<Label, 'brand' | 'message' | 'language'>): string[]
