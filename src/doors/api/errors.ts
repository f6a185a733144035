import { STATUS_CODES } from 'node:http'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import { headersOf, type ProblemResponse, type RefusalForm } from '../http/problem-details.ts'
import { jsonapi, mediaType } from './documents/document.ts'

/** Every refusal under these addresses is a JSON:API document. */
export const apiRefusalForm: RefusalForm = {
  paths: /^\/(?:api|subrequests)(?:\/|$)/,
  spell: (refusal) => errorsOf(inItsWords(refusal)),
  spellBug: (requestId) => problemWith(500, [bugOf(requestId)]),
}

/** 1.x clients refresh their token on 403 only; clients of /api expect 401. */
function inItsWords(refusal: Refusal): Refusal {
  if (refusal.refusal !== 'unauthenticated') return refusal
  return new Refusal('unauthenticated-api', refusal.message, { challenge: refusal.details.challenge ?? {} })
}

function errorsOf(refusal: Refusal): ProblemResponse {
  const { faults = [] } = refusal.details
  const errors =
    faults.length === 0 ? [errorWith(refusal, refusal.message)] : faults.map((one) => errorOf(refusal, one))
  const { status, headers, body } = problemWith(refusal.status, errors)
  return { status, headers: { ...headersOf(refusal), ...headers }, body }
}

interface ApiError {
  readonly title: string
  readonly status: string
  readonly detail: string
  readonly code?: string
  readonly id?: string
  readonly source?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, unknown>>
}

const errorWith = ({ refusal, status, details }: Refusal, detail: string): ApiError => ({
  title: titleOf(status),
  status: String(status),
  code: refusal,
  detail,
  ...(details.members === undefined ? {} : { meta: details.members }),
})

function errorOf(refusal: Refusal, fault: RefusalFault): ApiError {
  const { field, message, allowed } = fault
  const error = errorWith(refusal, field === '' ? message : `${field}: ${message}`)
  const source = sourceOf(refusal, fault)
  return {
    ...error,
    ...(source === undefined ? {} : { source }),
    ...(allowed === undefined ? {} : { meta: { ...error.meta, allowed } }),
  }
}

function sourceOf({ refusal }: Refusal, { field, pointer }: RefusalFault): ApiError['source'] {
  if (refusal === 'bad-query') return { parameter: field }
  if (pointer !== undefined) return { pointer }
  return refusal === 'unreadable-body' && field !== '' ? { pointer: pointerOfPath(field.split('.')) } : undefined
}

const bugOf = (requestId: string): ApiError => ({
  id: requestId,
  title: titleOf(500),
  status: '500',
  detail: 'It is a fault of this server: its log has more under this id.',
})

/** The names of RFC 9110; Node has older ones for two. */
const titleOf = (status: number): string => titles[status] ?? STATUS_CODES[status] ?? ''

const titles: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' }

const problemWith = (status: number, errors: readonly ApiError[]): ProblemResponse => ({
  status,
  headers: { 'content-type': mediaType },
  // Sent as bytes: the HTTP library adds a charset to text, which JSON:API forbids.
  body: Buffer.from(JSON.stringify({ jsonapi, errors })),
})

/** The JSON Pointer (RFC 6901) of a path. */
export const pointerOfPath = (names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Adds pointers into the body to the faults of a refusal. Existing pointers stay. */
export function pointed(refusal: Refusal, pointerOf: (fault: RefusalFault) => string | undefined): Refusal {
  const { faults = [] } = refusal.details
  const pointing = faults.map((fault) => {
    const pointer = fault.pointer ?? pointerOf(fault)
    return pointer === undefined ? fault : { ...fault, pointer }
  })
  return new Refusal(refusal.refusal, refusal.message, { ...refusal.details, faults: pointing })
}
