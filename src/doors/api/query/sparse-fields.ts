import { badQuery } from '../../../records/finding/filter.ts'
import { type Parameters, written } from './parameters.ts'

/** The attributes and relationships to show of each type; a type that is not in it is shown whole. */
export type SparseFields = ReadonlyMap<string, ReadonlySet<string>>

/** `fields[log--harvest]=name,asset`. */
export function sparseFieldsIn(parameters: Parameters): SparseFields {
  const given = parameters.get('fields')
  if (given === undefined) return new Map()
  if (typeof given === 'string') throw badQuery('fields', 'takes the name of a type in brackets: fields[log--harvest]')
  return new Map(
    [...given].map(([type, names]) => {
      if (typeof names === 'string') return [type, new Set(names.split(',').map((name) => name.trim()))]
      throw badQuery(written('fields', type), 'must be names with commas between')
    }),
  )
}
