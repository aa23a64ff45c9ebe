// Does the jobs of the creative agent, in a process of the worker pool. The drawing code is loaded when the first
// picture is requested.

import { checkFile } from '../../protocol/adagents/check-file.ts'
import { packReading } from '../../protocol/adagents/pack-reading.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { readManifest } from '../../protocol/read-manifest.ts'
import { readBrands } from '../brand/read-brand.ts'
import { composeCreatives } from '../build-steps/compose-creative.ts'
import { planned } from '../build-steps/plan-build.ts'
import { checkFont } from '../layout-engine/shaping/brand-fonts.ts'
import { useFontsDir } from '../layout-engine/shaping/own-fonts.ts'
import { checkManifests } from '../manifest-check/check-manifests.ts'
import { checkReading } from '../message/given-reading.ts'
import { objectionTo } from '../message/guard-words.ts'
import { drawItems } from '../rendering/draw-items.ts'
import { showRecipe } from '../rendering/show-recipe.ts'
import type { WorkAnswer, WorkMessage, WorkName, Works } from './works.ts'

type Doer<Name extends WorkName> = (
  request: Works[Name]['request'],
  report: (part: Works[Name]['part']) => void,
) => Promise<Works[Name]['answer']>

const DOERS: { [Name in WorkName]: Doer<Name> } = {
  draw_previews: async (request, report) => drawItems(request, report),
  show_page: async (request) => showRecipe(request),
  check_manifests: async (request, report) => checkManifests(request, report),
  read_brand: async (request) => readBrands(request),
  read_manifest: async ({ bytes, question }) => readManifest(bytes, question),
  read_adagents: async ({ bytes, question }) => packReading(bytes, question),
  check_file: async (request) => checkFile(request),
  read_picture: async ({ source, maxBytes }) => {
    const { readPicture } = await import('../pictures/read-picture.ts')
    return readPicture(source, maxBytes)
  },
  read_logo: async ({ source, maxBytes }) => {
    const { readLogoPicture } = await import('../pictures/logo.ts')
    return readLogoPicture(source, maxBytes)
  },
  crop_photo: async (request) => {
    const { cropPhoto } = await import('../pictures/crop-photo.ts')
    return cropPhoto(request)
  },
  read_fonts: async ({ folder }) => {
    const { families, unused } = useFontsDir(folder)
    return { families, unused }
  },
  read_font: async ({ bytes }) => checkFont(bytes),
  check_reading: async (request) => checkReading(request),
  guard_words: async (request) => objectionTo(request),
  plan_build: async (request) => planned(request),
  compose_creatives: async (request, report) => composeCreatives(request, report),
  draw_picture: async (request) => {
    const { drawPicture } = await import('../pictures/draw-picture.ts')
    return drawPicture(request)
  },
  draw_video: async (request) => {
    const { drawVideo } = await import('../video/draw-video.ts')
    return drawVideo(request)
  },
}

export async function doWork(
  message: unknown,
  report: (part: unknown) => void,
): Promise<WorkAnswer> {
  const { work, request, fontsDir } = message as WorkMessage
  try {
    if (fontsDir !== undefined) useFontsDir(fontsDir)
    const answer = await (DOERS[work] as Doer<WorkName>)(request as never, report)
    return { answer }
  } catch (error) {
    if (error instanceof ProtocolError) return { refused: error.errors }
    throw error
  }
}
