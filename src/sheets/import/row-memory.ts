import { createHash } from 'node:crypto'
import type { Tree } from '../../fields/place.ts'
import { changeSetWith } from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import { setOfCreation } from '../../storage/journal.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
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
  readonly #hashes: WeakMap<RowGroup, string>

  constructor(hashes: WeakMap<RowGroup, string> = new WeakMap()) {
    this.#hashes = hashes
  }

  /** A memory that counts from the first row again, and knows what rows say already. */
  fromTheStart(): RowMemory {
    return new RowMemory(this.#hashes)
  }

  /** Notes what rows say. Their references are spelled as in the sheet. */
  note(opened: OpenedSheet, group: RowGroup, tree: Tree): void {
    if (isRemembered(opened)) this.#hashes.set(group, hashOf(opened, group, tree))
  }

  async lookUp(
    snapshot: Snapshot,
    opened: OpenedSheet,
    groups: readonly RowGroup[],
  ): Promise<(group: RowGroup) => RememberedRow | undefined> {
    if (!isRemembered(opened)) return () => undefined
    const uuids = new Map(
      groups.flatMap((group) => {
        const hash = this.#hashes.get(group)
        return hash === undefined ? [] : [[group, this.#uuidOf(hash)] as const]
      }),
    )
    const known = await identitiesOf(snapshot, [...uuids.values()])
    const remembered = new Map<RowGroup, RememberedRow>()
    for (const [group, uuid] of uuids) {
      const identity = known.get(uuid)
      const isKnown = identity !== undefined && opened.sheet.options.again === '0'
      if (identity === undefined) remembered.set(group, { is: 'new', uuid })
      else if (isKnown && !(await wasUndone(snapshot, identity))) remembered.set(group, recorded(identity))
    }
    return (group) => remembered.get(group)
  }

  #uuidOf(hash: string): string {
    const nth = this.#counts.get(hash) ?? 0
    this.#counts.set(hash, nth + 1)
    const digest = createHash('sha256').update(`${hash} ${nth}`).digest('hex')
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  }
}

const isRemembered = ({ sheet }: OpenedSheet): boolean =>
  sheet.type.name === 'log' && sheet.match === undefined && columnFor(sheet, 'uuid') === undefined

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
function hashOf(opened: OpenedSheet, group: RowGroup, { name, ...rest }: Tree): string {
  const { sheet } = opened
  const bundle = bundleOfRow(opened, group.rows[0])
  const isNamed = sheet.columns.some((column) => column.name === 'name')
  const topics = sheet.columns.flatMap(({ at, topic }) =>
    topic === undefined ? [] : [[topic.subject, (group.rows[0].cells[at] ?? '').trim()]],
  )
  const said = [sheet.type.name, bundle ?? '', isNamed ? name : '', Object.entries(rest).toSorted(byName), topics]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1
