// The operations of the creative studio. Every role may view formats and the library; only an operator may create
// something.

import { noBody } from './common.ts'
import type { ConsoleRoute } from './route.ts'
import {
  build,
  buildAnswer,
  buildBody,
  buildParams,
  buildsAnswer,
  buildsQuery,
  formatDetails,
  formatParams,
  formatQuery,
  formatsPage,
  formatsQuery,
  libraryCreative,
  libraryPage,
  libraryParams,
  libraryQuery,
  previewAnswer,
  previewBody,
  saveAnswer,
  saveBody,
} from './studio.ts'

export const STUDIO_ROUTES = {
  listFormats: {
    method: 'GET',
    path: '/console/api/studio/formats',
    role: 'viewer',
    query: formatsQuery,
    response: formatsPage,
  },
  getFormat: {
    method: 'GET',
    path: '/console/api/studio/formats/:format',
    role: 'viewer',
    params: formatParams,
    query: formatQuery,
    response: formatDetails,
  },
  previewCreative: {
    method: 'POST',
    path: '/console/api/studio/preview',
    role: 'operator',
    body: previewBody,
    response: previewAnswer,
  },
  startBuilds: {
    method: 'POST',
    path: '/console/api/studio/builds',
    role: 'operator',
    body: buildBody,
    response: buildAnswer,
  },
  listBuilds: {
    method: 'GET',
    path: '/console/api/studio/builds',
    role: 'viewer',
    query: buildsQuery,
    response: buildsAnswer,
  },
  getBuild: {
    method: 'GET',
    path: '/console/api/studio/builds/:task_id',
    role: 'viewer',
    params: buildParams,
    response: build,
  },
  saveCreative: {
    method: 'POST',
    path: '/console/api/studio/library',
    role: 'operator',
    body: saveBody,
    response: saveAnswer,
  },
  listLibrary: {
    method: 'GET',
    path: '/console/api/studio/library',
    role: 'viewer',
    query: libraryQuery,
    response: libraryPage,
  },
  getLibraryCreative: {
    method: 'GET',
    path: '/console/api/studio/library/:library_id',
    role: 'viewer',
    params: libraryParams,
    response: libraryCreative,
  },
  previewLibraryCreative: {
    method: 'POST',
    path: '/console/api/studio/library/:library_id/preview',
    role: 'viewer',
    params: libraryParams,
    body: noBody,
    response: previewAnswer,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
