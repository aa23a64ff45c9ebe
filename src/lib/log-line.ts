// What a part needs of a log when it has something to say: less than any logger has, `console` included.

export type LogLine = (fields: object, message: string) => void
