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
  'The ETag that the record had when it was read; 412 where it has changed since',
)
export const idempotencyKey = header(
  'Idempotency-Key',
  'A word of the caller’s own; the same request is carried out once',
)

export const unchanged: Schema = { description: 'Nothing has changed since the answer with that ETag' }
