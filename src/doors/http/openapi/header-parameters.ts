import type { Schema } from './schema.ts'

const header = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

export const ifNoneMatch = header('If-None-Match', 'The ETag of an earlier answer; 304 where nothing has changed since')
export const ifMatch = header(
  'If-Match',
  'The ETag or the version that the record had when it was read; 412 where it has changed since',
)
export const idempotencyKey = header(
  'Idempotency-Key',
  'A word of the caller’s own; the same request is carried out once',
)

const text: Schema = { schema: { type: 'string' } }

/** What every answer to a write tells beside its body. */
export const writeHeaders: Schema = {
  'Change-Set': { description: 'The id of the changes that this request, or the first of its kind, has made', ...text },
  'Idempotent-Replayed': { description: 'true where it had been done before and nothing was changed', ...text },
}

export const unchanged: Schema = { description: 'Nothing has changed since the answer with that ETag' }
