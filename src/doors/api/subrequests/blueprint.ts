import { limits } from '../../../limits.ts'
import { Refusal, type RefusalFault } from '../../../refusal.ts'
import { pointerOfPath } from '../errors.ts'

/** One request of a blueprint. */
export interface RequestPart {
  readonly id: string
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Ids of requests that must be answered before. */
  readonly waitFor: readonly string[]
}

const methods: ReadonlyMap<unknown, string> = new Map([
  ['view', 'GET'],
  ['create', 'POST'],
  ['update', 'PATCH'],
  ['replace', 'PUT'],
  ['delete', 'DELETE'],
  ['exists', 'HEAD'],
  ['discover', 'OPTIONS'],
])

/** Stands for the whole blueprint; waiting for it means nothing. */
const root = '<ROOT>'

/** The requests of a blueprint. */
export function readBlueprint(tree: unknown): readonly RequestPart[] {
  if (!Array.isArray(tree)) throw new Refusal('unreadable-body', 'A list of requests was expected.')
  if (tree.length > limits.subrequests) {
    const message = `${limits.subrequests} requests may come together, these are ${tree.length}: send fewer at a time.`
    throw new Refusal('too-large', message)
  }
  const faults: RefusalFault[] = []
  const parts = tree.map((one, at) => partIn(one, at, faults))
  const ids = new Set<string>()
  for (const [at, { id }] of parts.entries()) {
    if (ids.has(id)) faults.push(faultAt([at, 'requestId'], `${JSON.stringify(id)} is given twice`))
    ids.add(id)
  }
  for (const [at, { waitFor }] of parts.entries()) {
    const unknown = waitFor.find((id) => !ids.has(id))
    if (unknown !== undefined) faults.push(faultAt([at, 'waitFor'], `there is no request ${JSON.stringify(unknown)}`))
  }
  if (faults.length > 0) throw new Refusal('bad-request', 'The requests could not be understood.', { faults })
  return parts
}

const faultAt = (path: readonly (string | number)[], message: string, allowed?: readonly string[]): RefusalFault => ({
  field: path.join('.'),
  message,
  pointer: pointerOfPath(path),
  ...(allowed === undefined ? {} : { allowed }),
})

const known = ['requestId', 'action', 'uri', 'headers', 'body', 'waitFor']

function partIn(given: unknown, at: number, faults: RefusalFault[]): RequestPart {
  const members = isObject(given) ? given : {}
  if (!isObject(given)) faults.push(faultAt([at], 'must be an object'))
  const fault = (name: string, message: string, allowed?: readonly string[]) => {
    faults.push(faultAt([at, name], message, allowed))
  }
  for (const name of Object.keys(members)) if (!known.includes(name)) fault(name, 'is not known here', known)
  const { requestId = `request-${at}`, action, uri, headers = {}, body = null, waitFor = [] } = members
  const method = methods.get(action)
  if (typeof requestId !== 'string' || requestId === '') fault('requestId', 'must be a text')
  if (method === undefined) fault('action', 'must say what to do', [...methods.keys()].map(String))
  if (typeof uri !== 'string' || uri === '') fault('uri', 'must be an address')
  if (!isObject(headers) || !Object.entries(headers).every(isHeader)) fault('headers', 'must be an object of headers')
  if (typeof body !== 'string' && body !== null) fault('body', 'must be JSON as a text, in quotes')
  if (!isListOfTexts(waitFor)) fault('waitFor', 'must be a list of ids of requests')
  return {
    id: String(requestId),
    method: method ?? '',
    uri: String(uri),
    headers: isObject(headers) ? inLowerCase(headers) : {},
    body: typeof body === 'string' ? body : null,
    waitFor: isListOfTexts(waitFor) ? waitFor.filter((id) => id !== root) : [],
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const isListOfTexts = (given: unknown): given is string[] =>
  Array.isArray(given) && given.every((one) => typeof one === 'string')

const isHeader = ([name, value]: readonly [string, unknown]): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

const inLowerCase = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

/** Topological order, stable otherwise. */
export function inOrder(parts: readonly RequestPart[]): readonly RequestPart[] {
  const sorted: RequestPart[] = []
  const done = new Set<string>()
  let left = parts
  while (left.length > 0) {
    const next = left.find(({ waitFor }) => waitFor.every((id) => done.has(id)))
    if (next === undefined) throw circular(left)
    sorted.push(next)
    done.add(next.id)
    left = left.filter((part) => part !== next)
  }
  return sorted
}

function circular(left: readonly RequestPart[]): Refusal {
  const ids = left.map(({ id }) => JSON.stringify(id)).join(', ')
  return new Refusal('bad-request', `These requests wait for each other: ${ids}.`)
}
