import type { harvestFields } from '../farm/logs/harvest.ts'
import type { inputFields } from '../farm/logs/input.ts'
import type { Values, ValuesOfFields } from '../fields/value.ts'

// The values of a log are what the catalogue says; of another type they are missing.
const asLog = (values: Values) => values as ValuesOfFields<typeof harvestFields> & ValuesOfFields<typeof inputFields>

export const assetsIn = (values: Values): readonly number[] => asLog(values).asset ?? none

export const materialsIn = (values: Values): readonly number[] => asLog(values).material ?? none

export const hasLot = (values: Values): boolean => (asLog(values).lot_number ?? '').trim() !== ''

const none: readonly number[] = []
