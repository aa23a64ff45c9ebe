export function compileScan(): Promise<Uint8Array>
