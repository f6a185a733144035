import { badQuery } from '../../../records/finding/filter.ts'
import { Refusal } from '../../../refusal.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { type Parameters, textOf } from './parameters.ts'

/** The version of a record that is asked for: the present one, or a revision by its number. */
export type VersionAsked = 'present' | { readonly revision: number }

const name = 'resourceVersion'
const words = ['rel:latest-version', 'rel:working-copy']

export function versionIn(parameters: Parameters): VersionAsked {
  const given = textOf(parameters, name)
  if (given === undefined || words.includes(given)) return 'present'
  const revision = given.startsWith('id:') ? wholeNumber(given.slice('id:'.length)) : undefined
  if (revision !== undefined && revision > 0) return { revision }
  throw badQuery(name, `must be id: and the number of a revision, or a word, not ${JSON.stringify(given)}`, words)
}

/** A list is always of the present. */
export function requirePresentVersion(parameters: Parameters): void {
  if (versionIn(parameters) !== 'present')
    throw badQuery(name, 'names a revision of one record; a list takes a word', words)
}

/** What is written is always the present version. */
export function refuseVersion(parameters: Parameters): void {
  if (parameters.has(name)) throw badQuery(name, 'is for reading; leave it out here')
}

/** For what is kept without its earlier versions. */
export function refuseVersionOf(type: string, parameters: Parameters): void {
  if (parameters.has(name)) throw new Refusal('no-versions', `${type} has no versions: leave ${name} out.`)
}
