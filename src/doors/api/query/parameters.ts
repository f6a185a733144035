import { badQuery } from '../../../records/finding/filter.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'

/** What a parameter holds: a text, or what stands under each of its brackets, in the order of the query. */
export type Given = string | ReadonlyMap<string, Given>

/** The parameters of a query by their names. Of a name that is repeated the last value counts. */
export type Parameters = ReadonlyMap<string, Given>

const known = ['filter', 'sort', 'page', 'fields', 'include']

export function readParameters(rawUrl: string): Parameters {
  const parameters: Tree = new Map()
  for (const entry of readQuery(rawUrl)) {
    refuseUnknownWord(entry)
    place(parameters, [entry.name, ...entry.brackets], entry.value)
  }
  return parameters
}

/** JSON:API keeps plain words for itself; what holds another character is the caller's own, and ignored where it means nothing. */
function refuseUnknownWord({ name }: QueryEntry): void {
  if (/^[a-z]+$/.test(name) && !known.includes(name)) throw badQuery(name, 'is not known here', known)
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
export function textOf(parameters: Parameters, name: string): string | undefined {
  const given = parameters.get(name)
  if (given === undefined || typeof given === 'string') return given
  throw badQuery(name, 'takes no brackets')
}

/** How the name of a parameter is written, for a refusal to point at. */
export const written = (name: string, ...brackets: readonly string[]): string =>
  name + brackets.map((inside) => `[${inside}]`).join('')
