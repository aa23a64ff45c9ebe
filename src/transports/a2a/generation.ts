// The two generations of A2A that are spoken.

export type Generation = '0.3' | '1.0'
