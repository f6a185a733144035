import { areaBundle } from '../farm/bundle-names.ts'
import { uuidIn } from '../fields/scalars.ts'
import { parseKeptWkt } from '../fields/wkt/parser.ts'
import { type LeftOut, propertyNamed } from '../formats/map/feature.ts'
import { shapeKey } from '../formats/map/shape.ts'
import { draftOfNew, type NewDraft, recordsFrom } from '../records/writing/create.ts'
import { storeNew } from '../records/writing/storing.ts'
import { updateIn } from '../records/writing/update.ts'
import type { WriteContext } from '../records/writing/write-context.ts'
import { Refusal } from '../refusal.ts'
import { atPresent } from '../storage/farm-state.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { RecordToStore } from '../storage/records/stored.ts'
import { readTimezone } from '../storage/settings.ts'
import { changeIn, newRecordIn } from '../wire-1x/record-draft.ts'
import type { NewAreas, Node, Parent, Parents } from './area-parents.ts'
import type { MapFaults } from './map-faults.ts'
import { type MapRecord, MapRecords } from './map-features.ts'
import type { MapOptions } from './map-options.ts'
import { identityWords, plainText, type SentArea, type SentMap, treeValue } from './sent-map.ts'

/** The result for a feature, or for a parent made for features. */
export interface AreaOutcome {
  readonly node: Node
  readonly name: string
  readonly result: 'created' | 'changed' | 'unchanged'
  readonly id: number
  readonly uuid: string
  /** The feature had no name and was given one. */
  readonly isNamed?: true
}

export interface MapToImport {
  readonly map: SentMap
  readonly wish: MapOptions
  /** The base URL of the farm, if it has one. */
  readonly base: string
}

export interface MapImportContext extends MapToImport {
  readonly work: WriteContext
  readonly faults: MapFaults
  /** Reset if the transaction is retried. */
  readonly leftOut: LeftOut
  /** Ids of existing areas, filled as areas are made. */
  readonly known: Map<Node, number>
}

/** A reference as in a record; undefined if the area is still to be made. */
function referenceFor(parent: Parent, known: ReadonlyMap<Node, number>): unknown {
  if (!('node' in parent)) return parent
  const id = known.get(parent.node)
  return id === undefined ? undefined : { id }
}

const areaAt = ({ areas }: SentMap, index: number): SentArea => areas[index] as SentArea

interface Nodes {
  readonly parents: Parents
  readonly wanted: NewAreas
  /** Names for features that have none. */
  readonly names: ReadonlyMap<Node, string>
}

export class AreaCreations {
  readonly #context: MapImportContext
  readonly #nodes: Nodes

  constructor(context: MapImportContext, nodes: Nodes) {
    this.#context = context
    this.#nodes = nodes
  }

  /** Makes these nodes, whose parents must exist. After the first fault it only validates. */
  async make(nodes: readonly Node[]): Promise<readonly AreaOutcome[]> {
    const { work, faults, known } = this.#context
    const drafts = nodes.flatMap((node) => this.#draft(node))
    if (faults.count > 0) return []
    const { made, ...others } = await recordsFrom(work, drafts)
    const records: RecordToStore[] = []
    for (const [nth, record] of made.entries()) {
      if (record instanceof Refusal) this.#note(nodes[nth] ?? 0, record)
      else records.push(record)
    }
    if (faults.count > 0) return []
    const creation = { type: 'term' as const, records, set: work.set, ...others }
    const stored = await storeNew(work.tx, work.installation.farm, creation)
    return stored.map(({ id, uuid, values }, nth) => {
      const node = nodes[nth] ?? 0
      known.set(node, id)
      const named = this.#nodes.names.has(node) ? { isNamed: true as const } : {}
      return { node, name: String(values.name), result: 'created', id, uuid, ...named }
    })
  }

  #draft(node: Node): readonly NewDraft[] {
    const { work, faults } = this.#context
    const { installation, caller } = work
    const { farm, vocabularies } = installation
    const tree = this.#tree(node)
    try {
      const uuid = uuidIn(tree.uuid)
      const record = newRecordIn({ farm, vocabularies, address: installation.settings.baseUrl }, 'term', tree)
      const draft = draftOfNew(installation, caller, { ...record, ...(uuid === undefined ? {} : { uuid }) })
      for (const fault of draft.draft.faults) faults.add(indexOf(node), this.#advised(node, fault))
      if (typeof node === 'number') noteCrossing(areaAt(this.#context.map, node), faults)
      return [draft]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#note(node, error)
      return []
    }
  }

  #note(node: Node, { message, details }: Refusal): void {
    for (const fault of details.faults ?? [{ field: '', message }]) this.#context.faults.add(indexOf(node), fault)
  }

  #tree(node: Node): Record<string, unknown> {
    const { known, map, wish, work, leftOut } = this.#context
    const { parents, wanted, names } = this.#nodes
    const parent = (wanted.get(node) ?? []).flatMap((one) => referenceFor(one, known) ?? [])
    const tree: Record<string, unknown> = { vocabulary: areaBundle, ...(parent.length === 0 ? {} : { parent }) }
    if (typeof node === 'string') return { ...tree, name: parents.unmade.get(node)?.name }
    const area = areaAt(map, node)
    const { said } = area
    if (names.has(node)) tree.name = names.get(node)
    for (const [name, { text }] of said) {
      const older = wish.fields.get(name)
      if (older !== undefined && name !== 'parent') tree[name] = treeValue(older, text, work.installation.farm)
    }
    const used = new Set([...said.values()].map(({ property }) => property))
    for (const [property, text] of area.properties) {
      if (!used.has(property) && property !== 'uuid' && plainText(text) !== '') leftOut.count(propertyNamed(property))
    }
    const uuid = wish.match === 'uuid' ? area.properties.get('uuid') : undefined
    if (uuid !== undefined && plainText(uuid) !== '') tree.uuid = plainText(uuid)
    return area.wkt === null ? tree : { ...tree, geofield: [area.wkt] }
  }

  /** If a property was guessed, adds advice on how to choose another. */
  #advised(
    node: Node,
    fault: { readonly field: string; readonly message: string; readonly allowed?: readonly string[] },
  ) {
    const { map } = this.#context
    if (typeof node === 'string') return fault
    const property = areaAt(map, node).said.get(fault.field)?.property
    if (fault.field === 'name' && property === undefined)
      return {
        ...fault,
        message: `${fault.message}: say which property is the name by map=name=PROPERTY, or by map=name= that there is none`,
      }
    if (property === undefined || property === fault.field) return fault
    const short = fault.field === 'area_type' ? 'type' : fault.field
    return { ...fault, message: `${fault.message} (the property ${property}; map=${short}= leaves it out)` }
  }
}

const indexOf = (node: Node): number | 'parent' => (typeof node === 'number' ? node : 'parent')

/** Updates existing areas from the features of a map. */
export class AreaChanges {
  readonly #context: MapImportContext
  readonly #parents: Parents

  constructor(context: MapImportContext, parents: Parents) {
    this.#context = context
    this.#parents = parents
  }

  async make(areas: readonly SentArea[]): Promise<readonly AreaOutcome[]> {
    const { known } = this.#context
    const shown = await this.#shown(areas.flatMap(({ index }) => known.get(index) ?? []))
    const outcomes: AreaOutcome[] = []
    for (const area of areas) {
      const before = shown.get(known.get(area.index) ?? 0)
      if (before !== undefined) outcomes.push(await this.#changed(area, before))
    }
    return outcomes
  }

  async #shown(ids: readonly number[]): Promise<ReadonlyMap<number, MapRecord>> {
    const { work, base } = this.#context
    const { farm, edition, clock } = work.installation
    const view = { farm, edition, base, zone: await readTimezone(work.tx), time: atPresent(clock()) }
    const records = [...(await recordsByIds(work.tx, 'term', ids)).values()]
    const shown = await new MapRecords(work.tx, view).of(records)
    return new Map(shown.map((one) => [one.record.id, one]))
  }

  async #changed(area: SentArea, before: MapRecord): Promise<AreaOutcome> {
    const { work, faults, wish } = this.#context
    const { id, uuid, values } = before.record
    const unchanged: AreaOutcome = { node: area.index, name: String(values.name), result: 'unchanged', id, uuid }
    const tree = this.#tree(area, before)
    if (Object.keys(tree).length === 0) return unchanged
    if ('geofield' in tree) noteCrossing(area, faults)
    const { farm, vocabularies, settings } = work.installation
    const draftFor = changeIn({ farm, vocabularies, address: settings.baseUrl }, tree)
    try {
      const { before: was, after } = await updateIn(work, { type: 'term', id, draftFor })
      if (was === after) return unchanged
      const seen = plainText(area.properties.get('version') ?? '')
      if (seen !== '' && seen !== before.properties.get('version') && !wish.overwrite) {
        const message = 'the area has changed since the map was exported: export it again, or send overwrite=1'
        faults.add(area.index, { field: 'version', message })
      }
      return { ...unchanged, name: String(after.values.name), result: 'changed' }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      for (const fault of error.details.faults ?? [{ field: '', message: error.message }]) faults.add(area.index, fault)
      return unchanged
    }
  }

  /** A parent that does not exist yet is made by its name. */
  #byName(parent: Parent): unknown {
    const unmade =
      'node' in parent && typeof parent.node === 'string' ? this.#parents.unmade.get(parent.node) : undefined
    return { name: unmade?.name }
  }

  /** Only the properties that differ from the export, so that an unchanged export changes nothing. */
  #tree(area: SentArea, before: MapRecord): Record<string, unknown> {
    const { work, wish, known, leftOut } = this.#context
    const { said } = area
    const tree: Record<string, unknown> = {}
    const isShown = (property: string, text: string): boolean =>
      plainText(String(before.properties.get(property) ?? '')) === text
    for (const [name, { text }] of said) {
      const older = wish.fields.get(name)
      if (older === undefined || isShown(name, plainText(text))) continue
      tree[name] =
        name === 'parent'
          ? this.#parents.said(area)?.map((parent) => referenceFor(parent, known) ?? this.#byName(parent))
          : treeValue(older, text, work.installation.farm)
    }
    const used = new Set([...said.values()].map(({ property }) => property))
    for (const [property, value] of area.properties) {
      const text = plainText(value)
      if (used.has(property) || identityWords.includes(property) || text === '' || isShown(property, text)) continue
      leftOut.count(propertyNamed(property))
    }
    return isOtherShape(area.wkt, before) ? { ...tree, geofield: [area.wkt] } : tree
  }
}

function noteCrossing({ index, crossing }: SentArea, faults: MapFaults): void {
  if (crossing !== undefined) faults.add(index, { field: 'geometry', message: crossing })
}

function isOtherShape(wkt: string | null, { record, geometry }: MapRecord): boolean {
  if (wkt === null) return false
  const [own, second] = (record.values.geofield ?? []) as readonly string[]
  const isToTheLetter = own === wkt && second === undefined
  return !isToTheLetter && shapeKey(parseKeptWkt(wkt)) !== shapeKey(geometry)
}
