import { textOf } from '../../formats/xml/write-xml.ts'
import type { Refusal, RefusalName } from '../../refusal.ts'
import { refusals } from '../../refusal.ts'
import type { AnswerFormat } from '../../wire-1x/answer-format.ts'

/** What goes over the wire when the answer is no. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

interface ProblemDetails extends Problem {
  readonly body: string
}

export const typeOfRefusal = (name: RefusalName): string => `urn:furrow:refusal:${name}`
export const typeOfBug = 'urn:furrow:bug'

/** A refusal as RFC 9457 problem details. */
export function problemOf(refusal: Refusal, format: AnswerFormat): ProblemDetails {
  const { title, status } = refusals[refusal.refusal]
  const errors = refusal.details.faults ?? []
  const members = {
    type: typeOfRefusal(refusal.refusal),
    title,
    status,
    detail: refusal.message,
    ...refusal.details.members,
  }
  return spelled(errors.length === 0 ? members : { ...members, errors }, format, headersOf(refusal))
}

/** A fault of ours: the caller learns the number under which the log knows it, and no more. */
export function problemOfBug(requestId: string, format: AnswerFormat): ProblemDetails {
  const members = {
    type: typeOfBug,
    title: 'Something went wrong here',
    status: 500,
    detail: 'It is a fault of this server: its log has more under this request_id.',
    request_id: requestId,
  }
  return spelled(members, format, {})
}

/** What the answer carries beside its body, in whatever words that is written. */
export function headersOf({ refusal, status, details }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {}
  if (refusal === 'unauthenticated' || details.challenge) {
    const parameters = Object.entries({ realm: 'farm', ...details.challenge })
    headers['www-authenticate'] = `Bearer ${parameters.map(([name, value]) => `${name}=${quoted(value)}`).join(', ')}`
  }
  if (details.allow) headers.allow = details.allow.join(', ')
  if (status === 429 || status === 503) headers['retry-after'] = String(details.retryAfterSeconds ?? 1)
  return headers
}

/** RFC 6750 section 3 leaves quotes, backslashes and everything beyond ASCII out of these values. */
const quoted = (value: string) => `"${value.replace(/[^\x20-\x7e]|["\\]/g, '?')}"`

function spelled(
  members: ProblemMembers,
  format: AnswerFormat,
  headers: Readonly<Record<string, string>>,
): ProblemDetails {
  const isXml = format === 'xml'
  return {
    status: members.status,
    headers: {
      ...headers,
      'content-type': isXml ? 'application/problem+xml; charset=utf-8' : 'application/problem+json; charset=utf-8',
    },
    body: isXml ? problemXml(members) : JSON.stringify(members),
  }
}

type ProblemMembers = Readonly<Record<string, unknown>> & { readonly status: number }

/** RFC 7807 appendix A: members are elements, the items of a list are called `i`. */
function problemXml(members: ProblemMembers): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807">${contentOf(members)}</problem>`
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<i>${contentOf(item)}</i>`).join('')
  if (typeof value !== 'object' || value === null) return textOf(String(value))
  return Object.entries(value)
    .map(([name, member]) => `<${name}>${contentOf(member)}</${name}>`)
    .join('')
}
