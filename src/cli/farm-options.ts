import { defaultSettings } from '../config.ts'
import { many, one, oneOrElse, type Values } from './option.ts'
import { anyText, postgresAddress } from './option-values.ts'

/** Where the farm is and what it can record: every command that opens the farm takes these. */
export const farmOptions = {
  data: oneOrElse('DIR', anyText, {
    help: 'The data directory of the embedded database, created if missing',
    fallback: defaultSettings.data,
  }),
  database: one('URL', postgresAddress, {
    help: 'A postgres:// address to use instead of the embedded database; give one with a password in the variable',
    confidential: true,
  }),
  module: many('FILE', anyText, { help: 'A module file that adds to what this farm can record' }),
}

export type FarmValues = Values<typeof farmOptions>
