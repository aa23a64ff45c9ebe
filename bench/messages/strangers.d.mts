export interface StrangerMessage {
  language: string
  message: string
  segments: readonly (readonly [role: string, text: string, kind?: string])[]
}

export interface UsageQuota {
  messages: number
  printsInstruction: number
  printsBareInstruction: number
  copyDrawn: number
}

export function readStrangers(): { name: string; messages: StrangerMessage[] }[]
export function measureStrangers(
  messages: readonly StrangerMessage[],
  textsFor: (message: string) => readonly string[],
): UsageQuota
