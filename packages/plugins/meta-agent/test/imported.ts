/** What a manifest may name and nobody registered: that it was imported is seen. */
Object.assign(globalThis, { wasImported: true })

export {}
