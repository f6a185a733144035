import { memory } from '../store/memory.ts'
import { type KeptRecord, typeOnTheWire } from '../store/record.ts'
import { type Answer, askServer, jsonHeaders, tellServer } from './request.ts'
import { syncNow } from './schedule.ts'

/** Out of the trash, with what it refers to that lies there too. This needs signal. */
export function restoreFromTrash(uuid: string): Promise<Answer<unknown>> {
  return thenSync(tellServer(`/trash/${uuid}/restore?with=referents`, { method: 'POST' }))
}

/** A record as it was at an earlier revision, all of it. This needs signal, too. */
export function revertTo({ type, id }: Pick<KeptRecord, 'type' | 'id'>, revision: number): Promise<Answer<unknown>> {
  const options = { method: 'POST', headers: jsonHeaders, body: JSON.stringify({ revision }) } as const
  return thenSync(tellServer(`/${typeOnTheWire[type]}/${id}/revert`, options))
}

/** What has changed there is soon to be seen here. */
async function thenSync<T>(told: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await told
  if (answer.failure === null) syncNow()
  return answer
}

interface ImportUpload {
  /** With all its parameters. */
  readonly path: string
  readonly contentType: string
  readonly body: Blob
}

/** Milliseconds: 20,000 rows take their time, and 32 MB on a slow line. */
const patience = 600_000

/** What the farm would make of a sheet or a map. Nothing is kept. */
export function previewImport<T>({ path, contentType, body }: ImportUpload, signal: AbortSignal): Promise<Answer<T>> {
  const headers = { 'content-type': contentType }
  return tellServer(`${path}&dry_run=1`, { method: 'POST', headers, body, patience, signal })
}

/** All of it as one set of changes. With the same key it is done once, however often it is sent. */
export function runImport<T>({ path, contentType, body }: ImportUpload, key: string): Promise<Answer<T>> {
  const headers = { 'content-type': contentType, 'idempotency-key': key }
  return thenSync(tellServer<T>(path, { method: 'POST', headers, body, patience }))
}

/** The key lets it be sent again where no answer came. */
export function undoChangeSet(set: string): Promise<Answer<unknown>> {
  const headers = { 'idempotency-key': `undo-${set}` }
  return thenSync(tellServer(`/changes/${set}/undo`, { method: 'POST', headers, patience }))
}

interface Users {
  readonly data: readonly { readonly id: string }[]
}

const mediaType = { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' }

/** Lets the account remember the language, where there is signal: another device begins with it. */
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
