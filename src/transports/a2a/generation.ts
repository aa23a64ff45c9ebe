// The two supported generations of A2A.

export type Generation = '0.3' | '1.0'
