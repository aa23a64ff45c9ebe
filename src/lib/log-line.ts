// The part of a logger that components need: less than any logger has, `console` included.

export type LogLine = (fields: object, message: string) => void
