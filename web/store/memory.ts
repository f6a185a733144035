import { signal } from '@preact/signals'
import type { CopyDatabase } from './database.ts'
import type { Entry, PhotoWaiting } from './entry.ts'
import type { Meta } from './meta.ts'
import type { Row } from './row.ts'
import type { Catalogue, KeptRecord, Me } from './types.ts'

export type Records = ReadonlyMap<string, KeptRecord>

/** What of the copy lies in memory: everything but most logs. The store writes it, all others read it by `copy.ts`. */
export const memory = {
  database: null as CopyDatabase | null,
  me: signal<Me | null>(null),
  catalogue: signal<Catalogue | null>(null),
  /** As they are shown: what the server has, and what waits to be sent on top. */
  assets: signal<Records>(new Map()),
  terms: signal<Records>(new Map()),
  people: signal<ReadonlyMap<string, string>>(new Map()),
  generation: signal(0),
  /** Assets and terms as they are shown. */
  byUuid: new Map<string, KeptRecord>(),
  /** Assets, terms, and logs with unsent changes, as the server has them; by UUID. */
  ofServer: new Map<string, KeptRecord>(),
  outbox: signal<readonly Entry[]>([]),
  photos: signal<readonly PhotoWaiting[]>([]),
  /** Logs with unsent changes as they are shown; null where one is to be removed. By UUID. */
  unsentLogs: new Map() as ReadonlyMap<string, Row | null>,
  used: signal<Meta['used']>({}),
}
