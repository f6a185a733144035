import { callerWith } from '../../src/access/caller.ts'
import type { RecordTypeName } from '../../src/farm/farm.ts'
import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import type { Field, Fields, ReferenceField } from '../../src/fields/field.ts'
import { placeAt } from '../../src/fields/place.ts'
import type { Drafts, Values } from '../../src/fields/value.ts'
import { openRecords } from '../../src/records/records.ts'
import { createIn } from '../../src/records/writing/create.ts'
import { newUuid, type RecordDraft } from '../../src/records/writing/draft.ts'
import { updateIn } from '../../src/records/writing/update.ts'
import type { WriteContext } from '../../src/records/writing/write-context.ts'
import type { RefusalFault } from '../../src/refusal.ts'
import { beginChange, inChangeSet } from '../../src/storage/change-set.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import { bindAnew, type FarmUnderTest } from '../harness/farm.ts'

interface Made {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly drafts: Drafts
}

/** Makes a record by the verb itself, with whatever the record interface cannot write. */
export async function makeByVerb(farm: FarmUnderTest, { type, bundle, drafts }: Made): Promise<string> {
  const { id } = await inOneWork(farm, (work) =>
    createIn(work, { type, bundle, draft: draftOf(farm, { type, bundle, drafts }), attribution: { faults: [] } }),
  )
  return String(id)
}

interface ChangedByVerb {
  readonly type: RecordTypeName
  readonly id: string
  readonly drafts: Drafts
  /** Fields that are given as none. */
  readonly emptied?: readonly string[]
}

/** Changes a record by the verb itself; what is not given stays. */
export async function changeByVerb(farm: FarmUnderTest, { type, id, drafts, emptied }: ChangedByVerb): Promise<void> {
  await inOneWork(farm, (work) =>
    updateIn(work, {
      type,
      id: Number(id),
      draftFor: ({ bundle }) => draftOf(farm, { type, bundle, drafts }, emptied),
    }),
  )
}

/** What is kept of a record, also what no interface shows. */
export async function keptOf(farm: FarmUnderTest, type: RecordTypeName, id: string): Promise<Values> {
  const found = await farm.installation.database.read((snapshot) => recordsByIds(snapshot, type, [Number(id)]))
  return found.get(Number(id))?.values ?? {}
}

export const revisionOf = async (farm: FarmUnderTest, type: RecordTypeName, id: string): Promise<number | undefined> =>
  (await farm.installation.database.read((snapshot) => recordsByIds(snapshot, type, [Number(id)]))).get(Number(id))
    ?.revision

function draftOf(farm: FarmUnderTest, { type, bundle, drafts }: Made, emptied: readonly string[] = []): RecordDraft {
  const faults: RefusalFault[] = []
  return {
    fields: asked(fieldsOfBundle(farm.installation.farm.records[type], bundle)),
    drafts,
    given: new Map([...Object.keys(drafts), ...emptied].map((name) => [name, name])),
    computed: {},
    faults,
    placeOf: (name) => placeAt(name, { faults, words: () => [] }),
  }
}

/** What the newer generation asks for of these fields, which is less. */
const asked = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { required, within, ...rest } = field as ReferenceField
      const needed = field.newer?.required === false || required === undefined ? {} : { required }
      const bound = field.newer?.within === 'any' || within === undefined ? {} : { within }
      return [name, { ...rest, ...needed, ...bound } as Field]
    }),
  )

async function inOneWork<T>(farm: FarmUnderTest, work: (work: WriteContext) => Promise<T>): Promise<T> {
  const { database, clock } = farm.installation
  const installation = await openRecords(farm.installation)
  const caller = callerWith({ uid: 1, name: '', role: 'manager' }, 'cookie')
  const done = await database.write(async (tx) => {
    await beginChange(tx, 'others')
    const given = { id: newUuid(clock()), at: clock(), uid: caller.uid, client: null, request: null }
    return inChangeSet(tx, given, (set) => work({ installation, tx, caller, set }))
  })
  await bindAnew(farm)
  return done
}
