import { wholeNumber } from '../../fields/scalars.ts'
import { secondsIn } from '../../fields/time.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { limits } from '../../limits.ts'
import { asOfIsForReading, asOfTakesNoBrackets, pastSecond } from '../../records/finding/as-of.ts'
import { badQuery } from '../../records/finding/filter.ts'
import { Refusal } from '../../refusal.ts'
import { atPresent, type PointInTime } from '../../storage/farm-state.ts'

/** A text, or values by bracket, in the order of the query. */
export type ParameterValue = string | ReadonlyMap<string, ParameterValue>

/** Query parameters by name. The last value of a repeated name wins. */
export type QueryParameters = ReadonlyMap<string, ParameterValue>

const knownParameters = ['filter', 'sort', 'page', 'fields', 'include']

export function readParameters(rawUrl: string): QueryParameters {
  const parameters: Tree = new Map()
  for (const entry of readQuery(rawUrl)) {
    refuseUnknownWord(entry)
    place(parameters, [entry.name, ...entry.brackets], entry.value)
  }
  return parameters
}

/** JSON:API reserves names of plain letters; other names are the client's own, and ignored if unknown. */
function refuseUnknownWord({ name }: QueryEntry): void {
  if (/^[a-z]+$/.test(name) && !knownParameters.includes(name))
    throw badQuery(name, 'is not known here', knownParameters)
}

type Tree = Map<string, string | Tree>

function place(parameters: Tree, names: readonly string[], value: string): void {
  let branch = parameters
  for (const name of names.slice(0, -1)) branch = branchUnder(branch, name)
  branch.set(keyIn(branch, names.at(-1) ?? ''), value)
}

function branchUnder(branch: Tree, name: string): Tree {
  const key = keyIn(branch, name)
  const there = branch.get(key)
  if (there instanceof Map) return there
  const under: Tree = new Map()
  branch.set(key, under)
  return under
}

/** Empty brackets append. */
const keyIn = (branch: Tree, name: string): string => (name === '' ? String(nextPosition(branch)) : name)

function nextPosition(branch: Tree): number {
  const positions = [...branch.keys()].filter((key) => /^\d{1,9}$/.test(key)).map(Number)
  return Math.max(-1, ...positions) + 1
}

/** The text of a parameter that takes no brackets. */
function textParameter(parameters: QueryParameters, name: string): string | undefined {
  const given = parameters.get(name)
  if (given === undefined || typeof given === 'string') return given
  throw badQuery(name, 'takes no brackets')
}

/** The full name of a parameter, for refusals. */
export const parameterName = (name: string, ...brackets: readonly string[]): string =>
  name + brackets.map((inside) => `[${inside}]`).join('')

/** The names of a path: `quantity.units.name` has three. */
export type MemberPath = readonly string[]

/** The id of a relationship's target, whatever its type. */
export const targetNumber = 'drupal_internal__target_id'

/**
 * Parses a path. A position after a list (`asset.0.id`) means any of its values; clients write
 * `asset.meta.drupal_internal__target_id` for `asset.drupal_internal__target_id`.
 */
export function pathIn(parameter: string, given: string): MemberPath {
  const names = given.split('.')
  if (names.includes('')) throw badQuery(parameter, `${JSON.stringify(given)} is not a path of names with dots between`)
  const path = names.filter((name, at) => !isPosition(name, at) && !isMetaOfTarget(names, at))
  if (path.length > limits.pathSteps)
    throw badQuery(parameter, `a path may have ${limits.pathSteps} names, this one has ${path.length}`)
  return path
}

const isPosition = (name: string, at: number): boolean => at > 0 && /^\d+$/.test(name)

const isMetaOfTarget = (names: readonly string[], at: number): boolean =>
  at > 0 && names[at] === 'meta' && names[at + 1] === targetNumber

export interface PageSlice {
  readonly offset: number
  readonly limit: number
}

/** Maximum page size. Clients may request more and follow `next`. */
const mostPerPage = 50

export function pageIn(parameters: QueryParameters): PageSlice {
  const given = parameters.get('page') ?? noMembers
  if (typeof given === 'string') throw badQuery('page', 'takes page[limit] and page[offset]')
  refuseOtherPageMembers(given)
  return {
    offset: numberIn(given, 'offset', 0) ?? 0,
    limit: Math.min(numberIn(given, 'limit', 1) ?? mostPerPage, mostPerPage),
  }
}

const noMembers: ReadonlyMap<string, ParameterValue> = new Map()

function refuseOtherPageMembers(given: ReadonlyMap<string, ParameterValue>): void {
  const other = [...given.keys()].find((name) => name !== 'limit' && name !== 'offset')
  if (other !== undefined)
    throw badQuery(parameterName('page', other), 'is not known here', ['page[limit]', 'page[offset]'])
}

function numberIn(given: ReadonlyMap<string, ParameterValue>, name: string, least: number): number | undefined {
  const value = given.get(name)
  if (value === undefined) return undefined
  const number = typeof value === 'string' ? wholeNumber(value) : undefined
  if (number !== undefined && number >= least) return number
  throw badQuery(parameterName('page', name), `must be a whole number from ${least} up`)
}

/** One sort key. */
export interface SortField {
  readonly path: MemberPath
  readonly direction: 'asc' | 'desc'
  /** The parameter, for refusals. */
  readonly parameter: string
}

/** `sort=-timestamp,name`, or the same as `sort[a][path]=timestamp&sort[a][direction]=DESC&sort[b][path]=name`. */
export function sortIn(parameters: QueryParameters): readonly SortField[] {
  const given = parameters.get('sort')
  if (given === undefined) return []
  if (typeof given === 'string') return given.split(',').map((key) => shortKey(key.trim()))
  return [...given].map(([name, key]) => longKey(parameterName('sort', name), key))
}

function shortKey(key: string): SortField {
  const descends = key.startsWith('-')
  const path = pathIn('sort', descends ? key.slice(1) : key)
  return { path, direction: descends ? 'desc' : 'asc', parameter: 'sort' }
}

function longKey(parameter: string, given: ParameterValue): SortField {
  if (typeof given === 'string') throw badQuery(parameter, `takes ${parameter}[path] and ${parameter}[direction]`)
  for (const name of given.keys())
    if (name !== 'path' && name !== 'direction')
      throw badQuery(`${parameter}[${name}]`, 'is not known here', [`${parameter}[path]`, `${parameter}[direction]`])
  const path = given.get('path')
  if (typeof path !== 'string') throw badQuery(`${parameter}[path]`, 'must name what to sort by')
  return { path: pathIn(`${parameter}[path]`, path), direction: directionIn(parameter, given), parameter }
}

function directionIn(parameter: string, given: ReadonlyMap<string, ParameterValue>): SortField['direction'] {
  const direction = given.get('direction') ?? 'ASC'
  const word = typeof direction === 'string' ? direction.toLowerCase() : ''
  if (word === 'asc' || word === 'desc') return word
  throw badQuery(`${parameter}[direction]`, 'must be ASC or DESC', ['ASC', 'DESC'])
}

/** Paths of relationships to include: `asset,quantity,quantity.units`. */
export function includeIn(parameters: QueryParameters): readonly MemberPath[] {
  const given = textParameter(parameters, 'include') ?? ''
  if (given === '') return []
  const paths = new Set(given.split(',').map((path) => path.trim()))
  if (paths.has('')) throw badQuery('include', 'has two commas with nothing between, or one at an end')
  return [...paths].map((path) => pathIn('include', path))
}

/** Members to show by type; a type that is missing here is shown whole. */
export type SparseFields = ReadonlyMap<string, ReadonlySet<string>>

/** `fields[log--harvest]=name,asset`. */
export function sparseFieldsIn(parameters: QueryParameters): SparseFields {
  const given = parameters.get('fields')
  if (given === undefined) return new Map()
  if (typeof given === 'string') throw badQuery('fields', 'takes the name of a type in brackets: fields[log--harvest]')
  return new Map(
    [...given].map(([type, names]) => {
      if (typeof names === 'string') return [type, new Set(names.split(',').map((name) => name.trim()))]
      throw badQuery(parameterName('fields', type), 'must be names with commas between')
    }),
  )
}

/** The current version of a record, or a revision by its number. */
type RequestedVersion = 'present' | { readonly revision: number }

const versionParameter = 'resourceVersion'
const versionWords = ['rel:latest-version', 'rel:working-copy']

export function versionIn(parameters: QueryParameters): RequestedVersion {
  const given = textParameter(parameters, versionParameter)
  if (given === undefined || versionWords.includes(given)) return 'present'
  const revision = given.startsWith('id:') ? wholeNumber(given.slice('id:'.length)) : undefined
  if (revision !== undefined && revision > 0) return { revision }
  throw badQuery(
    versionParameter,
    `must be id: and the number of a revision, or a word, not ${JSON.stringify(given)}`,
    versionWords,
  )
}

/** Lists always show current versions. */
export function requirePresentVersion(parameters: QueryParameters): void {
  if (versionIn(parameters) !== 'present')
    throw badQuery(versionParameter, 'names a revision of one record; a list takes a word', versionWords)
}

/** Writes always apply to the current version. */
export function refuseVersion(parameters: QueryParameters): void {
  if (parameters.has(versionParameter)) throw badQuery(versionParameter, 'is for reading; leave it out here')
}

/** For types without revisions. */
export function refuseVersionOf(type: string, parameters: QueryParameters): void {
  if (parameters.has(versionParameter))
    throw new Refusal('no-versions', `${type} has no versions: leave ${versionParameter} out.`)
}

/** The time of a read: now, or the second in `as_of`. */
export function timeIn(parameters: QueryParameters, now: number): PointInTime {
  const given = parameters.get('as_of')
  if (given === undefined) return atPresent(now)
  if (typeof given !== 'string') throw asOfTakesNoBrackets()
  return pastSecond({ given, second: secondsIn(given) }, now)
}

export function refuseAsOf(parameters: QueryParameters): void {
  if (parameters.has('as_of')) throw asOfIsForReading()
}
