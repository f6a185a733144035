/** Where the build puts the pages of docs/ for the farm to serve, seen from here both in src and in dist. */
export const documentationFolder: URL = new URL('../dist/docs/', import.meta.url)

/** Where the build puts the app. */
export const appFolder: URL = new URL('../dist/app/', import.meta.url)

/** The names, crops, chores and amounts of the demo farm. */
export const demoFolder: URL = new URL('../examples/demo/', import.meta.url)

/** What Node is told to run. */
export const programStart: URL = new URL('../dist/main.cjs', import.meta.url)
