type Schema = Record<string, unknown>

export declare const ANSWERS: Readonly<Record<string, Schema>>
export declare function envelopeOf(release: string, options?: { hasStatus?: boolean }): Schema
