import { readFileSync } from 'node:fs'

/** As package.json has it, one folder up from here both in src and in dist. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** Of the record interface (spec 9), which grows apart from the program. */
export const interfaceVersion = '1.3'

/** The level of the newer interface (`/api`), of which clients ask that it begins with 2 or 3. */
export const newerInterfaceVersion = '3.4.5'
