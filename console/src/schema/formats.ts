// The text formats that a form supports: how each is distinguished from others, and the message if a text does not
// match.

interface Format {
  test(text: string): boolean
  fault: string
}

export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['uri', { test: isUri, fault: 'Must be a URL such as https://example.com.' }],
  ['url', { test: isUri, fault: 'Must be a URL such as https://example.com.' }],
  [
    'email',
    {
      test: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
      fault: 'Must be an address such as name@example.com.',
    },
  ],
  [
    'date-time',
    {
      test: (text) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
      fault: 'Must be a time such as 2026-01-31T12:00:00Z.',
    },
  ],
  [
    'date',
    {
      test: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
      fault: 'Must be a date such as 2026-01-31.',
    },
  ],
])

const DATE_TIME =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:[Zz]|[+-]\d{2}:\d{2})?$/

function isUri(text: string): boolean {
  return URL.canParse(text)
}
