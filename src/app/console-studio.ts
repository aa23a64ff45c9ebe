// What the creative studio of the console needs.

import type { ConsolePorts } from '../console/console.ts'
import type { Parts } from './parts.ts'
import type { AgentArea } from './wire-agent.ts'
import type { CreativeArea } from './wire-creative.ts'

export interface StudioAreas {
  callTask: AgentArea['callTask']
  findFormat: CreativeArea['findFormat']
}

export function studioPorts(
  { publicUrl, storage }: Parts,
  { callTask, findFormat }: StudioAreas,
): ConsolePorts['studio'] {
  return { callTask, findFormat, publicUrl, library: storage.creatives }
}
