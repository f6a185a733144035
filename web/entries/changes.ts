import type { LocalChange } from '../store/outbox-entry.ts'
import { idsIn, type KeptRecord, type KeptRecordType, type RecordFields } from '../store/record.ts'
import { newUuid } from '../store/uuid.ts'
import { daysLater } from '../words/format.ts'
import { say } from '../words/say.ts'
import { type EnteredAmount, quantityIn } from './amount.ts'
import { inShares } from './herds.ts'

/** What an entry writes: each of these functions has it as changes that belong together. */

type NewRecordChange = Extract<LocalChange, { verb: 'make' }>

interface EntryBasics {
  readonly name: string
  readonly timing: EntryTime
  readonly note?: string
}

interface MoveEntryFields extends EntryBasics {
  /** All that move, each named. */
  readonly assets: readonly KeptRecord[]
  readonly to: readonly KeptRecord[]
}

/** Of very many, several logs. */
export function movesOf({ name, timing, assets, to, note = '' }: MoveEntryFields): readonly NewRecordChange[] {
  const shares = inShares(assets)
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

/** A move that is written already, without some. Whom this device does not know stays named. */
export function moveWithout(log: KeptRecord, left: readonly string[]): LocalChange {
  return moveOf(
    log,
    assetsIn(log).filter(({ id }) => !left.includes(id)),
  )
}

/** The same, with some more. */
export const moveWith = (log: KeptRecord, more: readonly KeptRecord[]): LocalChange =>
  moveOf(log, [...assetsIn(log), ...refsTo(more)])

const assetsIn = (log: KeptRecord) => idsIn(log.fields.asset).map((id) => ({ id }))

const moveOf = (read: KeptRecord, asset: readonly RecordFields[]): LocalChange => ({
  ...{ verb: 'change', type: 'log', uuid: read.uuid },
  fields: { asset },
  read,
})

interface LogEntry extends EntryBasics {
  readonly bundle: string
  readonly assets: readonly KeptRecord[]
  readonly areas: readonly KeptRecord[]
  readonly amounts?: readonly EnteredAmount[]
  /** Terms of units that are there. */
  readonly units?: readonly KeptRecord[]
  /** Fields of this type alone. */
  readonly more?: RecordFields
}

/** A log about assets and areas, with amounts: harvests, inputs, observations, weights, maintenance. */
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
  /** A planting that is there, or a crop of which one begins. */
  readonly planting: KeptRecord | NewPlanting
  readonly to: readonly KeptRecord[]
  readonly amounts?: readonly EnteredAmount[]
  readonly units?: readonly KeptRecord[]
}

export interface NewPlanting {
  readonly crop: KeptRecord | { readonly name: string }
  readonly name: string
}

/** Where it grows is said by a movement; a new planting is made along with its log. */
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

/** A crop that is new goes by its name: two phones that invent "Leek" get one. */
function newPlanting({ crop, name }: NewPlanting): NewRecordChange {
  const named = 'id' in crop ? { ...refTo(crop), name: crop.name } : { name: crop.name }
  return newRecordChange('asset', 'planting', { name, crop: [named] })
}

interface Treatment extends LogEntry {
  readonly bundle: 'farm_medical'
  /** For how many days nothing of them is sold or eaten. */
  readonly withheldDays: number
  readonly withheldName: string
}

/** With days of withholding there is a second log, to be done when they are over. */
export function treatmentsOf(treatment: Treatment): readonly NewRecordChange[] {
  const { withheldDays, withheldName, timing, assets } = treatment
  const given = logOf(treatment)
  if (withheldDays === 0) return [given]
  const over: EntryTime = { kind: 'planned', at: daysLater(timing.at, withheldDays) }
  return [given, logOf({ bundle: 'farm_medical', name: withheldName, timing: over, assets, areas: [] })]
}

const log = (bundle: string, fields: RecordFields): NewRecordChange => newRecordChange('log', bundle, fields)

function newRecordChange(type: KeptRecordType, bundle: string, fields: RecordFields): NewRecordChange {
  return { verb: 'make', type, bundle, uuid: newUuid(), fields }
}

/** When something happened, or is to happen, and by whom. */
export type EntryTime =
  | { readonly kind: 'done'; readonly at: number }
  /** For anybody where the person is null; for the author, as the farm sees it, where nothing is said of it. */
  | { readonly kind: 'planned'; readonly at: number; readonly person?: string | null }

/** What every entry says. */
function logFields(name: string, timing: EntryTime): RecordFields {
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

/** By number; what has none yet by its UUID. */
export const refTo = ({ id, uuid }: Pick<KeptRecord, 'id' | 'uuid'>): RecordFields => (id === uuid ? { uuid } : { id })

const refsTo = (records: readonly Pick<KeptRecord, 'id' | 'uuid'>[]): readonly RecordFields[] => records.map(refTo)

/** A list of references, or no field where there are none. */
function refsIn(field: 'asset' | 'area' | 'material', records: readonly KeptRecord[]): RecordFields {
  return records.length === 0 ? {} : { [field]: refsTo(records) }
}

const noteIn = (note: string): RecordFields => (note.trim() === '' ? {} : { notes: { value: note.trim() } })
