// What an examination finds out about an agent by calling it: whether it is there, its tools and what they let it do.

import type { ListedTool } from '../probing/agent-port.ts'

export interface AgentProbe {
  is_online: boolean
  checked_at: number
  response_time_ms: number
  protocol: 'mcp' | 'a2a' | null
  description: string | null
  tools: ListedTool[]
  /** Ids of its creative formats. */
  formats: string[]
  error: string | null
}

export function healthOf({ is_online, checked_at, response_time_ms, tools, error }: AgentProbe) {
  return {
    online: is_online,
    checked_at: new Date(checked_at).toISOString(),
    response_time_ms,
    ...(is_online ? { tools_count: tools.length } : {}),
    ...(error === null ? {} : { error }),
  }
}

/** By the names of its tools alone. */
export function capabilitiesOf({ tools, formats }: AgentProbe) {
  const names = new Set(tools.map(({ name }) => name))
  const has = (...tasks: string[]) => tasks.some((task) => names.has(task))
  return {
    tools_count: tools.length,
    tools: tools.map(({ name, description = '' }) => ({ name, description })),
    standard_operations: {
      can_search_inventory: has('get_products', 'list_products', 'search_inventory'),
      can_get_availability: has('get_products', 'get_availability', 'get_avails'),
      can_reserve_inventory: has('reserve_inventory', 'buy_products', 'create_media_buy'),
      can_get_pricing: has('get_products', 'list_products', 'get_pricing'),
      can_create_order: has('create_media_buy', 'buy_products', 'create_order'),
      can_list_properties: has('list_authorized_properties', 'list_properties'),
    },
    ...(has('list_creative_formats', 'build_creative', 'preview_creative')
      ? {
          creative_capabilities: {
            formats_supported: formats,
            can_generate: has('build_creative'),
            can_validate: has('validate_input', 'validate_creative', 'sync_creatives'),
            can_preview: has('preview_creative'),
          },
        }
      : {}),
    ...(has('get_signals', 'activate_signal')
      ? {
          signals_capabilities: {
            can_get_signals: has('get_signals'),
            can_activate: has('activate_signal'),
          },
        }
      : {}),
  }
}
