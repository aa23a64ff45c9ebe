// Ten photos that require nobody's permission: painted here, with light, blur and grain, for the sheets of
// docs/images and for looking at what a change does to photos. `node scripts/photo-samples.mjs FOLDER` writes them as
// files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { develop } from './photos/paint.mjs'
import { bottle, cup, food, shoe, watch } from './photos/products.mjs'
import { car, landscape, plant, portrait, sofa } from './photos/scenes.mjs'

/** Each with the brand that would show it. */
export const PHOTO_SAMPLES = [
  sample(
    shoe,
    ['#0F172A', '#F97316'],
    'Stride & Co',
    'The shoe that runs with you',
    'Light as a feather, made for long miles. Free returns for 60 days.',
    'Find your size',
  ),
  sample(
    cup,
    ['#3B2314', '#F2C879'],
    'Morning Roast',
    'Your best hour starts here',
    'Beans roasted this week, on your table on Friday. First bag half price.',
    'Order a bag',
  ),
  sample(
    bottle,
    ['#14532D', '#EAB308'],
    'Olivar',
    'Cold pressed, never hurried',
    'Olive oil from one grove, harvested in October. Ships in two days.',
    'Taste it',
  ),
  sample(
    landscape,
    ['#1E3A5F', '#FDBA74'],
    'Highland Trails',
    'Five days above the clouds',
    'Guided hikes from hut to hut, with luggage carried for you.',
    'See the routes',
  ),
  sample(
    portrait,
    ['#4A1D4F', '#FFD36E'],
    'Lumen Optics',
    'See the evening differently',
    'Lenses that cut the glare of city lights. Eye test included.',
    'Book a test',
  ),
  sample(
    food,
    ['#7F1D1D', '#FCD34D'],
    'Bowl House',
    'Lunch that loves you back',
    'Forty plants a week, cooked fresh at eleven. Delivered in 20 minutes.',
    'Order lunch',
  ),
  sample(
    car,
    ['#0B2447', '#7FD0FF'],
    'Volta Motors',
    'Quiet is the new fast',
    '480 km on one charge, 18 minutes to the next. Test it this week.',
    'Book a test drive',
  ),
  sample(
    sofa,
    ['#1F6458', '#E9A23B'],
    'Nordhem',
    'Room to do nothing',
    'Velvet sofas made to measure, delivered and set up at no cost.',
    'Design yours',
  ),
  sample(
    watch,
    ['#111827', '#FF5B3A'],
    'Meridian',
    'Time, kept by hand',
    'An automatic movement, a sapphire glass, and five years of care.',
    'Discover more',
  ),
  sample(
    plant,
    ['#2F6B3C', '#F4D35E'],
    'Leafwise',
    'A little jungle, delivered',
    'Grown-up plants in clay pots, with a guide for keeping them happy.',
    'Shop plants',
  ),
]

/** A JPEG of 1600x1200, the same bytes in every run. */
export function photoOf({ paint }, index = 0) {
  return develop(paint(), index * 7_919 + 1)
}

function sample(paint, [primary, secondary], name, headline, description, button) {
  return {
    paint,
    subject: paint.name,
    brand: {
      name,
      url: `https://${name.toLowerCase().replace(/[^a-z]/g, '')}.example`,
      colors: { primary, secondary },
    },
    offering: { name: headline, description },
    message: `cta: "${button}"`,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? 'photos'
  mkdirSync(folder, { recursive: true })
  for (const [index, one] of PHOTO_SAMPLES.entries())
    writeFileSync(`${folder}/${one.subject}.jpg`, await photoOf(one, index))
}
