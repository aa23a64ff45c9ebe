// Small icons next to words; they add no information to the words.

const PATHS = {
  overview: 'M2.5 13.5h11M4 11V7m4 4V3m4 8V5.5',
  deliveries: 'M2 8h9m-3.5-4L11.5 8l-4 4M14 3v10',
  endpoints: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM2 8h12M8 2c4 4 4 8 0 12C4 10 4 6 8 2',
  received: 'M2 9.5 4 3h8l2 6.5V13H2ZM2 9.5h3.5L7 11.5h2l1.5-2H14',
  tasks: 'M6.5 4H14M6.5 8H14M6.5 12H14M2 4l1 1 1.5-2M2 8l1 1 1.5-2M2 12l1 1 1.5-2',
  approvals: 'M8 1.8 13 4v4c0 3-2 5.2-5 6.2C5 13.2 3 11 3 8V4ZM5.8 8l1.6 1.6L10.4 6.5',
  verify: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14M5 7l1.4 1.4L9 5.8',
  signals:
    'M8 9.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4ZM4.8 11.2a4.5 4.5 0 0 1 0-6.4M11.2 4.8a4.5 4.5 0 0 1 0 6.4M2.6 13.4a7.6 7.6 0 0 1 0-10.8M13.4 2.6a7.6 7.6 0 0 1 0 10.8',
  buys: 'M2 4h12v9H2ZM2 7h12M5 10h3M5.5 4V2.5h5V4',
  registry:
    'M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12ZM3 12a1.5 1.5 0 0 1 1.5-1.5H13M6 5.5h4',
  keys: 'M5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm2.2-5.2L13 2m-2.5 2.5L12.5 6.5',
  agents:
    'M5 6.5h6a2 2 0 0 1 2 2V12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8.5a2 2 0 0 1 2-2ZM8 6.5V3.2M8 3.2a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4M6 10v.1M10 10v.1',
  principals:
    'M8 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM2.8 13.7c.5-2.7 2.5-4.2 5.2-4.2s4.7 1.5 5.2 4.2',
  sessions: 'M2 3h12v7.5H2ZM5.5 13.5h5M8 10.5v3M5 7.8c.3-1.4 1.4-2.2 3-2.2s2.7.8 3 2.2',
  audit: 'M4 2h6l3 3v9H4ZM6.5 7h4M6.5 9.5h4M6.5 12h2',
  studio: 'M2 3h12v8H2ZM5 14h6M8 11v3M4.5 9l2.5-3 1.8 2 1.4-1.6L12 9',
  copy: 'M5.5 5.5h7v8h-7ZM3.5 10.5v-8h7',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6Z',
  leave: 'M6.5 2.5h-4v11h4M6 8h8m-3-3 3 3-3 3',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.3a1.7 1.7 0 1 1 2.4 1.6c-.5.2-.7.5-.7 1.1M8 11.2v.1',
  menu: 'M2 4h12M2 8h12M2 12h12',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
