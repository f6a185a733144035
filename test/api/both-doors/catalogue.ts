import type { RecordType } from '../../../src/farm/farm.ts'
import { fieldsOf } from '../../../src/farm/fields-of.ts'
import { stockFarm } from '../../../src/farm/stock-farm.ts'
import { isWritable } from '../../../src/fields/field.ts'
import type { BundleModel } from './bundles.ts'

/** The bundles of the catalogue, each behind its type, with the fields that somebody may write. */
export function cataloguedFields(): Readonly<Record<string, readonly string[]>> {
  const { log, asset, term, quantity } = stockFarm.records
  return Object.fromEntries([log, asset, term, quantity].flatMap(fieldsOfType))
}

const fieldsOfType = (type: RecordType): readonly (readonly [string, readonly string[]])[] =>
  Object.entries(type.bundles).map(([name, bundle]) => {
    const fields = Object.entries(fieldsOf(type, bundle)).filter(([own, field]) => isWritable(field) && !isNoted(own))
    return [`${type.name} ${name}`, fields.map(([own]) => own).toSorted()]
  })

/** What a record is, and what was said of its last change, is told of every record alike. */
const isNoted = (own: string): boolean => ['type', 'vocabulary', 'revision_log_message'].includes(own)

/** The same, by what the model knows. */
export function modelledFields(bundles: readonly BundleModel[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    bundles.map(({ family, older, facts, unseen = [] }) => [
      `${family === 'area' ? 'term' : family} ${older}`,
      [...facts.flatMap(({ keptIn }) => keptIn), ...unseen].toSorted(),
    ]),
  )
}

/** The words of the catalogue's lists, as they are kept. */
export const cataloguedWords = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(stockFarm.lists).map(([list, choices]) => [list, choices.map(({ value }) => value).toSorted()]),
  )
