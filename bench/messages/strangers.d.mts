export interface StrangerMessage {
  language: string
  register: string
  message: string
  segments: readonly (readonly [role: string, text: string, kind?: string])[]
}

export function readStrangers(): { name: string; messages: StrangerMessage[] }[]
