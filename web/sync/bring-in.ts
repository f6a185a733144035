import type { Answer } from './ask.ts'
import { thenLook } from './bring-back.ts'
import { tell } from './tell.ts'

interface Bringing {
  /** With all its parameters. */
  readonly path: string
  readonly contentType: string
  readonly body: Blob
}

/** Milliseconds: 20,000 rows take their time, and 32 MB on a slow line. */
const patience = 600_000

/** What the farm would make of a sheet or a map. Nothing is kept. */
export function tryOut<T>({ path, contentType, body }: Bringing, signal: AbortSignal): Promise<Answer<T>> {
  const headers = { 'content-type': contentType }
  return tell(`${path}&dry_run=1`, { method: 'POST', headers, body, patience, signal })
}

/** All of it as one set of changes. With the same key it is done once, however often it is sent. */
export function bringIn<T>({ path, contentType, body }: Bringing, key: string): Promise<Answer<T>> {
  const headers = { 'content-type': contentType, 'idempotency-key': key }
  return thenLook(tell<T>(path, { method: 'POST', headers, body, patience }))
}

/** The key lets it be sent again where no answer came. */
export function undoSet(set: string): Promise<Answer<unknown>> {
  const headers = { 'idempotency-key': `undo-${set}` }
  return thenLook(tell(`/changes/${set}/undo`, { method: 'POST', headers, patience }))
}
