import { existsSync, readFileSync } from 'node:fs'

/** From package.json, one folder up in both src and dist. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** The commit that this was built from, as the build has written it down; `unknown` where it did not know. */
export const commit: string = commitIn(new URL('build.json', import.meta.url))

function commitIn(file: URL): string {
  if (!existsSync(file)) return 'unknown'
  const { commit: written } = JSON.parse(readFileSync(file, 'utf8'))
  return typeof written === 'string' && /^[0-9a-f]{7,40}$/.test(written) ? written : 'unknown'
}

/** The version of the 1.x interface (spec 9), independent of the program's. */
export const interfaceVersion = '1.3'

/** The version of /api: clients require that it begins with 2 or 3. */
export const newerInterfaceVersion = '3.4.5'
