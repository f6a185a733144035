import type { Caller } from '../../access/caller.ts'
import type { Records } from '../../records/records.ts'
import type { WrittenEntry } from '../../storage/backup/directory.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { StoredFile } from '../../storage/file-rows.ts'
import type { Report } from '../../storage/report.ts'

/** A farm that is written down for people who have no Furrow: all of it of one moment. */
export interface FarmInSheets {
  readonly snapshot: Snapshot
  readonly records: Records
  readonly caller: Caller
  readonly zone: string
  readonly report: Report
  readonly photos: Photos
}

/** A file that is written, and what it has in it. */
export interface ExportedFile extends WrittenEntry {
  /** What it is, for the page that explains all of them. */
  readonly about: string
  /** How many there are of what it lists, once it is written. */
  readonly count: () => number
  readonly form: 'sheet' | 'map' | 'photo'
  /** Whether its bytes are no longer what they were when they were recorded. */
  readonly isDamaged?: boolean
}

/** What the files of the farm are called outside: after the first record that shows them. */
export class Photos {
  readonly #named = new Map<number, string>()

  get ids(): readonly number[] {
    return [...this.#named.keys()]
  }

  note(file: number, record: string): void {
    if (!this.#named.has(file)) this.#named.set(file, plainName(record))
  }

  pathOf({ id, name, mime }: Pick<StoredFile, 'id' | 'name' | 'mime'>): string {
    const [, ending = (/^\w+\/(\w{1,5})$/.exec(mime) ?? [])[1] ?? 'bin'] = /\.(\w{1,10})$/.exec(name) ?? []
    return `files/${this.#named.get(id) || 'file'}-${id}.${ending.toLowerCase()}`
  }
}

/** Letters and digits of every script, and nothing that a file system minds. */
const plainName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
