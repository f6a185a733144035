import { readFileSync } from 'node:fs'

/** From package.json, one folder up in both src and dist. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** The version of the 1.x interface (spec 9), independent of the program's. */
export const interfaceVersion = '1.3'

/** The version of /api: clients require that it begins with 2 or 3. */
export const newerInterfaceVersion = '3.4.5'
