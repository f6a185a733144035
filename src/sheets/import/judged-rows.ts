import { isDeepStrictEqual } from 'node:util'
import { trimmedTextKey } from '../../fields/key.ts'
import { uuidIn } from '../../fields/scalars.ts'
import { limits } from '../../limits.ts'
import { separateValues } from '../cells.ts'
import { tagsOfRow } from './match-rows.ts'
import { type NamedInCells, numberIn, type WordsByType } from './references.ts'
import type { Judgement, RowDecision } from './row-decisions.ts'
import type { RowLookup } from './row-lookup.ts'
import { topicCell } from './row-topics.ts'
import { cellIn, columnNamed, type RowGroup, type SheetInput } from './sheet-input.ts'

/** Rows that were looked at together, and what the farm had of what they speak of. */
interface RowsLookup {
  readonly standing: RowLookup
  readonly words: WordsByType
}

interface JudgedRow extends RowsLookup {
  readonly group: RowGroup
  readonly decision: RowDecision
}

/** What was said of rows before the write began. It still holds where nothing of what they speak of has changed since. */
export class JudgedRows {
  readonly #rows = new Map<number, JudgedRow>()
  #standing: RowLookup | undefined
  #hold = new Map<RowLookup, boolean>()

  /** Those of a sheet that is taken in several pieces are not kept, and judged again. */
  add(group: RowGroup, { decision, awaited }: Judgement, look: RowsLookup): void {
    if (awaited === undefined && this.#rows.size < limits.sheet.rows)
      this.#rows.set(group.rows[0].row, { ...look, group, decision })
  }

  /** The decision on rows, unless they have to be judged anew. */
  still(group: RowGroup, now: RowLookup): RowDecision | undefined {
    const judged = this.#rows.get(group.rows[0].row)
    if (judged === undefined || !this.#namesHold(judged, now)) return undefined
    if (now.plantingOf(group)?.is === 'several') return undefined
    const match = now.matchOf(group)
    if (!isDeepStrictEqual(match, judged.standing.matchOf(judged.group))) return undefined
    if (match?.is !== 'there') return judged.decision
    const [had, has] = [judged.standing.stored(match.id), now.stored(match.id)]
    return had?.revision === has?.revision ? judged.decision : undefined
  }

  #namesHold({ standing, words }: RowsLookup, now: RowLookup): boolean {
    if (this.#standing !== now) this.#hold = new Map()
    this.#standing = now
    const known = this.#hold.get(standing)
    if (known !== undefined) return known
    const holds = standForTheSame(words, standing.named, now.named)
    this.#hold.set(standing, holds)
    return holds
  }
}

/** Whether each word stands for the same as before. */
function standForTheSame(words: WordsByType, before: NamedInCells, now: NamedInCells): boolean {
  return [...words].every(([type, those]) =>
    [...those].every((word) => {
      const [number, uuid] = [numberIn(word), uuidIn(word)]
      const foundIn = (named: NamedInCells) => [
        named.called(type, word),
        type === 'asset' ? named.tagged(word) : [],
        number === undefined ? undefined : named.numbered(type, number),
        uuid === undefined ? undefined : named.under(uuid),
      ]
      return isDeepStrictEqual(foundIn(before), foundIn(now))
    }),
  )
}

/** Rows of animals with parents before their children, whichever stand further down; other rows in their order. */
export function parentsFirst(sheet: SheetInput, groups: readonly RowGroup[]): readonly RowGroup[] {
  if (!namesParents(sheet)) return groups
  const named = new Map<string, RowGroup>()
  for (const group of groups) {
    const [row] = group.rows
    for (const word of [
      cellIn(row, columnNamed(sheet, 'name')),
      ...tagsOfRow(sheet, row),
      topicCell(sheet, row, 'tag'),
    ])
      if (!named.has(trimmedTextKey(word))) named.set(trimmedTextKey(word), group)
  }
  const ordered = new Set<RowGroup>()
  const visiting = new Set<RowGroup>()
  const visit = (group: RowGroup | undefined): void => {
    if (group === undefined || visiting.has(group)) return
    visiting.add(group)
    for (const word of parentsIn(sheet, group)) visit(named.get(trimmedTextKey(word)))
    ordered.add(group)
  }
  for (const group of groups) visit(group)
  return [...ordered]
}

/** Whether rows of a sheet can depend on rows further down. */
export const namesParents = (sheet: SheetInput): boolean =>
  sheet.type.name === 'asset' &&
  sheet.columns.some(
    ({ name, topic }) => name === 'parent' || topic?.subject === 'mother' || topic?.subject === 'father',
  )

const parentsIn = (sheet: SheetInput, { rows: [row] }: RowGroup): readonly string[] =>
  [
    ...separateValues(cellIn(row, columnNamed(sheet, 'parent'))),
    topicCell(sheet, row, 'mother'),
    topicCell(sheet, row, 'father'),
  ].filter((word) => word.trim() !== '')
