/** The built documentation, relative to both src and dist. */
export const documentationFolder: URL = new URL('../dist/docs/', import.meta.url)

/** The built app. */
export const appFolder: URL = new URL('../dist/app/', import.meta.url)

/** Names, crops, chores and amounts of the demo farm. */
export const demoFolder: URL = new URL('../examples/demo/', import.meta.url)

/** The entry point for Node. */
export const programStart: URL = new URL('../dist/main.cjs', import.meta.url)
