import type { RecordTypeName } from '../farm/farm.ts'
import { recordTypeNames } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { type InputPlace, isTree, placeAt, shown, type Tree } from '../fields/place.ts'
import { yesOrNo } from '../fields/scalars.ts'
import { limits } from '../limits.ts'
import { isMatch, matchForm } from '../records/writing/draft.ts'
import { Refusal, type RefusalFault } from '../refusal.ts'
import { KnownId } from './read-field.ts'
import { faultsOfUuid, ownUuidIn } from './record-draft.ts'

/** One operation of a batch as it was sent: names of earlier results may still stand where ids will. */
export interface BatchOperation {
  readonly verb: 'create' | 'update' | 'remove'
  readonly type: RecordTypeName
  /** The id or the UUID, or `$name` of an earlier result; empty for a new record. */
  readonly id: string
  /** The UUID that a new record is to have. */
  readonly uuid: string | undefined
  /** The version or ETag of the record as read, as in If-Match. */
  readonly match: string | undefined
  readonly body: unknown
  /** The name under which later operations refer to what this one creates. */
  readonly as: string | undefined
}

export interface Batch {
  /** All or nothing, or each operation by itself. */
  readonly atomic: boolean
  readonly operations: readonly BatchOperation[]
  /** Identifies a repeated batch. */
  readonly uuid: string | undefined
}

const membersOfBatch = ['operations', 'atomic', 'uuid']
const membersOfOperation = ['method', 'path', 'body', 'as', 'if_match']

export function batchIn(body: unknown): Batch {
  if (!isTree(body)) throw refused([{ field: 'operations', message: 'is required: a list of operations' }])
  const faults: RefusalFault[] = []
  const top = placeAt('', { faults, words: () => [] })
  const list = top.inside('operations')
  const { operations, atomic = true } = body
  for (const name of Object.keys(body)) {
    if (!membersOfBatch.includes(name)) top.inside(name).fault('is not part of a batch', membersOfBatch)
  }
  faults.push(...faultsOfUuid(body))
  const isAtomic = yesOrNo(atomic)
  if (isAtomic === undefined) top.inside('atomic').fault(`must be true or false, not ${shown(atomic)}`)
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > limits.operations) {
    list.fault(`must be a list of 1 to ${limits.operations} operations`)
    throw refused(faults)
  }
  const read = operations.flatMap((one, index) => operationIn(one, list.inside(index)))
  noteRepeatedNames(operations, list)
  if (faults.length > 0) throw refused(faults)
  return { atomic: isAtomic === true, operations: read, uuid: ownUuidIn(body) }
}

function noteRepeatedNames(operations: readonly unknown[], list: InputPlace): void {
  const known = new Set<string>()
  for (const [index, one] of operations.entries()) {
    const as = isTree(one) ? one.as : undefined
    if (typeof as !== 'string') continue
    if (known.has(as))
      list
        .inside(index)
        .inside('as')
        .fault(`${shown(as)} is already the name of an earlier result`)
    known.add(as)
  }
}

const refused = (faults: readonly RefusalFault[]): Refusal =>
  new Refusal('invalid-content', `${faults[0]?.field}: ${faults[0]?.message}.`, { faults })

const resultName = `[\\w-]{1,${limits.resultName}}`
const resultNames = new RegExp(`^${resultName}$`)
const typeNamed = new Map(recordTypeNames.map((type) => [resourceNames[type], type]))
const paths = new RegExp(
  `^/(${[...typeNamed.keys()].join('|')})(?:/(\\d{1,15}|[\\da-fA-F-]{36}|\\$${resultName}))?(?:\\.json|\\.xml)?/?$`,
)
const pathForms = [...typeNamed.keys()].flatMap((resource) => [`/${resource}`, `/${resource}/{id}`])

function operationIn(input: unknown, place: InputPlace): BatchOperation[] {
  const sent: Tree = isTree(input) ? input : {}
  const { method, path, body, as } = sent
  const [, resource = '', id = ''] = (typeof path === 'string' && paths.exec(path)) || []
  const type = typeNamed.get(resource)
  const verb = verbOf(method, id)
  if (type === undefined) {
    const fault = path === undefined ? 'is required' : `${shown(path)} is not the address of records`
    place.inside('path').fault(fault, pathForms)
  } else if (verb === undefined) {
    const fault = method === undefined ? 'is required' : `${shown(method)} does not go with ${shown(path)}`
    place.inside('method').fault(fault, id === '' ? ['POST'] : ['PUT', 'DELETE'])
  } else if (verb !== 'remove' && body === undefined) place.inside('body').fault('is required')
  const named = typeof as === 'string' && resultNames.test(as)
  if (as !== undefined && as !== null && !named) {
    place.inside('as').fault(`must be a name of 1 to ${limits.resultName} letters, digits, _ and -`)
  }
  for (const name of Object.keys(sent)) {
    if (!membersOfOperation.includes(name)) place.inside(name).fault('is not part of an operation', membersOfOperation)
  }
  const match = matchIn(sent.if_match, verb, place.inside('if_match'))
  if (type === undefined || verb === undefined) return []
  const uuid = verb === 'create' ? ownUuidIn(body) : undefined
  return [{ verb, type, id, body, uuid, match, as: named ? as : undefined }]
}

/** One version or tag, or a list of them; the same in one text with commas between. */
function matchIn(input: unknown, verb: BatchOperation['verb'] | undefined, place: InputPlace): string | undefined {
  if (input === undefined || input === null) return undefined
  if (verb === 'create') return place.fault('goes with PUT and DELETE only: a new record was never seen')
  const match = Array.isArray(input) ? input.join() : input
  return typeof match === 'string' && isMatch(match) ? match : place.fault(`must be ${matchForm}, not ${shown(input)}`)
}

function verbOf(method: unknown, id: string): BatchOperation['verb'] | undefined {
  if (id === '') return method === 'POST' ? 'create' : undefined
  if (method === 'PUT' || method === 'POST') return 'update'
  return method === 'DELETE' ? 'remove' : undefined
}

/** The record made by an earlier operation. */
export interface NamedResult {
  readonly type: RecordTypeName
  readonly id: number
}

export type NamedResults = ReadonlyMap<string, NamedResult>

/** The body with the ids of earlier results in place of their names: wherever `"id"` is `"$name"`. */
export function withResults(body: unknown, results: NamedResults): unknown {
  if (results.size === 0 || !isTree(body)) return body
  const own = resultNamed(body.id, results)
  const named = withKnownIds(body, results) as Tree
  // Its own id, which only may be repeated, is a plain one.
  return own === undefined ? named : { ...named, id: String(own.id) }
}

function withKnownIds(input: unknown, results: NamedResults): unknown {
  if (Array.isArray(input)) return input.map((one) => withKnownIds(one, results))
  if (!isTree(input)) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const result = name === 'id' ? resultNamed(value, results) : undefined
      if (result === undefined) return [name, withKnownIds(value, results)]
      return [name, new KnownId(result.type, result.id, String(value))]
    }),
  )
}

export const resultNamed = (value: unknown, results: NamedResults): NamedResult | undefined =>
  typeof value === 'string' && value.startsWith('$') ? results.get(value.slice(1)) : undefined
