// How agents of others are called for their profile: what the registry needs of a client, and nothing of a transport.

export interface ListedTool {
  name: string
  description?: string
}

type NoAnswer = { ok: false; isLate: boolean; message: string }

type ToolList = { ok: true; tools: ListedTool[] } | NoAnswer
export type ToolAnswer = { ok: true; body: Record<string, unknown> } | NoAnswer

/** An agent, as far as it is called here. Nothing is thrown for what it answers. */
export interface ProbedAgent {
  /** What an MCP server calls itself; undefined for one that is none. */
  serverInfo(signal: AbortSignal): Promise<{ name: string; description?: string } | undefined>
  listTools(signal: AbortSignal): Promise<ToolList>
  call(task: string, request: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>
  /** Its A2A card, if it publishes one. */
  card(
    signal: AbortSignal,
  ): Promise<{ name: string; description?: string; skills: ListedTool[] } | undefined>
}

/** `owner`: on whose behalf. */
export type OpenAgent = (url: string, owner: string) => ProbedAgent
