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
const idempotencyKey = header('Idempotency-Key', 'A word of the caller’s own; the same request is carried out once')

export const dryRun: Schema = {
  name: 'dry_run',
  in: 'query',
  description:
    'Everything is checked and nothing is kept. The answer is that of the same request without it, but for the id, UUID, address and version of whatever would be new, which are left out; would_create lists the terms that would be made by name. See docs/dry-run.md',
  schema: { type: 'integer', enum: [1] },
}

/** What every write takes. */
export const writeParameters: readonly Schema[] = [dryRun, idempotencyKey]

const text: Schema = { schema: { type: 'string' } }

/** What every answer to a write tells beside its body. */
export const writeHeaders: Schema = {
  'Change-Set': { description: 'The id of the changes that this request, or the first of its kind, has made', ...text },
  'Idempotent-Replayed': { description: 'true where it had been done before and nothing was changed', ...text },
  'Dry-Run': { description: '1 where dry_run was asked for: nothing was kept', ...text },
}

export const unchanged: Schema = { description: 'Nothing has changed since the answer with that ETag' }
