import type { ReferableType } from '../../fields/field.ts'
import type { Snapshot } from '../../storage/database.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { type CropPlanting, lookUpPlantings } from './crop-plantings.ts'
import { matchesOf, matchWordsOf, type RowMatch } from './match-rows.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
import { lookUpWords, type NamedInCells, type WordsByType } from './references.ts'
import { bodyOf } from './row-body.ts'
import type { RememberedRow, RowMemory } from './row-memory.ts'
import type { RowGroup } from './sheet-input.ts'

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
