import { signal } from '@preact/signals'
import type { CopyDatabase, Meta } from './database.ts'
import type { Entry, WaitingPhoto } from './outbox-entry.ts'
import type { CatalogueDocument, CopyRow, LocalRecord, Me } from './record.ts'

export type RecordMap = ReadonlyMap<string, LocalRecord>

/** The part of the local copy that is in memory: everything but most logs. Screens read it through `local-copy.ts`. */
export const memory = {
  database: null as CopyDatabase | null,
  me: signal<Me | null>(null),
  catalogue: signal<CatalogueDocument | null>(null),
  /** As shown: server records with unsent changes on top. */
  assets: signal<RecordMap>(new Map()),
  terms: signal<RecordMap>(new Map()),
  people: signal<ReadonlyMap<string, string>>(new Map()),
  generation: signal(0),
  /** Assets and terms as shown. */
  byUuid: new Map<string, LocalRecord>(),
  /** Assets, terms, and logs with unsent changes, as the server has them; by UUID. */
  ofServer: new Map<string, LocalRecord>(),
  outbox: signal<readonly Entry[]>([]),
  photos: signal<readonly WaitingPhoto[]>([]),
  /** Logs with unsent changes as shown; null for a removal. By UUID. */
  unsentLogs: new Map() as ReadonlyMap<string, CopyRow | null>,
  used: signal<Meta['used']>({}),
}

export function unsentRows(): CopyRow[] {
  return [...memory.unsentLogs.values()].filter((row) => row !== null)
}

/** True if the log has unsent changes, so that its database row is not what is shown. */
export const isUnsent = ({ uuid }: { readonly uuid: string }): boolean => memory.unsentLogs.has(uuid)
