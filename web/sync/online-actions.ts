import { memory } from '../store/memory.ts'
import { type LocalRecord, typeOnTheWire } from '../store/record.ts'
import { type Answer, askServer, jsonHeaders, tellServer } from './request.ts'
import { syncNow } from './schedule.ts'

/** Restores a record with the records it refers to. Needs signal. */
export function restoreFromTrash(uuid: string): Promise<Answer<unknown>> {
  return thenSync(tellServer(`/trash/${uuid}/restore?with=referents`, { method: 'POST' }))
}

/** Reverts a record to an earlier revision. Needs signal. */
export function revertTo({ type, id }: Pick<LocalRecord, 'type' | 'id'>, revision: number): Promise<Answer<unknown>> {
  const options = { method: 'POST', headers: jsonHeaders, body: JSON.stringify({ revision }) } as const
  return thenSync(tellServer(`/${typeOnTheWire[type]}/${id}/revert`, options))
}

/** Starts a sync after success. */
async function thenSync<T>(request: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await request
  if (answer.failure === null) syncNow()
  return answer
}

interface ImportUpload {
  /** Including the query. */
  readonly path: string
  readonly contentType: string
  readonly body: Blob
}

/** Milliseconds: time for 20,000 rows, or 32 MB on a slow line. */
const patience = 600_000

/** Previews an import without storing anything. */
export function previewImport<T>({ path, contentType, body }: ImportUpload, signal: AbortSignal): Promise<Answer<T>> {
  const headers = { 'content-type': contentType }
  return tellServer(`${path}&dry_run=1`, { method: 'POST', headers, body, patience, signal })
}

/** Imports as one change set; the key makes retries safe. */
export function runImport<T>({ path, contentType, body }: ImportUpload, key: string): Promise<Answer<T>> {
  const headers = { 'content-type': contentType, 'idempotency-key': key }
  return thenSync(tellServer<T>(path, { method: 'POST', headers, body, patience }))
}

/** The key makes retries safe. */
export function undoChangeSet(set: string): Promise<Answer<unknown>> {
  const headers = { 'idempotency-key': `undo-${set}` }
  return thenSync(tellServer(`/changes/${set}/undo`, { method: 'POST', headers, patience }))
}

interface UndoProgress {
  readonly records: number
  readonly pending: number
}

/** Undoes a set of any size, some seconds at a time; each answer says how far it is. */
export async function undoInSlices(set: string, tell: (progress: UndoProgress) => void): Promise<Answer<unknown>> {
  for (;;) {
    const answer = await thenSync<UndoProgress>(
      tellServer(`/changes/${set}/undo?slices=1`, { method: 'POST', patience }),
    )
    if (answer.failure !== null) return answer
    tell(answer.body)
    if (answer.body.pending === 0) return answer
  }
}

interface Users {
  readonly data: readonly { readonly id: string }[]
}

const mediaType = { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' }

/** Stores the language at the account, for other devices; without signal it does nothing. */
export async function saveAccountLanguage(language: string): Promise<void> {
  const me = memory.me.peek()
  if (me === null) return
  const found = await askServer<Users>(`/api/user/user?filter[drupal_internal__uid]=${me.account.id}`, {
    headers: mediaType,
  })
  const [user] = found.failure === null ? found.body.data : []
  if (user === undefined) return
  const data = { type: 'user--user', id: user.id, attributes: { preferred_langcode: language } }
  await tellServer(`/api/user/user/${user.id}`, { method: 'PATCH', headers: mediaType, body: JSON.stringify({ data }) })
}
