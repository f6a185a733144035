import type { RecordTypeName } from '../../../farm/farm.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { recordsInTurn, revisionsByIds } from '../../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { budgetOfPage } from '../../http/answers/answer-budget.ts'
import type { Catalogue } from './document.ts'
import { type Template, templateOf } from './template.ts'

/** Where the templates of records come from. */
export interface TemplateSource {
  of(snapshot: Snapshot, type: RecordTypeName, ids: readonly number[]): Promise<ReadonlyMap<number, Template>>
}

/** The template of a record in a transaction that may still be undone: it is made for the moment and not remembered. */
export const freshTemplates = (catalogue: Catalogue, record: StoredRecord): TemplateSource => ({
  of: async () => new Map([[record.id, templateOf(record, catalogue)]]),
})

/** About how many characters of templates one half of the memory holds. */
const mostCharacters = 2 * mebibyte

/**
 * Templates of records of one edition of the farm that were shown before. One is used only for the very revision it was made of, which is asked of
 * the database each time, and ids are never given twice: so it can neither be stale nor somebody else's.
 */
export class Templates implements TemplateSource {
  readonly #catalogue: Catalogue
  #recent = new Map<string, Template>()
  #older = new Map<string, Template>()
  #characters = 0

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** The templates of these records in that order; those that do not exist are left out. */
  async of(snapshot: Snapshot, type: RecordTypeName, ids: readonly number[]): Promise<ReadonlyMap<number, Template>> {
    const revisions = await revisionsByIds(snapshot, type, ids)
    const found = new Map<number, Template>()
    const missing: number[] = []
    for (const id of ids) {
      const revision = revisions.get(id)
      if (revision === undefined) continue
      const known = this.#remembered(`${type} ${id}`)
      if (known?.revision === revision) found.set(id, known)
      else missing.push(id)
    }
    if (missing.length === 0) return found
    const budget = budgetOfPage(missing.length)
    for await (const record of recordsInTurn(snapshot, type, missing)) {
      const template = this.#remember(record)
      budget?.take(template.length)
      found.set(record.id, template)
    }
    return new Map(ids.flatMap((id) => pairedIn(found, id)))
  }

  #remember(record: StoredRecord): Template {
    const template = templateOf(record, this.#catalogue)
    this.#keep(`${record.type} ${record.id}`, template)
    return template
  }

  #remembered(key: string): Template | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.#keep(key, older)
    return older
  }

  /** When one half is full it becomes the older one, and what was not asked for since is forgotten. */
  #keep(key: string, template: Template): void {
    this.#recent.set(key, template)
    this.#characters += template.length
    if (this.#characters < mostCharacters) return
    this.#older = this.#recent
    this.#recent = new Map()
    this.#characters = 0
  }
}

function pairedIn(found: ReadonlyMap<number, Template>, id: number): [number, Template][] {
  const template = found.get(id)
  return template === undefined ? [] : [[id, template]]
}
