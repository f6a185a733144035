import { createHash } from 'node:crypto'
import type { ReferableType } from '../../fields/field.ts'
import type { Tree } from '../../fields/place.ts'
import { changeSetWith } from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import { setOfCreation } from '../../storage/journal.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { type CropPlanting, lookUpPlantings } from './crop-plantings.ts'
import { matchesOf, matchWordsOf, type RowMatch } from './match-rows.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
import { lookUpWords, type NamedInCells, type WordsByType } from './references.ts'
import { bodyOf } from './row-body.ts'
import { columnFor, type RowGroup } from './sheet-input.ts'

/** Records that some rows refer to, on one snapshot. */
export interface RowLookup {
  readonly named: NamedInCells
  /** Undefined if the rows name no record. */
  matchOf(group: RowGroup): RowMatch | undefined
  stored(id: number): StoredRecord | undefined
  /** The planting that the crop of a row means. */
  plantingOf(group: RowGroup): CropPlanting | undefined
  /** Whether an earlier import made a record of the row. */
  rememberedOf(group: RowGroup): RememberedRow | undefined
}

/** References in rows, as text. They do not depend on the snapshot. The memory notes what the rows say. */
export function wordsIn(opened: OpenedSheet, groups: readonly RowGroup[], memory: RowMemory): WordsByType {
  const words = new Map<ReferableType, Set<string>>()
  for (const group of groups) {
    const { tree } = bodyOf(opened.sheet, group, {
      before: undefined,
      bundle: bundleOfRow(opened, group.rows[0]),
      referred: ({ to }, word) => {
        words.set(to, (words.get(to) ?? new Set()).add(word))
        return { word }
      },
    })
    memory.note(opened, group, tree)
  }
  return words
}

export async function lookUpRecords(
  snapshot: Snapshot,
  opened: OpenedSheet,
  groups: readonly RowGroup[],
): Promise<Omit<RowLookup, 'named' | 'plantingOf' | 'rememberedOf'>> {
  const { sheet } = opened
  const requests = new Map(
    groups.flatMap((group) => {
      const one = matchWordsOf(sheet, group)
      return one === undefined ? [] : [[group, one] as const]
    }),
  )
  const [first] = groups
  const bundle = first === undefined ? undefined : bundleOfRow(opened, first.rows[0])
  const match =
    sheet.match === undefined
      ? undefined
      : await matchesOf(snapshot, { key: sheet.match, type: sheet.type.name, bundle }, [...requests.values()])
  const matches = new Map(
    [...requests].flatMap(([group, one]) => (match === undefined ? [] : [[group, match(one)] as const])),
  )
  const ids = [...matches.values()].flatMap((one) => (one.is === 'there' ? [one.id] : []))
  const stored = await recordsByIds(snapshot, sheet.type.name, [...new Set(ids)])
  return { matchOf: (group) => matches.get(group), stored: (id) => stored.get(id) }
}

export const lookUpRows = async (
  snapshot: Snapshot,
  opened: OpenedSheet,
  {
    groups,
    words,
    memory,
  }: { readonly groups: readonly RowGroup[]; readonly words: WordsByType; readonly memory: RowMemory },
): Promise<RowLookup> => ({
  ...(await lookUpRecords(snapshot, opened, groups)),
  named: await lookUpWords(snapshot, words),
  plantingOf: await lookUpPlantings(snapshot, opened.sheet, groups),
  rememberedOf: await memory.lookUp(snapshot, opened, groups),
})

/** The record that a row was made into earlier, or the UUID that its record is to have. */
type RememberedRow =
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
