// How agents of others are called for their profile: what the registry needs of a client, and nothing of a transport.

export interface ListedTool {
  name: string
  description?: string
}

type NoAnswer = { ok: false; isLate: boolean; message: string }

type ToolList = { ok: true; tools: ListedTool[] } | NoAnswer
export type ToolAnswer = { ok: true; body: Record<string, unknown> } | NoAnswer

/** An agent, reduced to the calls made here. Nothing it responds causes an exception. */
export interface ProbedAgent {
  /** The name that an MCP server reports; undefined if it is not an MCP server. */
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
