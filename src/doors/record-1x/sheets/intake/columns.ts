import { trimmedTextKey } from '../../../../fields/key.ts'
import { nearTo } from '../../../../fields/suggestions.ts'
import type { SheetOptions } from './options.ts'
import { isAmount } from './plain-parts.ts'
import type { SheetFault } from './sheet-fault.ts'
import type { Target } from './targets.ts'

/** One column of a sheet, and what it stands for. */
export interface Column extends Target {
  /** As the sheet calls it. */
  readonly header: string
  /** Which cell of a row it is, counted from 0. */
  readonly at: number
}

interface HeadRow {
  readonly row: number
  readonly cells: readonly string[]
}

type Targets = ReadonlyMap<string, Target>

interface Meaning {
  readonly targets: Targets
  /** What other bundles have: a sheet may have columns in which none of its rows says anything. */
  readonly others?: Targets
  readonly options: Pick<SheetOptions, 'map'>
}

/** What the headers stand for: by the map of whoever sends the sheet, by the name of a field, or by its label. Faults are noted. */
export function columnsIn(head: HeadRow, meaning: Meaning, faults: SheetFault[]): readonly Column[] {
  const { targets, others = targets, options } = meaning
  const columns: Column[] = []
  const fault = (header: string, message: string, allowed?: readonly string[]) =>
    faults.push({
      row: head.row,
      column: header,
      value: header,
      message,
      ...(allowed === undefined ? {} : { allowed }),
    })
  const taken = new Map<string, string>()
  const headers = head.cells.map((header, at) => ({ header, at, mapped: options.map.get(trimmedTextKey(header)) }))
  const meant = headers.flatMap(({ header, at, mapped }) => {
    if (header.trim() === '' || mapped === '') return []
    const called = (all: Targets) => (mapped === undefined ? targetsCalled(all, header) : targetsNamed(all, mapped))
    const own = called(targets)
    return [{ header, at, mapped, found: own.length === 0 ? called(others) : own }]
  })
  const parts = new Set(meant.flatMap(({ found: [first] }) => first?.member?.of ?? []))
  const elsewhere = meant.some(({ found }) => found.length > 0) ? '' : otherRow
  for (const { header, at, mapped, found } of meant) {
    const [first, second] = found
    const target = first && valueBesideMembers(first, parts, targets)
    if (target === undefined)
      fault(header, unknown(header, mapped) + elsewhere, nearTo(mapped ?? header, wordsOf(targets)).slice(0, 5))
    else if (second !== undefined)
      fault(
        header,
        'may stand for several fields; use the name of one',
        found.map(({ name }) => name),
      )
    else if (taken.has(target.name))
      fault(header, `stands for ${target.name}, and so does ${JSON.stringify(taken.get(target.name))}`)
    else {
      taken.set(target.name, header)
      columns.push({ ...target, header, at })
    }
  }
  noteDoubled(columns, fault)
  return columns
}

/** No header is known. */
const otherRow = '. If the headers stand in another row, say which it is by head_row'

const unknown = (header: string, mapped: string | undefined): string =>
  mapped === undefined
    ? 'is not the name or the label of a field; rename it, or map it to a field, or to nothing to leave it out'
    : `is mapped to ${JSON.stringify(mapped)}, which is not the name of a field (${JSON.stringify(header)})`

/** A column for an amount beside one for its unit holds the value of that amount. */
function valueBesideMembers(target: Target, parts: ReadonlySet<string>, targets: Targets): Target {
  const { name, field } = target
  const isSplit = field.kind === 'part' && isAmount(field) && parts.has(name)
  return (isSplit ? targets.get(`${name}.value`) : undefined) ?? target
}

/** A part stands in one column, or its members in several. */
function noteDoubled(columns: readonly Column[], fault: (header: string, message: string) => void): void {
  for (const { member, header } of columns) {
    const whole = columns.find(({ name }) => name === member?.of)
    if (whole !== undefined)
      fault(header, `is a part of ${whole.name}, which has a column of its own; keep one of them`)
  }
}

const targetsNamed = (targets: Targets, name: string): readonly Target[] =>
  [targets.get(name.trim().toLowerCase()) ?? targets.get(name.trim())].flatMap((target) => target ?? [])

/** By name first: a label may be the name of another field; and by the labels of the catalogue before those of other languages. */
function targetsCalled(targets: Targets, header: string): readonly Target[] {
  const key = trimmedTextKey(header)
  const among = (labelsOf: (target: Target) => ReadonlySet<string>) =>
    [...targets.values()].filter((target) => [...labelsOf(target)].some((label) => trimmedTextKey(label) === key))
  const found = [targetsNamed(targets, header), among(({ labels }) => labels), among(({ translated }) => translated)]
  return found.find((some) => some.length > 0) ?? []
}

const wordsOf = (targets: Targets): readonly string[] =>
  [...targets.values()]
    .filter(({ use }) => use !== 'nothing')
    .flatMap(({ name, labels }) => [name, ...labels].slice(0, 2))
