// Combines the parts of the creative studio: formats, previews, builds and the library.

import type { STUDIO_ROUTES } from './api/studio-routes.ts'
import type { Handlers } from './handlers.ts'
import { type BuildPorts, buildHandlers } from './studio-builds.ts'
import { type FormatPorts, formatHandlers } from './studio-formats.ts'
import { type LibraryPorts, libraryHandlers } from './studio-library.ts'
import { type PreviewPorts, previewHandlers } from './studio-preview.ts'

export interface StudioPorts
  extends FormatPorts,
    PreviewPorts,
    Omit<BuildPorts, 'queries'>,
    LibraryPorts {}

type StudioRoute = keyof typeof STUDIO_ROUTES

export function studioHandlers(ports: StudioPorts): Handlers<StudioRoute> {
  return {
    ...formatHandlers(ports),
    ...previewHandlers(ports),
    ...buildHandlers(ports),
    ...libraryHandlers(ports),
  }
}
