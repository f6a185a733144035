import type { Farm, RecordType } from '../farm/farm.ts'
import { allOlderFields, fieldsOfBundle, type OlderField, olderFields, once } from '../farm/fields-of.ts'
import { type Field, isMany } from '../fields/field.ts'
import type { PartValue, Value, Values } from '../fields/value.ts'
import { combineWkt } from '../fields/wkt/combination.ts'
import { drawableGeometry } from '../fields/wkt/drawable-geometry.ts'
import type { Geometry } from '../fields/wkt/geometry.ts'
import { parseKeptWkt } from '../fields/wkt/parser.ts'
import { computedOf } from '../records/record-index.ts'
import { versionOf } from '../records/writing/draft.ts'
import { type CellForm, cellOf, cellOfOlder } from '../sheets/cells.ts'
import { type NamedIds, noteNamed, ReferenceNames } from '../sheets/reference-names.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { filesByIds } from '../storage/file-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { addressOfFile } from '../wire-1x/record-documents.ts'

interface MapView {
  readonly farm: Farm
  readonly edition: string
  /** The base URL of the farm, for links to files. */
  readonly base: string
  readonly zone: string
  readonly time: PointInTime
}

/** A record as a map shows it. */
export interface MapRecord {
  readonly record: StoredRecord
  readonly name: string
  readonly geometry: Geometry | null
  readonly properties: ReadonlyMap<string, string | number>
}

export interface LocatedRecord extends MapRecord {
  readonly geometry: Geometry
}

interface MapRow {
  readonly record: StoredRecord
  readonly fields: ReadonlyMap<string, OlderField>
  readonly values: Values
}

/** Records as maps show them, on one snapshot. */
export class MapRecords {
  readonly #snapshot: Snapshot
  readonly #view: MapView
  readonly #names: ReferenceNames

  constructor(snapshot: Snapshot, view: MapView) {
    this.#snapshot = snapshot
    this.#view = view
    this.#names = new ReferenceNames(snapshot)
  }

  /** These records, which are all of one type. */
  async of(records: readonly StoredRecord[]): Promise<readonly MapRecord[]> {
    return this.#shown(await this.#rowsOf(records))
  }

  async located(records: readonly StoredRecord[]): Promise<readonly LocatedRecord[]> {
    const rows = await this.#rowsOf(records)
    return (await this.#shown(rows.filter(({ fields, values }) => hasPlace(fields, values)))).flatMap((one) =>
      one.geometry === null ? [] : [{ ...one, geometry: one.geometry }],
    )
  }

  async #rowsOf(records: readonly StoredRecord[]): Promise<readonly MapRow[]> {
    const [first] = records
    if (first === undefined) return []
    const { farm, time } = this.#view
    const type = farm.records[first.type]
    const computed = await computedOf(this.#snapshot, records, { farm, time, asked: computedIn(type) })
    return records.map((record) => ({
      record,
      fields: olderFields(fieldsOfBundle(type, record.bundle)),
      values: { ...record.values, ...notedOf(record), ...computed.get(record.id) },
    }))
  }

  async #shown(rows: readonly MapRow[]): Promise<readonly MapRecord[]> {
    const { farm, edition } = this.#view
    const form = await this.#formFor(rows)
    return rows.map(({ record, fields, values }) => {
      const properties = new Map<string, string | number>([['id', String(record.id)]])
      for (const [name, older] of fields) {
        if (!isBeside(farm.records[record.type], name)) say(properties, { name, older, value: values[older.own] }, form)
      }
      properties.set('uuid', record.uuid)
      properties.set('version', versionOf(record.revision, edition))
      return { record, name: nameOf(record) ?? '', geometry: geometryIn(fields, values), properties }
    })
  }

  async #formFor(rows: readonly MapRow[]): Promise<CellForm> {
    const { farm, zone, base } = this.#view
    const named: NamedIds = { references: new Map(), files: new Set() }
    for (const { record, values } of rows)
      noteNamed(named, fieldsOfBundle(farm.records[record.type], record.bundle), values)
    await this.#names.learn(named.references)
    const files = await filesByIds(this.#snapshot, [...named.files])
    const addressOf = (id: number): string => {
      const file = files.get(id)
      return file === undefined ? '' : addressOfFile(base, file)
    }
    return {
      times: 'iso',
      zone,
      refs: 'name',
      nameOf: (type, id) => this.#names.of(type, id),
      addressOfFile: addressOf,
    }
  }
}

/** Computed fields that every reader sees. */
const computedIn = once((type: RecordType): readonly string[] =>
  [...allOlderFields(type).values()].flatMap(({ own, field }) => (field.computed && !field.onRequest ? [own] : [])),
)

/** Fields that a map expresses in other ways: the id and the vocabulary. */
export const isBeside = ({ idName, bundleName }: RecordType, name: string): boolean =>
  name === idName || name === 'id' || (name === bundleName && bundleName === 'vocabulary')

const notedOf = ({ type, bundle, uid, created, changed }: StoredRecord): Values =>
  type === 'term' ? {} : { type: bundle, uid, created, changed }

interface PropertyOfField {
  readonly name: string
  readonly older: OlderField
  readonly value: Value | undefined
}

function say(properties: Map<string, string | number>, { name, older, value }: PropertyOfField, form: CellForm): void {
  const { field } = older
  if (field.kind === 'geometry') return
  if (field.kind === 'part' && !isMany(field)) {
    for (const [inside, own] of Object.entries(field.fields)) {
      if (own.kind !== 'geometry')
        put(properties, `${name}.${inside}`, cellOf(own, (value as PartValue | undefined)?.[inside], form))
    }
    return
  }
  const text = cellOfOlder(older, value, form)
  put(properties, name, field.kind === 'whole' && text !== '' ? Number(text) : text)
}

function put(properties: Map<string, string | number>, name: string, value: string | number): void {
  if (value !== '') properties.set(name, value)
}

type ShapeFields = ReadonlyMap<string, OlderField>

/** The geometry of a record; null if it has none. */
export function geometryIn(fields: ShapeFields, values: Values): Geometry | null {
  const wkts = wktsIn(fields, values)
  return wkts.length === 0 ? null : drawableGeometry(parseKeptWkt(combineWkt(wkts)))
}

const hasPlace = (fields: ShapeFields, values: Values): boolean => wktsIn(fields, values).length > 0

/** Geometries in order of precedence: computed, the record's own, that of a part such as a movement. */
function wktsIn(fields: ShapeFields, values: Values): readonly string[] {
  const all = [...fields.values()]
  const own = all.flatMap(({ own, field }) => wktsOf(field, values[own]))
  const computed = all.flatMap(({ own, field }) => (field.computed ? wktsOf(field, values[own]) : []))
  const saying = computed.length > 0 ? computed : own
  return saying.length > 0 ? saying : all.flatMap((older) => wktsInParts(older, values))
}

const wktsOf = (field: Field, value: Value | undefined): readonly string[] =>
  field.kind !== 'geometry' || value === undefined || value === '' ? [] : ([value].flat() as readonly string[])

const wktsInParts = ({ own, field }: OlderField, values: Values): readonly string[] =>
  field.kind !== 'part' || isMany(field)
    ? []
    : Object.entries(field.fields).flatMap(([name, inside]) =>
        wktsOf(inside, (values[own] as PartValue | undefined)?.[name]),
      )
