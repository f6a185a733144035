import { badQuery } from '../../../records/finding/filter.ts'
import { type Given, type Parameters, written } from './parameters.ts'
import { type Path, pathIn } from './path.ts'

/** One key of an order. */
export interface SortKey {
  readonly path: Path
  readonly direction: 'asc' | 'desc'
  /** How its parameter is written, for a refusal to point at. */
  readonly parameter: string
}

/** `sort=-timestamp,name`, or the same as `sort[a][path]=timestamp&sort[a][direction]=DESC&sort[b][path]=name`. */
export function sortIn(parameters: Parameters): readonly SortKey[] {
  const given = parameters.get('sort')
  if (given === undefined) return []
  if (typeof given === 'string') return given.split(',').map((key) => shortKey(key.trim()))
  return [...given].map(([name, key]) => longKey(written('sort', name), key))
}

function shortKey(key: string): SortKey {
  const descends = key.startsWith('-')
  const path = pathIn('sort', descends ? key.slice(1) : key)
  return { path, direction: descends ? 'desc' : 'asc', parameter: 'sort' }
}

function longKey(parameter: string, given: Given): SortKey {
  if (typeof given === 'string') throw badQuery(parameter, `takes ${parameter}[path] and ${parameter}[direction]`)
  for (const name of given.keys())
    if (name !== 'path' && name !== 'direction')
      throw badQuery(`${parameter}[${name}]`, 'is not known here', [`${parameter}[path]`, `${parameter}[direction]`])
  const path = given.get('path')
  if (typeof path !== 'string') throw badQuery(`${parameter}[path]`, 'must name what to sort by')
  return { path: pathIn(`${parameter}[path]`, path), direction: directionIn(parameter, given), parameter }
}

function directionIn(parameter: string, given: ReadonlyMap<string, Given>): SortKey['direction'] {
  const direction = given.get('direction') ?? 'ASC'
  const word = typeof direction === 'string' ? direction.toLowerCase() : ''
  if (word === 'asc' || word === 'desc') return word
  throw badQuery(`${parameter}[direction]`, 'must be ASC or DESC', ['ASC', 'DESC'])
}
