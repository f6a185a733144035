import type { RowFiles } from '../../storage/backup/export-rows.ts'
import { ChangeSet } from '../../storage/change-set.ts'
import type { StoredFile } from '../../storage/file-rows.ts'
import { identityRows, type NewIdentity } from '../../storage/identity.ts'
import { journalRows } from '../../storage/journal.ts'
import { materialUuid } from '../../storage/records/quantity-rows.ts'
import { rowOf, type StoredRecord } from '../../storage/records/stored.ts'
import { quantitiesIn, takenRow, termsIn } from '../quantities/quantities-of-log.ts'
import { newUuid } from '../writing/draft.ts'

/** The author of records that the farm itself brings along. */
const theFarmItself = 0

/** Author and times of a quantity, where its source knows them. */
export type QuantityColumns = (uuid: string) => Pick<StoredRecord, 'uid' | 'created' | 'changed'> | undefined

/** Writes records of elsewhere as rows of this farm: each under its own number, as created by one set of changes. */
export class ArrivingRecords {
  readonly #rows: RowFiles
  readonly #now: number
  readonly #set: ChangeSet
  readonly #columnsOf: QuantityColumns
  #entries = 0
  #quantities = 0

  constructor(rows: RowFiles, now: number, columnsOf: QuantityColumns = () => undefined) {
    this.#rows = rows
    this.#columnsOf = columnsOf
    this.#now = now
    const given = { id: newUuid(now), at: now, uid: theFarmItself, client: null, request: null }
    this.#set = new ChangeSet(given)
    rows.add('change_set', { ...given, undoes: null, undone_by: null, results: null })
  }

  /** The id of the change set. */
  get set(): string {
    return this.#set.id
  }

  /** A quantity without a log is numbered among those of logs. */
  add(arriving: StoredRecord): void {
    const record = arriving.type === 'quantity' ? { ...arriving, id: ++this.#quantities } : arriving
    const { type, id, uuid } = record
    this.#rows.add(type, { id, ...rowOf(record) })
    this.#identify({ uuid, type, number: id, uid: theFarmItself })
    for (const row of journalRows(this.#set, [{ verb: 'create', record, at: this.#now }]))
      this.#rows.add('journal', { sequence: ++this.#entries, ...row })
    if (type === 'log') this.#addQuantities(record)
  }

  addFile(file: StoredFile): void {
    this.#rows.add('file', { ...file })
    this.#identify({ uuid: file.uuid, type: 'file', number: file.id, uid: theFarmItself })
  }

  #addQuantities({ id: log, uuid, uid, changed, values }: StoredRecord): void {
    for (const quantity of quantitiesIn(values)) {
      const term = termsIn(quantity.values)[0] ?? 0
      const named = { ...quantity, uuid: quantity.uuid ?? materialUuid({ log: uuid, term, nth: 0 }) }
      const number = ++this.#quantities
      this.#rows.add('quantity', {
        ...takenRow(named, log, {
          id: number,
          uid,
          created: changed,
          changed,
          revision: 0,
          ...this.#columnsOf(named.uuid),
        }),
      })
      this.#identify({ uuid: named.uuid, type: 'quantity', number, uid: theFarmItself })
    }
  }

  #identify(identity: NewIdentity): void {
    for (const row of identityRows([identity])) this.#rows.add('identity', { ...row, removed: null, ended: null })
  }
}
