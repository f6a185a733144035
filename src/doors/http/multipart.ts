import { Refusal } from '../../refusal.ts'
import { contentDispositionIn, type NamedContent } from './content-disposition.ts'

/** One part of a form (RFC 7578). */
export interface FormPart extends NamedContent {
  /** As the part declares it; empty where it does not. */
  readonly type: string
  readonly bytes: Buffer
}

/** RFC 2046, section 5.1.1. */
const boundaryForm = /;\s*boundary\s*=\s*(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'+./:=?-]{1,70}))\s*(?:;|$)/i

/** As much as the headers of a part may have. */
const headBytes = 8_192

/** Lines of a file that begin like a boundary and are none: senders choose one that is not in the file. */
const mostAlike = 1_000

/**
 * The only part of a form. The body is gone through once and nothing of it is copied; a second part is refused as soon as it begins, so that
 * no number of parts costs more than one.
 */
export function onlyPartOf(contentType: string, body: Buffer): FormPart {
  const [, quoted, bare] = boundaryForm.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw unreadable('its Content-Type names no boundary')
  const line = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const isAtOnce = body.subarray(0, line.length - 2).equals(line.subarray(2))
  const first = (isAtOnce ? delimiterAt(body, line, -2) : null) ?? nextDelimiter(body, line, 0)
  if (first === undefined) throw unreadable('it does not begin with its boundary')
  if (first.isLast) throw unreadable('it has no part')
  const headEnd = body.subarray(first.end, first.end + headBytes).indexOf('\r\n\r\n')
  if (headEnd < 0) throw unreadable(`the headers of its part do not end within ${headBytes} bytes`)
  const start = first.end + headEnd + 4
  const next = nextDelimiter(body, line, start - 2)
  if (next === undefined) throw unreadable('it ends before its last boundary')
  if (!next.isLast) throw unreadable('it has more than one part: send one file at a time, and nothing beside it')
  return partOf(body.toString('latin1', first.end, start - 4), body.subarray(start, Math.max(start, next.start)))
}

interface Delimiter {
  /** Where the line break before it begins, which is no part of the content. */
  readonly start: number
  readonly end: number
  readonly isLast: boolean
}

function nextDelimiter(body: Buffer, line: Buffer, from: number): Delimiter | undefined {
  let at = body.indexOf(line, from)
  for (let alike = 0; at >= 0; alike += 1) {
    const delimiter = delimiterAt(body, line, at)
    if (delimiter !== null) return delimiter
    if (alike === mostAlike) throw unreadable('the file is full of its boundary: choose another')
    at = body.indexOf(line, at + 1)
  }
  return undefined
}

/** A longer line that begins alike is content. */
function delimiterAt(body: Buffer, line: Buffer, start: number): Delimiter | null {
  const after = start + line.length
  const [rest] = /^(?:--|[ \t]*\r\n)/.exec(body.toString('latin1', after, after + 80)) ?? []
  return rest === undefined ? null : { start, end: after + rest.length, isLast: rest === '--' }
}

function partOf(head: string, bytes: Buffer): FormPart {
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const coding = headers.get('content-transfer-encoding') ?? 'binary'
  if (!/^(?:binary|8bit|7bit)$/i.test(coding)) throw unreadable(`its part is encoded as "${coding}": send it as it is`)
  const disposition = headers.get('content-disposition') ?? ''
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) throw unreadable('its part has no Content-Disposition: form-data')
  const named = contentDispositionIn(disposition)
  // Browsers write quotes in names as %22.
  const fileName = named.form === 'quoted' ? named.fileName?.replaceAll('%22', '"') : named.fileName
  return { ...named, fileName, type: headers.get('content-type') ?? '', bytes }
}

const unreadable = (why: string): Refusal => new Refusal('unreadable-body', `The form could not be read: ${why}.`)
