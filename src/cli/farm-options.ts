import { defaultSettings } from '../config.ts'
import { many, one, oneOrElse, type Values } from './option.ts'
import { anyText, postgresAddress } from './option-values.ts'

const dataDirectory = (help: string) => oneOrElse('DIR', anyText, { help, fallback: defaultSettings.data })

/** Where the farm is, or is to be, and what it can record. */
export const farmOptions = {
  data: dataDirectory('The data directory of the embedded database, created if missing'),
  database: one('URL', postgresAddress, {
    help: 'A postgres:// address to use instead of the embedded database; give one with a password in the variable',
    confidential: true,
    yieldsTo: 'data',
  }),
  module: many('FILE', anyText, { help: 'A module file that adds to what this farm can record' }),
}

/** Likewise for commands that need a farm which is there already. */
export const existingFarmOptions = {
  ...farmOptions,
  data: dataDirectory('The data directory of the embedded database'),
}

export type FarmValues = Values<typeof farmOptions>
