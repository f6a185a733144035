import { createHash } from 'node:crypto'
import { changeSetWith } from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import { setOfCreation } from '../../storage/journal.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
import { bodyOf } from './row-body.ts'
import { columnFor, type RowGroup } from './sheet-input.ts'

/** The record that a row was made into earlier, or the UUID that its record is to have. */
export type RememberedRow =
  | { readonly is: 'recorded'; readonly id: number; readonly isRemoved: boolean }
  | { readonly is: 'new'; readonly uuid: string }

/**
 * The farm remembers rows by the UUIDs of the records that they become: these follow from what a row says, and from how
 * many rows above it say the same. So the second of two equal crates is another one, and a book that comes again is known.
 */
export class RowMemory {
  readonly #counts = new Map<string, number>()

  async lookUp(
    snapshot: Snapshot,
    opened: OpenedSheet,
    groups: readonly RowGroup[],
  ): Promise<(group: RowGroup) => RememberedRow | undefined> {
    const { sheet } = opened
    if (sheet.type.name !== 'log' || sheet.match !== undefined || columnFor(sheet, 'uuid') !== undefined)
      return () => undefined
    const words = new Map(groups.map((group) => [group, this.#numbered(wordOf(opened, group))] as const))
    const known = await identitiesOf(
      snapshot,
      [...words.values()].map(({ word, nth }) => uuidOf(word, nth)),
    )
    const remembered = new Map<RowGroup, RememberedRow>()
    for (const [group, { word, nth }] of words) {
      const identity = known.get(uuidOf(word, nth))
      const isKnown = identity !== undefined && sheet.options.again === '0'
      if (identity === undefined) remembered.set(group, { is: 'new', uuid: uuidOf(word, nth) })
      else if (isKnown && !(await wasUndone(snapshot, identity))) remembered.set(group, recorded(identity))
    }
    return (group) => remembered.get(group)
  }

  #numbered(word: string): { readonly word: string; readonly nth: number } {
    const nth = this.#counts.get(word) ?? 0
    this.#counts.set(word, nth + 1)
    return { word, nth }
  }
}

/** Whether the import that made a record was taken back: then its rows are as good as new. */
async function wasUndone(snapshot: Snapshot, { number, removed }: Identity): Promise<boolean> {
  if (removed === null) return false
  const set = await setOfCreation(snapshot, { type: 'log', id: number })
  const kept = set === undefined ? undefined : await changeSetWith(snapshot, set)
  return (kept?.undone_by ?? null) !== null
}

const recorded = ({ number, removed }: Identity): RememberedRow => ({
  is: 'recorded',
  id: number,
  isRemoved: removed !== null,
})

/** What a row says, whatever its file is written in. Names that were composed do not count. */
function wordOf(opened: OpenedSheet, group: RowGroup): string {
  const { sheet } = opened
  const bundle = bundleOfRow(opened, group.rows[0])
  const { tree } = bodyOf(sheet, group, { before: undefined, bundle, referred: (_field, word) => ({ word }) })
  const { name, ...rest } = tree
  const isNamed = sheet.columns.some((column) => column.name === 'name')
  const topics = sheet.columns.flatMap(({ at, topic }) =>
    topic === undefined ? [] : [[topic.subject, (group.rows[0].cells[at] ?? '').trim()]],
  )
  const said = [sheet.type.name, bundle ?? '', isNamed ? name : '', Object.entries(rest).toSorted(byName), topics]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

function uuidOf(word: string, nth: number): string {
  const digest = createHash('sha256').update(`${word} ${nth}`).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
