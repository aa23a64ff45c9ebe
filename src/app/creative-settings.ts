// The settings of the creative agent: its formats, the workshop, and a model of one's own.

import { isUrl } from '../lib/is-url.ts'
import { integer, list, text, toggle, url } from './setting.ts'

export const CREATIVE_SETTINGS = {
  formatsDir: list({
    env: 'ADWIRE_FORMATS_DIR',
    about:
      'Folders whose JSON files add creative formats, or replace built-in ones of the same id.',
    default: '',
    check: () => undefined,
  }),
  builtInFormats: toggle({
    env: 'ADWIRE_BUILT_IN_FORMATS',
    about: 'Whether the built-in creative formats are offered beside those of ADWIRE_FORMATS_DIR.',
    default: 'true',
  }),
  requireBrand: toggle({
    env: 'ADWIRE_REQUIRE_BRAND',
    about:
      'Refuse to build for a brand that cannot be resolved; otherwise it is built from its domain, with a note.',
    default: 'false',
  }),
  fontsDir: text({
    env: 'ADWIRE_FONTS_DIR',
    about:
      'Folder of fonts (TTF, OTF, WOFF2) that pictures and banners are set in before all others.',
    default: '',
    placeholder: 'folder',
  }),
  formatAgentUrls: list({
    env: 'ADWIRE_FORMAT_AGENT_URLS',
    about: 'Further URLs by which format ids may name this server; * is any.',
    default: '',
    check: (part) => (part === '*' || isUrl(part) ? undefined : 'is neither a URL nor *'),
  }),
  workshopProcesses: integer({
    env: 'ADWIRE_WORKSHOP_PROCESSES',
    about:
      'Processes that read and draw what others wrote, for the creative agent. From 3 on, one of them is kept for small work.',
    default: '3',
    min: 1,
    max: 64,
  }),
  workshopMemoryMb: integer({
    env: 'ADWIRE_WORKSHOP_MEMORY_MB',
    about:
      'Memory of one of these processes, in MiB; one that takes more is ended, and its work fails.',
    default: '512',
    min: 256,
    max: 65_536,
  }),
  workshopSeconds: integer({
    env: 'ADWIRE_WORKSHOP_SECONDS',
    about:
      'Longest time of one piece of work there, such as a picture; for pages and documents at most 10.',
    default: '20',
    min: 1,
    max: 600,
  }),
  chromium: text({
    env: 'ADWIRE_CHROMIUM',
    about:
      'Chromium that takes still pictures of previews: its path, or none. By default one is looked for in PATH.',
    default: '',
    placeholder: 'path',
  }),
  chromiumProcesses: integer({
    env: 'ADWIRE_CHROMIUM_PROCESSES',
    about:
      'Browsers that take still pictures at the same time; started when the first is asked for.',
    default: '1',
    min: 1,
    max: 16,
  }),
  chromiumMemoryMb: integer({
    env: 'ADWIRE_CHROMIUM_MEMORY_MB',
    about:
      'Memory of one of these browsers, all its processes together, in MiB; one that takes more is ended, and its picture fails.',
    default: '1024',
    min: 512,
    max: 65_536,
  }),
  ffmpeg: text({
    env: 'ADWIRE_FFMPEG',
    about:
      'The ffmpeg that videos are made with. Not set: the one in PATH, if there is one; none: no videos.',
    default: '',
    placeholder: 'path',
  }),
  videoSeconds: integer({
    env: 'ADWIRE_VIDEO_SECONDS',
    about:
      'Longest time that making one video takes; half of the processes make videos, at least one.',
    default: '120',
    min: 1,
    max: 600,
  }),
  creativeAgents: list({
    env: 'ADWIRE_CREATIVE_AGENTS',
    about: 'URLs of other agents that provide more formats, for list_creative_formats.',
    default: '',
    check: (part) => (isUrl(part) ? undefined : 'is not a URL'),
  }),
  llmUrl: url({
    env: 'ADWIRE_LLM_URL',
    about:
      'OpenAI-compatible model server that may write and draw for build_creative, with its version: ' +
      'http://127.0.0.1:11434/v1. Without it the layout engine does.',
    default: '',
    schemes: ['https', 'http'],
  }),
  llmKey: text({
    env: 'ADWIRE_LLM_KEY',
    about: 'Key of the model server.',
    default: '',
    placeholder: 'key',
    secret: true,
  }),
  llmModel: text({
    env: 'ADWIRE_LLM_MODEL',
    about:
      'Model of that server that reads messages and writes copy. Without it neither is requested.',
    default: '',
    placeholder: 'name',
  }),
  imageModel: text({
    env: 'ADWIRE_IMAGE_MODEL',
    about: 'Model of that server that draws. Without it no pictures are asked for.',
    default: '',
    placeholder: 'name',
  }),
} as const
