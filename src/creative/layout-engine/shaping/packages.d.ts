// The parts we use of packages that have no types.

declare module 'wawoff2/build/decompress_binding.js' {
  const decoder: {
    calledRun?: boolean
    onRuntimeInitialized?: () => void
    decompress(file: Uint8Array): Uint8Array | false
  }
  export default decoder
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number; required: boolean } | null
  }
}

declare module 'bidi-js/dist/bidi.mjs' {
  interface Bidi {
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): { levels: Uint8Array }
  }
  export default function bidiFactory(): Bidi
}

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module)
    readonly exports: object
  }
}
