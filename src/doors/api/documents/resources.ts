import { accountsByIds } from '../../../access/accounts.ts'
import type { Farm, RecordTypeName } from '../../../farm/farm.ts'
import { once } from '../../../farm/fields-of.ts'
import {
  isRelationship,
  type Member,
  type MemberRule,
  type ResourceType,
  type ServiceNote,
} from '../../../farm/newer/resource-type.ts'
import { isOfAreas, typeOfRecord } from '../../../farm/newer/type-of-record.ts'
import { type AttachmentField, isMany } from '../../../fields/field.ts'
import type { QuantityRecord } from '../../../records/quantities/quantity-record.ts'
import { quantitiesByIds } from '../../../records/quantities/reading.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { filesSeenBy } from '../../../storage/file-rows.ts'
import { recordsByIds } from '../../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { configResources } from '../config-resources.ts'
import { fileResource } from '../files/file-resource.ts'
import { stranger, userResource } from '../users.ts'
import { spellAttribute } from '../values/attributes.ts'
import { spellFraction } from '../values/fraction.ts'
import {
  type ApiResource,
  isConfig,
  keyOf,
  type NumberedRef,
  type ResourceRef,
  refsOf,
  shownNumber,
  type Targets,
} from './identifiers.ts'
import { type ImpliedValues, impliedFor, type ReadContext } from './implied-values.ts'
import {
  archivedSince,
  assetStatus,
  assetsOfLog,
  assignsGroups,
  groupsOfLog,
  moves,
  placeOfLog,
  refsOfPlace,
  richTextOf,
  shapeOfPlace,
} from './member-rules.ts'

/** Resources in the given order; missing ones are left out. */
export async function resourcesOf(
  reading: ReadContext,
  things: readonly ResourceRef[],
): Promise<readonly ApiResource[]> {
  const words = things.filter(isConfig)
  const drawn = new Map(configResources(reading.installation.farm, words).map((one) => [keyOf(one.thing), one]))
  for (const [of, ids] of numbersOf(things)) {
    for (const one of await resourceLoaders[of](reading, ids)) drawn.set(keyOf(one.thing), one)
  }
  return things.flatMap((thing) => drawn.get(keyOf(thing)) ?? [])
}

type NumberedKind = NumberedRef['of']

type ResourceLoader = (reading: ReadContext, ids: readonly number[]) => Promise<readonly ApiResource[]>

function numbersOf(things: readonly ResourceRef[]): ReadonlyMap<NumberedKind, readonly number[]> {
  const numbers = new Map<NumberedKind, number[]>()
  for (const thing of things) {
    if (thing.of === 'config') continue
    const ids = numbers.get(thing.of)
    if (ids === undefined) numbers.set(thing.of, [thing.id])
    else ids.push(thing.id)
  }
  return numbers
}

const recordsAs =
  (of: RecordTypeName): ResourceLoader =>
  async (reading, ids) =>
    resourcesOfRecords(reading, [...(await recordsOf(reading.snapshot, of, ids)).values()])

const filesOf = ({ accepts }: AttachmentField, ids: unknown): readonly ResourceRef[] =>
  refsOf('file', ids).map((file) => ({ ...file, as: accepts === 'image' ? 'image' : 'file' }))

/** All other relationships refer to records or users. */
const referred = (field: Member['field'], ids: unknown): readonly ResourceRef[] =>
  refsOf(field.kind === 'reference' && field.to !== 'vocabulary' ? field.to : 'term', ids)

/** Records made by the farm itself have no author. */
const userRefs = (uid: number): readonly ResourceRef[] => (uid === 0 ? [] : [{ of: 'user', id: uid }])

const isBundleMember = ({ source }: Member): boolean => source.of === 'note' && source.note === 'bundle'

const bundleRef = once((type: ResourceType): ResourceRef => {
  const [config = ''] = [...type.members.values()].find(isBundleMember)?.targets ?? []
  return { of: 'config', type: config, id: type.bundle }
})

const relationshipRules: Readonly<Partial<Record<MemberRule, (drawing: RecordContext) => readonly ResourceRef[]>>> = {
  'log location': ({ record }) => refsOfPlace(placeOfLog(record.values)),
  'assigned groups': ({ record }) => refsOf('asset', groupsOfLog(record.values)),
  'log assets': ({ record }) => assetsOfLog(record.values),
  'log quantities': ({ record, implied }) => implied.quantitiesOf(record),
  'asset location': ({ record, implied }) => implied.placesOf(record),
  'asset groups': ({ record, implied }) => refsOf('asset', implied.groupsOf(record)),
}

const noteAttributes: Readonly<Record<ServiceNote, AttributeSource>> = {
  number: ({ farm, record }) => {
    const isArea = record.type === 'term' && isOfAreas(farm, record.bundle)
    return shownNumber(record.type, record.id, isArea ? 'area' : 'other')
  },
  revision: ({ record }) => record.revision,
  language: () => 'en',
  yes: () => true,
  created: ({ farm, record }, field) => spellAttribute(field, record.created, farm),
  changed: ({ farm, record }, field) => spellAttribute(field, record.changed, farm),
  author: () => null,
  reviser: () => null,
  bundle: () => null,
}

const attributeRules: Readonly<Partial<Record<MemberRule, AttributeSource>>> = {
  'log status': ({ farm, record }, field) => spellAttribute(field, record.values.status, farm),
  moves: ({ record }) => moves(record.values),
  'log geometry': ({ farm, record, implied }, field) => {
    const own = shapeOfPlace(placeOfLog(record.values))
    return spellAttribute(field, shapeOrNone(own === '' ? implied.geometryOf(record) : own), farm)
  },
  'assigns groups': ({ record }) => assignsGroups(record.values),
  'asset status': ({ record }) => assetStatus(record.values),
  archived: ({ farm, record }, field) => {
    const since = archivedSince(record.values)
    if (record.values.archived_yes_no === true) return since !== 0
    return spellAttribute(field, since === 0 ? undefined : since, farm)
  },
  'asset geometry': ({ farm, record, implied }, field) =>
    spellAttribute(field, shapeOrNone(implied.geometryOf(record)), farm),
  inventory: ({ record, implied }) => implied.inventoryOf(record),
  'area type': ({ farm, record }, field) => spellAttribute(field, record.values.area_type, farm),
  'drawn geometry': ({ farm, record }, field) =>
    spellAttribute({ ...field, kind: 'geometry', many: true }, record.values.geofield, farm),
  description: ({ farm, record }, field) => spellAttribute(field, richTextOf(record.values), farm),
  fraction: ({ record }) => spellFraction(record.values.value, record.values.fraction),
}

const shapeOrNone = (wkt: string): string | undefined => (wkt === '' ? undefined : wkt)

/** The log of a quantity does not change its attributes. */
export const asRecord = ({ log: _, ...quantity }: QuantityRecord): StoredRecord => quantity

const resourceLoaders: Readonly<Record<NumberedKind, ResourceLoader>> = {
  asset: recordsAs('asset'),
  log: recordsAs('log'),
  quantity: recordsAs('quantity'),
  term: recordsAs('term'),
  // Private attributes of a user are only at that user's address.
  user: async ({ snapshot }, ids) =>
    [...(await accountsByIds(snapshot, ids)).values()].map((account) => userResource(stranger, account)),
  file: async ({ snapshot, caller }, ids) =>
    [...(await filesSeenBy(snapshot, ids, caller.uid)).values()].map(fileResource),
}

/** Resources of records; records of a missing module are left out. */
export async function resourcesOfRecords(
  reading: ReadContext,
  records: readonly StoredRecord[],
): Promise<readonly ApiResource[]> {
  const { farm } = reading.installation
  const implied = await impliedFor(reading, records)
  return records.flatMap((record) => {
    const type = typeOfRecord(farm, record)
    return type === undefined ? [] : [resourceOfRecord({ farm, type, record, implied })]
  })
}

interface RecordContext {
  readonly farm: Farm
  readonly type: ResourceType
  readonly record: StoredRecord
  readonly implied: ImpliedValues
}

function resourceOfRecord(drawing: RecordContext): ApiResource {
  const { type, record } = drawing
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, Targets> = {}
  for (const member of type.members.values()) {
    if (member.shown === 'never') continue
    if (isRelationship(member)) relationships[member.name] = targetsOf(member, drawing)
    else attributes[member.name] = attributeOf(member, drawing)
  }
  return {
    thing: { of: record.type, id: record.id },
    type: type.name,
    id: record.uuid,
    revision: record.revision,
    attributes,
    relationships,
  }
}

function attributeOf({ field, source }: Member, drawing: RecordContext): unknown {
  const { farm, record } = drawing
  switch (source.of) {
    case 'field': {
      const value = record.values[source.field] ?? wordOfBundle(drawing, source.field)
      return spellAttribute(field, source.opposite ? value !== true : value, farm)
    }
    case 'note':
      return noteAttributes[source.note](drawing, field)
    case 'rule':
      return attributeRules[source.rule]?.(drawing, field)
    case 'two fields':
      return null
  }
}

/** If several bundles are one type, the bundle is the default of the deciding field. */
function wordOfBundle({ farm, record }: RecordContext, field: string): string | undefined {
  const by = farm.records[record.type].bundles[record.bundle]?.newer?.by
  return by?.field === field ? by.word : undefined
}

function targetsOf({ field, source }: Member, drawing: RecordContext): Targets {
  const { values } = drawing.record
  const things = (): readonly ResourceRef[] => {
    switch (source.of) {
      case 'field':
        return field.kind === 'attachment'
          ? filesOf(field, values[source.field])
          : referred(field, values[source.field])
      case 'two fields':
        return [...refsOf('asset', values[source.assets]), ...refsOf('term', values[source.areas])]
      case 'note':
        return noteRefs(source.note, drawing)
      case 'rule':
        return relationshipRules[source.rule]?.(drawing) ?? []
    }
  }
  const found = things()
  return isMany(field) ? found : (found[0] ?? null)
}

type AttributeSource = (drawing: RecordContext, field: Member['field']) => unknown

function noteRefs(note: ServiceNote, { type, record, implied }: RecordContext): readonly ResourceRef[] {
  if (note === 'author') return userRefs(record.uid)
  if (note === 'reviser') return userRefs(implied.reviserOf(record))
  return [bundleRef(type)]
}

/** Stored records; a quantity may be a part of its log. */
export async function recordsOf(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  if (type !== 'quantity') return recordsByIds(snapshot, type, ids)
  const found = await quantitiesByIds(snapshot, ids)
  return new Map([...found].map(([id, quantity]) => [id, asRecord(quantity)]))
}
