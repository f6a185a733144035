import type { Farm } from '../../../farm/farm.ts'
import { once } from '../../../farm/fields-of.ts'
import type { Member, MemberRule, ResourceType, ServiceNote } from '../../../farm/newer/resource-type.ts'
import { isRelationship } from '../../../farm/newer/resource-type.ts'
import { isOfAreas, typeOfRecord } from '../../../farm/newer/type-of-record.ts'
import { type AttachmentField, isMany } from '../../../fields/field.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { archivedSince, assetStatus } from '../rules/archived.ts'
import { assignsGroups, groupsOfLog } from '../rules/log-groups.ts'
import { assetsOfLog, moves, placeOfLog, shapeOfPlace, thingsOfPlace } from '../rules/log-place.ts'
import { richTextOf } from '../rules/rich-description.ts'
import { spellFraction } from '../values/fraction.ts'
import { spellAttribute } from '../values/spelling.ts'
import { shownNumber } from './identifiers.ts'
import { type Implied, impliedFor, type ReadContext } from './implied.ts'
import { type Drawn, type Targets, type Thing, thingsOf } from './thing.ts'

/** The resources that records are; of those whose module is gone there are none. */
export async function drawRecords(reading: ReadContext, records: readonly StoredRecord[]): Promise<readonly Drawn[]> {
  const { farm } = reading.installation
  const implied = await impliedFor(reading, records)
  return records.flatMap((record) => {
    const type = typeOfRecord(farm, record)
    return type === undefined ? [] : [drawn({ farm, type, record, implied })]
  })
}

interface Drawing {
  readonly farm: Farm
  readonly type: ResourceType
  readonly record: StoredRecord
  readonly implied: Implied
}

function drawn(drawing: Drawing): Drawn {
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

function attributeOf({ field, source }: Member, drawing: Drawing): unknown {
  const { farm, record } = drawing
  switch (source.of) {
    case 'field': {
      const value = record.values[source.field] ?? wordOfBundle(drawing, source.field)
      return spellAttribute(field, source.opposite ? value !== true : value, farm)
    }
    case 'note':
      return notes[source.note](drawing, field)
    case 'rule':
      return attributeRules[source.rule]?.(drawing, field)
    case 'two fields':
      return null
  }
}

/** Where several bundles are one type, the bundle tells what nobody said. */
function wordOfBundle({ farm, record }: Drawing, field: string): string | undefined {
  const by = farm.records[record.type].bundles[record.bundle]?.newer?.by
  return by?.field === field ? by.word : undefined
}

function targetsOf({ field, source }: Member, drawing: Drawing): Targets {
  const { values } = drawing.record
  const things = (): readonly Thing[] => {
    switch (source.of) {
      case 'field':
        return field.kind === 'attachment'
          ? filesOf(field, values[source.field])
          : referred(field, values[source.field])
      case 'two fields':
        return [...thingsOf('asset', values[source.assets]), ...thingsOf('term', values[source.areas])]
      case 'note':
        return notedThings(source.note, drawing)
      case 'rule':
        return relationshipRules[source.rule]?.(drawing) ?? []
    }
  }
  const found = things()
  return isMany(field) ? found : (found[0] ?? null)
}

const filesOf = ({ accepts }: AttachmentField, ids: unknown): readonly Thing[] =>
  thingsOf('file', ids).map((file) => ({ ...file, as: accepts === 'image' ? 'image' : 'file' }))

/** What else is a relationship refers to records or users. */
const referred = (field: Member['field'], ids: unknown): readonly Thing[] =>
  thingsOf(field.kind === 'reference' && field.to !== 'vocabulary' ? field.to : 'term', ids)

type Attribute = (drawing: Drawing, field: Member['field']) => unknown

const notes: Readonly<Record<ServiceNote, Attribute>> = {
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

function notedThings(note: ServiceNote, { type, record, implied }: Drawing): readonly Thing[] {
  if (note === 'author') return userThings(record.uid)
  if (note === 'reviser') return userThings(implied.reviserOf(record))
  return [bundleThing(type)]
}

const bundleThing = once((type: ResourceType): Thing => {
  const [config = ''] = [...type.members.values()].find(isBundleMember)?.targets ?? []
  return { of: 'config', type: config, id: type.bundle }
})

const isBundleMember = ({ source }: Member): boolean => source.of === 'note' && source.note === 'bundle'

/** What the farm itself has made has no author. */
const userThings = (uid: number): readonly Thing[] => (uid === 0 ? [] : [{ of: 'user', id: uid }])

const attributeRules: Readonly<Partial<Record<MemberRule, Attribute>>> = {
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

const relationshipRules: Readonly<Partial<Record<MemberRule, (drawing: Drawing) => readonly Thing[]>>> = {
  'log location': ({ record }) => thingsOfPlace(placeOfLog(record.values)),
  'assigned groups': ({ record }) => thingsOf('asset', groupsOfLog(record.values)),
  'log assets': ({ record }) => assetsOfLog(record.values),
  'log quantities': ({ record, implied }) => implied.quantitiesOf(record),
  'asset location': ({ record, implied }) => implied.placesOf(record),
  'asset groups': ({ record, implied }) => thingsOf('asset', implied.groupsOf(record)),
}
