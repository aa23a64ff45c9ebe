// Limits on what one call of the creative agent may send or request. Untrusted input is checked against these before
// any work is done on it, and each refusal names its limit. `CREATIVE_LIMITS` is the same as a table, for
// docs/limits.md.

import { MAX_ASSETS, MAX_GROUP_ITEMS } from '../protocol/schemas/assets.ts'
import { MAX_MESSAGE_LENGTH, MAX_TARGETS } from '../protocol/schemas/build-creative.ts'
import { MAX_INPUTS } from '../protocol/schemas/preview.ts'
import { MAX_PREVIEW_BATCH } from '../protocol/schemas/preview-creative.ts'
import { MAX_SYNCED_CREATIVES } from '../protocol/schemas/sync-creatives.ts'
import { MAX_ASSET_BYTES } from './assets/asset-store.ts'

const MI = 1_024 * 1_024

/** Largest request of a task that takes manifests: they may carry pictures. */
export const MAX_REQUEST_BYTES = 10 * MI

/** Targets of one validate_input, whichever members name them. */
export const MAX_CHECK_TARGETS = 50
/** A manifest is checked once for each target, and drawn once for each input. */
export const MAX_WORK_CHARS = 64 * MI
/** Characters of markup, script or style sheet in one asset. */
export const MAX_MARKUP_CHARS = 4 * MI
/** Errors of a manifest, and notes of a build or a page: more than anyone reads. */
export const MAX_REPORTED = 100
/** Parts of a message in `ext.message_reading`. */
export const MAX_READING_PARTS = 200
/** Parts that differ between the creatives of one answer. */
export const MAX_READING_DIFFERENCES = 500
/** Longest text that is matched against a pattern of an operator's format. */
export const MAX_MATCHED_CHARS = 10_000

/** Characters of all pages that one call may draw. */
export const MAX_CALL_CHARS = 32 * MI
/** Characters of a creative's own content on one page, after macro substitution. */
export const MAX_INLINE_CHARS = 2 * MI
/** Characters of one text on a page. */
export const MAX_TEXT_CHARS = 5_000
/** Number of macro names in an ad server table supplied by a caller. */
export const MAX_MACRO_TOKENS = 100
/** Characters that macro names may add to the output of one build. */
export const MAX_TRANSLATED_CHARS = 4 * MI
/** Characters by which the values of macros may lengthen one text or one URL. */
export const MAX_MACRO_GROWTH_CHARS = 20_000
/** Number of URLs listed below a creative. */
export const MAX_DETAILS = 200
/** Items of a group or colours of a brand that a page shows. */
export const MAX_SHOWN_ITEMS = 50
/** Companions of a tag that a page shows. */
export const MAX_COMPANIONS = 20
/** Characters of one VAST or DAAST document. */
export const MAX_TAG_CHARS = 512 * 1_024
/** Wrappers around one ad. */
export const MAX_WRAPPERS = 5
/** Tags that one call fetches, over all its creatives and their inputs. */
export const MAX_TAG_FETCHES = 100

/** Content and assignments of the creatives on one page of list_creatives. */
export const MAX_LIST_BYTES = 4 * MI
export const MAX_LIST_ASSIGNMENTS = 5_000

/** Still pictures of one call, over all its creatives, inputs and renders. */
export const MAX_STILLS = 50
/** For the font packages, which split the letters of a script among many files. */
export const MAX_STILL_FONT_FILES = 40
/** Longest side of a still picture, in its own pixels: larger ones are scaled down. */
export const MAX_STILL_PIXELS = 4_096
/** Longest side of the displayed content, in CSS pixels. */
export const MAX_STILL_WINDOW = 10_000
/** The time limit of the browser for one picture. */
export const MAX_STILL_MS = 10_000
/** Number of images fetched for the still pictures of one call, and their total bytes. */
export const MAX_STILL_FILES = 100
export const MAX_STILL_FILE_BYTES = 32_000_000

/** Number of variants of one creative in a build. */
export const MAX_BUILT_VARIANTS = 10

/** Pictures that one build fetches. */
export const MAX_PICTURES = 30
export const MAX_PICTURE_BYTES = 10_000_000
/** Total for all pictures of one build: they are kept in memory while it runs. */
export const MAX_BUILD_BYTES = 32_000_000
/** Largest picture that is decoded, in pixels: a small file can unfold into gigabytes. */
export const MAX_INPUT_PIXELS = 50_000_000
/** Largest picture that is made. */
export const MAX_BUILT_PIXELS = 25_000_000
/** Largest frame and longest duration of a generated video, and the number per build. */
export const MAX_VIDEO_PIXELS = 1_920 * 1_080
export const MAX_VIDEO_MS = 60_000
export const MAX_VIDEOS = 4
/** A sound used to make a video. */
export const MAX_SOUND_BYTES = 10_000_000
/** Photos that a build tries in turn until one works with its words. */
export const MAX_PHOTOS = 4
/** Number of products shown together in a grid. */
export const MAX_PRODUCTS = 4
/** How far a photo may be enlarged before it is too small to be used. */
export const MAX_PHOTO_SCALE = 3
/** A photo within a picture or banner: its longer side in pixels, and its bytes. */
export const MAX_CROP_SIDE = 1_600
export const MAX_CROP_BYTES = 250_000
/** Number of files in ADWIRE_FONTS_DIR that are used, and the bytes of one. */
export const MAX_FONT_FILES = 50
export const MAX_FONT_BYTES = 32 * MI
/** Number of brand fonts that a build fetches, and the bytes of one as served. */
export const MAX_BRAND_FONTS = 4
export const MAX_BRAND_FONT_BYTES = 5_000_000
export const MAX_SVG_BYTES = 1_000_000
/** Time limits for drawing one SVG: wall-clock and CPU. */
export const MAX_SVG_MS = 2_000
/** Number of elements drawn in an SVG, counting each repetition. */
export const MAX_SVG_ELEMENTS = 40_000
/** Nesting depth of the elements in an SVG. */
export const MAX_SVG_DEPTH = 128
/** Passes of filters, masks, layers and patterns over a megapixel: about 25 ms of CPU time each. */
export const MAX_SVG_PASSES = 100
/**
 * How long a refused or stopped SVG is remembered, and how many are; one that was stopped before it had used half of
 * its CPU time is remembered for only a minute.
 */
export const REFUSED_SVG_MINUTES = 15
export const STARVED_SVG_MINUTES = 1
export const MAX_REFUSED_SVGS = 10_000
export const MAX_LOGO_BYTES = 5_000_000
export const MAX_LOGO_PIXELS = 40_000_000
/** Message and prompts of one build, in total. */
export const MAX_PROMPT_CHARS = 2 * MAX_MESSAGE_LENGTH
/** The part of a message read for the words of a creative: anything further down is not copy. */
export const MAX_READ_CHARS = 4_000
/** For texts, copy and offerings that are compared with what was drawn. */
export const MAX_GUARDED_CHARS = 50_000
/** The document at the URL of a brand manifest. */
export const MAX_BRAND_BYTES = 256 * 1_024
export const MAX_BRAND_NAME_CHARS = 200
export const MAX_BRAND_URL_CHARS = 2_048
export const MAX_BRAND_TAGLINE_CHARS = 500
export const MAX_BRAND_TONE_CHARS = 1_000
export const MAX_DISCLAIMERS = 20
export const MAX_DISCLAIMER_CHARS = 2_000
export const MAX_LOGOS = 50

export interface CreativeLimit {
  /** The constant. */
  name: string
  value: number
  of: string
  /** What happens beyond it. */
  beyond: string
}

/** The constant is given as `{ NAME }`. */
function row(
  constant: Readonly<Record<string, number>>,
  of: string,
  beyond: string,
): CreativeLimit {
  const [[name, value]] = Object.entries(constant) as [[string, number]]
  return { name, value, of, beyond }
}

const REQUEST = 'INVALID_REQUEST, 400'
const CONTENT = 'VALIDATION_ERROR, 422'
const FETCHED = 'CREATIVE_INACCESSIBLE, 422'
const SVG = 'CREATIVE_INACCESSIBLE, 422; a logo or photo is left out, with a note'
const SHORTENED = 'shortened, with a note'
const NOTED = 'left out, with a note'
const NEXT_PAGE = 'the rest is on the next page'

export const CREATIVE_LIMITS: readonly CreativeLimit[] = [
  row({ MAX_REQUEST_BYTES }, 'bytes of a request with manifests', '413'),
  row({ MAX_ASSETS }, 'assets of a manifest, the items of groups counted', REQUEST),
  row({ MAX_GROUP_ITEMS }, 'items of a repeatable group', REQUEST),
  row({ MAX_PREVIEW_BATCH }, 'creatives of a preview batch', REQUEST),
  row({ MAX_INPUTS }, 'variants of a previewed creative', REQUEST),
  row({ MAX_LIST_BYTES }, 'bytes of creatives on a page of list_creatives', NEXT_PAGE),
  row({ MAX_LIST_ASSIGNMENTS }, 'assignments on a page of list_creatives', NEXT_PAGE),
  row({ MAX_SYNCED_CREATIVES }, 'creatives of a sync', REQUEST),
  row({ MAX_TARGETS }, 'target formats of a build', REQUEST),
  row(
    { MAX_BUILT_VARIANTS },
    'variants of a creative that is built; with all formats at most MAX_TARGETS',
    'built up to it, with a note',
  ),
  row({ MAX_CHECK_TARGETS }, 'targets of validate_input', REQUEST),
  row({ MAX_WORK_CHARS }, 'characters of a manifest, times its targets or inputs', REQUEST),
  row({ MAX_MACRO_TOKENS }, 'names of macros in a table of a caller', REQUEST),
  row(
    { MAX_TRANSLATED_CHARS },
    'characters that the names of macros add to what one build made',
    REQUEST,
  ),
  row({ MAX_MESSAGE_LENGTH }, 'characters of a message', REQUEST),
  row({ MAX_PROMPT_CHARS }, 'characters of message and prompts together', CONTENT),
  row(
    { MAX_READ_CHARS },
    'characters of a message that are read for its copy',
    'the rest is not read, and a note reports it',
  ),
  row(
    { MAX_GUARDED_CHARS },
    'characters of texts and offerings whose figures are compared with what was drawn',
    'not compared, with a note',
  ),
  row({ MAX_MARKUP_CHARS }, 'characters of html, css or javascript', CONTENT),
  row({ MAX_MATCHED_CHARS }, 'characters of a text whose slot has a pattern', CONTENT),
  row({ MAX_REPORTED }, 'faults of a manifest, notes of a build or a page', 'the rest is counted'),
  row({ MAX_READING_PARTS }, 'parts of a message in message_reading', 'omitted, with a note'),
  row(
    { MAX_READING_DIFFERENCES },
    'differences between creatives in message_reading',
    'omitted, with a note',
  ),
  row({ MAX_CALL_CHARS }, 'characters of all pages of a call', `${REQUEST}, for each creative`),
  row({ MAX_INLINE_CHARS }, 'characters of inline material on a page', 'listed, not drawn'),
  row({ MAX_TEXT_CHARS }, 'characters of a text on a page', 'cut, with …'),
  row(
    { MAX_MACRO_GROWTH_CHARS },
    'characters that macros add to a text or address',
    'the macros stay, with a note',
  ),
  row({ MAX_DETAILS }, 'addresses listed below a creative', NOTED),
  row({ MAX_SHOWN_ITEMS }, 'items of a group on a page', NOTED),
  row({ MAX_COMPANIONS }, 'companions of a tag on a page', NOTED),
  row({ MAX_TAG_CHARS }, 'characters of a VAST or DAAST document', 'listed on the page'),
  row({ MAX_WRAPPERS }, 'wrappers around one ad', 'listed on the page'),
  row({ MAX_TAG_FETCHES }, 'tags that a call fetches', 'listed on the page'),
  row({ MAX_STILLS }, 'still pictures of a call', REQUEST),
  row(
    { MAX_STILL_FONT_FILES },
    'files of font packages that a still picture brings along',
    'other letters come from the fonts of the machine',
  ),
  row({ MAX_STILL_PIXELS }, 'pixels of a side of a still', 'drawn smaller'),
  row(
    { MAX_STILL_WINDOW },
    'CSS pixels of a side of the page in a still',
    'UNSUPPORTED_FEATURE, 422; cut with a note where only the content is taller',
  ),
  row({ MAX_STILL_MS }, 'milliseconds for one still', CONTENT),
  row({ MAX_STILL_FILES }, 'images fetched for the stills of a call', NOTED),
  row({ MAX_STILL_FILE_BYTES }, 'bytes of all of them', NOTED),
  row({ MAX_PICTURES }, 'pictures of a manifest that is built from', CONTENT),
  row({ MAX_PICTURE_BYTES }, 'bytes of one picture', FETCHED),
  row({ MAX_BUILD_BYTES }, 'bytes of all pictures of a build', FETCHED),
  row({ MAX_INPUT_PIXELS }, 'pixels of a picture that is read', FETCHED),
  row({ MAX_BUILT_PIXELS }, 'pixels of a picture that is made', 'UNSUPPORTED_FEATURE, 422'),
  row({ MAX_ASSET_BYTES }, 'bytes of a file that is made', 'UNSUPPORTED_FEATURE, 422'),
  row(
    { MAX_VIDEO_PIXELS },
    'pixels of a frame of a video that is made',
    'UNSUPPORTED_FEATURE, 422',
  ),
  row({ MAX_VIDEO_MS }, 'milliseconds of a video that is made', 'UNSUPPORTED_FEATURE, 422'),
  row({ MAX_VIDEOS }, 'videos that one build makes', CONTENT),
  row({ MAX_SOUND_BYTES }, 'bytes of a sound for a video', FETCHED),
  row({ MAX_PHOTOS }, 'photos of offering, manifest and brand that a build tries', 'not used'),
  row({ MAX_PRODUCTS }, 'offerings whose pictures are in one grid', 'not shown'),
  row({ MAX_PHOTO_SCALE }, 'times that a photo with words is enlarged', NOTED),
  row({ MAX_CROP_SIDE }, 'pixels of a side of a photo with words', 'scaled down'),
  row({ MAX_CROP_BYTES }, 'bytes of a photo within a picture or banner', 'encoded smaller'),
  row({ MAX_SVG_BYTES }, 'bytes of an SVG', SVG),
  row({ MAX_SVG_MS }, 'milliseconds of drawing an SVG, clock and processor', SVG),
  row(
    { MAX_SVG_ELEMENTS },
    'elements that an SVG draws: those repeated by use, patterns, masks and markers count each time, a letter as 4, 16 characters of a path as 1',
    SVG,
  ),
  row({ MAX_SVG_DEPTH }, 'levels of elements of an SVG, references included', SVG),
  row(
    { MAX_SVG_PASSES },
    'passes over a megapixel of the filters, masks, layers and patterns of an SVG, which is drawn with 1024 pixels: a blur takes 8, a colour matrix 2.5, feDisplacementMap 72, feMorphology up to 233',
    SVG,
  ),
  row(
    { REFUSED_SVG_MINUTES },
    'minutes that an SVG which was refused or ended is remembered: the same file is refused at once',
    'read again',
  ),
  row(
    { STARVED_SVG_MINUTES },
    'minutes for one that was ended on a busy machine, before it had half of its processor time',
    'read again',
  ),
  row({ MAX_REFUSED_SVGS }, 'such files that are remembered', 'the oldest are forgotten'),
  row({ MAX_FONT_FILES }, 'fonts of ADWIRE_FONTS_DIR', 'not used, with a warning'),
  row({ MAX_FONT_BYTES }, 'bytes of one, and of any font unpacked', 'not used, with a warning'),
  row({ MAX_BRAND_FONTS }, 'fonts of a brand', NOTED),
  row({ MAX_BRAND_FONT_BYTES }, 'bytes of one of them', NOTED),
  row({ MAX_LOGO_BYTES }, 'bytes of a logo', NOTED),
  row({ MAX_LOGO_PIXELS }, 'pixels of a logo', NOTED),
  row({ MAX_BRAND_BYTES }, 'bytes of a brand manifest at an address', FETCHED),
  row({ MAX_BRAND_NAME_CHARS }, 'characters of a brand’s name', SHORTENED),
  row({ MAX_BRAND_URL_CHARS }, 'characters of a brand’s address', NOTED),
  row({ MAX_BRAND_TAGLINE_CHARS }, 'characters of a tagline', SHORTENED),
  row({ MAX_BRAND_TONE_CHARS }, 'characters of a tone', SHORTENED),
  row({ MAX_DISCLAIMERS }, 'disclaimers of a brand', NOTED),
  row({ MAX_DISCLAIMER_CHARS }, 'characters of a disclaimer', SHORTENED),
  row({ MAX_LOGOS }, 'logos of a brand', 'left out'),
]
