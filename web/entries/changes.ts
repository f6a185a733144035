import { newUuid } from '../../src/client/changes.ts'
import { type WithheldProduct, withholdingLabel } from '../../src/farm/bundle-names.ts'
import type { LocalChange } from '../store/outbox-entry.ts'
import { idsIn, type LocalRecord, type LocalRecordType, partsIn, type RecordFields } from '../store/record.ts'
import { daysLater } from '../words/format.ts'
import { say } from '../words/say.ts'
import { type EnteredAmount, quantityIn } from './amount.ts'
import { chunks } from './herds.ts'

/** Each function returns the changes of one entry, which are saved as one set. */

export type NewRecordChange = Extract<LocalChange, { verb: 'make' }>

export interface EntryBasics {
  readonly name: string
  readonly timing: EntryTime
  readonly note?: string
}

interface MoveEntryFields extends EntryBasics {
  /** All moving assets, each named. */
  readonly assets: readonly RecordIdentity[]
  readonly to: readonly LocalRecord[]
}

/** A new record has its UUID as id. */
export type RecordIdentity = Pick<LocalRecord, 'id' | 'uuid'>

/** Splits very large moves into several logs. */
export function movesOf({ name, timing, assets, to, note = '' }: MoveEntryFields): readonly NewRecordChange[] {
  const shares = chunks(assets)
  return shares.map((share, index) =>
    log('farm_activity', {
      ...logFields(
        shares.length === 1 ? name : say('entry.name.share', { name, index: index + 1, count: shares.length }),
        timing,
      ),
      asset: refsTo(share),
      movement: { area: refsTo(to) },
      ...noteIn(note),
    }),
  )
}

/** Removes assets from a saved move. Assets unknown to this device stay in it. */
export function moveWithout(log: LocalRecord, left: readonly string[]): LocalChange {
  return moveOf(
    log,
    assetsIn(log).filter(({ id }) => !left.includes(id)),
  )
}

/** Adds assets to a saved move. */
export const moveWith = (log: LocalRecord, more: readonly LocalRecord[]): LocalChange =>
  moveOf(log, [...assetsIn(log), ...refsTo(more)])

const assetsIn = (log: LocalRecord) => idsIn(log.fields.asset).map((id) => ({ id }))

const moveOf = (read: LocalRecord, asset: readonly RecordFields[]): LocalChange => ({
  ...{ verb: 'change', type: 'log', uuid: read.uuid },
  fields: { asset },
  read,
})

interface LogEntry extends EntryBasics {
  readonly bundle: string
  readonly assets: readonly LocalRecord[]
  readonly areas: readonly LocalRecord[]
  readonly amounts?: readonly EnteredAmount[]
  /** Unit terms of the farm. */
  readonly units?: readonly LocalRecord[]
  /** Fields of this log type only. */
  readonly more?: RecordFields
}

/** A log about assets and areas with amounts: harvest, input, observation, weight, maintenance. */
export function logOf({
  bundle,
  name,
  timing,
  assets,
  areas,
  amounts = [],
  units = [],
  note = '',
  more,
}: LogEntry): NewRecordChange {
  return log(bundle, {
    ...logFields(name, timing),
    ...refsIn('asset', assets),
    ...refsIn('area', areas),
    ...quantityIn(amounts, units),
    ...noteIn(note),
    ...more,
  })
}

interface PlantingLog extends EntryBasics {
  readonly bundle: 'farm_seeding' | 'farm_transplanting'
  /** An existing planting, or a crop that a new planting begins with. */
  readonly planting: LocalRecord | NewPlanting
  readonly to: readonly LocalRecord[]
  readonly amounts?: readonly EnteredAmount[]
  readonly units?: readonly LocalRecord[]
}

export interface NewPlanting {
  readonly crop: LocalRecord | { readonly name: string }
  readonly name: string
}

/** The log moves the planting to its area; a new planting is created in the same set. */
export function plantingsOf({
  bundle,
  name,
  timing,
  planting,
  to,
  amounts = [],
  units = [],
  note = '',
}: PlantingLog): readonly NewRecordChange[] {
  const begun = 'crop' in planting ? [newPlanting(planting)] : []
  const asset = 'crop' in planting ? begun.map(({ uuid }) => ({ uuid })) : [refTo(planting)]
  return [
    ...begun,
    log(bundle, {
      ...logFields(name, timing),
      asset,
      ...(to.length === 0 ? {} : { movement: { area: refsTo(to) } }),
      ...quantityIn(amounts, units),
      ...noteIn(note),
    }),
  ]
}

/** Refers to a new crop by name: two phones that add "Leek" make one term. */
export function newPlanting({ crop, name }: NewPlanting): NewRecordChange {
  const cropReference = 'id' in crop ? { ...refTo(crop), name: crop.name } : { name: crop.name }
  return newRecordChange('asset', 'planting', { name, crop: [cropReference] })
}

interface Treatment extends LogEntry {
  readonly bundle: 'farm_medical'
  /** For how many days which product of them is withheld; 0 means none, and what is missing is not recorded. */
  readonly withheld: Readonly<Partial<Record<WithheldProduct, number>>>
  readonly withheldName: string
}

/** A withholding period adds a second log, planned for its end. */
export function treatmentsOf(treatment: Treatment): readonly NewRecordChange[] {
  const { withheld, withheldName, timing, assets } = treatment
  const entered = logOf(treatment)
  const times = Object.entries(withheld).map(([product, days]) => ({
    ...{ measure: 'time', value: String(days), unit: { name: 'days' } },
    // The type says so: the keys are products.
    label: withholdingLabel(product as WithheldProduct),
  }))
  const quantity = [...partsIn(entered.fields.quantity), ...times]
  const given = quantity.length === 0 ? entered : { ...entered, fields: { ...entered.fields, quantity } }
  const longest = Math.max(0, ...Object.values(withheld))
  if (longest === 0) return [given]
  const over: EntryTime = { kind: 'planned', at: daysLater(timing.at, longest) }
  return [given, logOf({ bundle: 'farm_medical', name: withheldName, timing: over, assets, areas: [] })]
}

export const log = (bundle: string, fields: RecordFields): NewRecordChange => newRecordChange('log', bundle, fields)

export function newRecordChange(type: LocalRecordType, bundle: string, fields: RecordFields): NewRecordChange {
  return { verb: 'make', type, bundle, uuid: newUuid(), fields }
}

export type EntryTime =
  | { readonly kind: 'done'; readonly at: number }
  /** `person`: null assigns nobody; if absent, the farm assigns the author. */
  | { readonly kind: 'planned'; readonly at: number; readonly person?: string | null }

/** Fields of every entry. */
export function logFields(name: string, timing: EntryTime): RecordFields {
  return {
    name,
    timestamp: String(timing.at),
    done: timing.kind === 'done' ? '1' : '0',
    ...(timing.kind === 'planned' && ownerIn(timing.person)),
  }
}

function ownerIn(person: string | null | undefined): RecordFields {
  if (person === undefined) return {}
  return { log_owner: person === null ? [] : [{ id: person }] }
}

/** Reference by number, or by UUID before the record has a number. */
export const refTo = ({ id, uuid }: RecordIdentity): RecordFields => (id === uuid ? { uuid } : { id })

export const refsTo = (records: readonly RecordIdentity[]): readonly RecordFields[] => records.map(refTo)

/** A reference field, or no field for an empty list. */
function refsIn(field: 'asset' | 'area' | 'material', records: readonly LocalRecord[]): RecordFields {
  return records.length === 0 ? {} : { [field]: refsTo(records) }
}

export const noteIn = (note: string): RecordFields => (note.trim() === '' ? {} : { notes: { value: note.trim() } })
