import type { Caller } from '../../../../access/caller.ts'
import type { Tree } from '../../../../fields/place.ts'
import { uuidIn } from '../../../../fields/uuid.ts'
import type { Records } from '../../../../records/records.ts'
import { draftOfNew } from '../../../../records/writing/create.ts'
import { keepRequired } from '../../../../records/writing/draft.ts'
import { saysNothingNew } from '../../../../records/writing/unchanged.ts'
import { type Fault, Refusal } from '../../../../refusal.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import { isMatch, matchForm, revisionsNamed } from '../../../http/answers/versions.ts'
import { newRecordIn } from '../../intake/new-record.ts'
import { changeIn } from '../../intake/record-change.ts'
import type { Intake } from '../../intake/record-draft.ts'
import { inItsWords } from '../../wire/in-its-words.ts'
import { bodyOf } from './body.ts'
import type { Reader } from './body-reading.ts'
import { doubtAboutDone, withDone } from './done.ts'
import { cellIn, columnFor, type RowGroup, type Sheet } from './sheet.ts'
import type { SheetFault } from './sheet-fault.ts'

/** What is to become of rows. */
export type Decision =
  | { readonly is: 'fault'; readonly faults: readonly SheetFault[] }
  | {
      readonly is: 'create'
      readonly tree: Tree
      readonly uuid: string | undefined
      /** Asked once for the whole sheet. */
      readonly doubt: SheetFault | undefined
    }
  | { readonly is: 'change'; readonly tree: Tree; readonly before: StoredRecord }
  | { readonly is: 'unchanged'; readonly before: StoredRecord }

interface Deciding {
  readonly installation: Records
  readonly caller: Caller
  readonly intake: Intake
  readonly sheet: Sheet
}

/** What rows ask for, and whatever is wrong with that as far as it can be told without a change. */
export function decisionOn({ sheet, ...deciding }: Deciding, group: RowGroup, reader: Reader): Decision {
  const { tree: said, faults } = bodyOf(sheet, group, reader)
  const { before, bundle } = reader
  const now = deciding.installation.clock()
  const tree = before === undefined ? withDone(sheet, { tree: said, now }) : said
  const stale =
    before === undefined ? [] : faultsOfVersion(sheet, group, { before, edition: deciding.installation.edition })
  const form = before === undefined ? newFaults(deciding, sheet, tree) : undefined
  const draft = before === undefined ? undefined : changeIn(deciding.intake, tree)(before)
  if (draft !== undefined && before !== undefined) keepRequired(draft, before.values)
  const ofForm = placed(sheet, group, form ?? draft?.faults ?? [])
  // Of a cell that cannot be read no more is said.
  const all = [...faults, ...stale, ...ofForm.filter(({ column }) => !faults.some((one) => one.column === column))]
  if (all.length > 0) return { is: 'fault', faults: all }
  if (before === undefined || draft === undefined) {
    const doubt = doubtAboutDone(sheet, { group, tree, bundle, now })
    return { is: 'create', tree, uuid: uuidIn(tree.uuid), doubt }
  }
  return saysNothingNew(draft, before) ? { is: 'unchanged', before } : { is: 'change', tree, before }
}

function newFaults(
  { installation, caller, intake }: Omit<Deciding, 'sheet'>,
  { type }: Sheet,
  tree: Tree,
): readonly Fault[] {
  try {
    return draftOfNew(installation, caller, newRecordIn(intake, type.name, tree)).draft.faults
  } catch (error) {
    if (error instanceof Refusal && error.details.faults !== undefined) return error.details.faults
    throw error
  }
}

interface Seen {
  readonly before: StoredRecord
  readonly edition: string
}

/** A row that was read before its record was changed. */
function faultsOfVersion(sheet: Sheet, { rows: [row] }: RowGroup, { before, edition }: Seen): readonly SheetFault[] {
  const column = columnFor(sheet, 'version')
  const cell = cellIn(row, column).trim()
  if (column === undefined || cell === '' || sheet.options.stale === 'overwrite') return []
  const place = { row: row.row, column: column.header, value: cell }
  if (!isMatch(cell)) return [{ ...place, message: `must be ${matchForm}` }]
  const seen = revisionsNamed(cell, edition)
  if (seen === undefined || seen.includes(before.revision)) return []
  const message = `${before.type} ${before.id} has changed since; read it again, or send the sheet with overwrite=1`
  return [{ ...place, message }]
}

/** The faults of a body where they stand in the sheet. */
function placed(sheet: Sheet, { rows: [row] }: RowGroup, faults: readonly Fault[]): readonly SheetFault[] {
  return faults.map(({ field, message, allowed }) => {
    const path = field.replace(/\[\d+\]/g, '')
    const column =
      sheet.columns.find(({ name }) => path === name || path.startsWith(`${name}.`)) ??
      sheet.columns.find(({ member }) => member?.of === path)
    const place = { row: row.row, column: column?.header ?? path, value: cellIn(row, column) }
    return { ...place, message, ...(allowed === undefined ? {} : { allowed }) }
  })
}

/** The refusal of what rows ask for, where it stands in the sheet. */
export function faultsOfRefusal(sheet: Sheet, group: RowGroup, refusal: Refusal): readonly SheetFault[] {
  const { details, message } = inItsWords(refusal)
  const faults = placed(sheet, group, details.faults ?? [])
  return faults.length > 0 ? faults : [{ row: group.rows[0].row, column: '', value: '', message }]
}
