// Contact sheets: twenty messages each, with the picture that was built beside the message.
import { renderAsync } from '@resvg/resvg-js'
import sharp from 'sharp'

const [COLUMNS, ROWS] = [4, 5]
const [CELL_WIDTH, CELL_HEIGHT, PICTURE_WIDTH, PICTURE_HEIGHT] = [480, 200, 216, 180]
const [LINE_LENGTH, LINES] = [38, 13]

export async function sheetsOf(returned) {
  const sheets = []
  for (let from = 0; from < returned.length; from += COLUMNS * ROWS) {
    sheets.push(await sheetOf(returned.slice(from, from + COLUMNS * ROWS), from))
  }
  return sheets
}

async function sheetOf(returned, from) {
  const size = { width: COLUMNS * CELL_WIDTH, height: ROWS * CELL_HEIGHT }
  const placed = returned.map((one, index) => ({
    ...one,
    left: (index % COLUMNS) * CELL_WIDTH,
    top: Math.floor(index / COLUMNS) * CELL_HEIGHT,
    number: from + index + 1,
  }))
  const texts = await renderAsync(svgOf(placed, size), { font: { loadSystemFonts: true } })
  const pictures = placed.filter(({ picture }) => picture !== undefined)
  const pieces = await Promise.all(
    pictures.map(async ({ picture, left, top }) => ({
      input: await sharp(picture).resize(PICTURE_WIDTH, PICTURE_HEIGHT).png().toBuffer(),
      left: left + CELL_WIDTH - PICTURE_WIDTH - 8,
      top: top + 10,
    })),
  )
  const raw = { ...size, channels: 4 }
  return sharp(texts.pixels, { raw }).composite(pieces).png().toBuffer()
}

function svgOf(placed, { width, height }) {
  const lines = placed.flatMap(({ message, number, language, left, top }) =>
    [`${number}. ${language}`, ...linesOf(message)].map(
      (line, at) =>
        `<text x="${left + 8}" y="${top + 20 + at * 13}" font-size="11" font-family="sans-serif">${escaped(line)}</text>`,
    ),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}</svg>`
}

/** Broken at blanks, or anywhere in scripts that have none; what is longer ends with three dots. */
function linesOf(message) {
  const lines = []
  for (const paragraph of message.split('\n')) {
    let line = ''
    for (const piece of paragraph.match(/\S{1,20}\s*/gu) ?? []) {
      if (wide(line + piece) > LINE_LENGTH) {
        lines.push(line)
        line = ''
      }
      line += piece
    }
    if (line !== '') lines.push(line)
  }
  return lines.length > LINES ? [...lines.slice(0, LINES), '…'] : lines
}

function wide(text) {
  return text.length + (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu)?.length ?? 0)
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
