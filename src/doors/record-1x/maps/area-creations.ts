import { uuidIn } from '../../../fields/uuid.ts'
import { propertyNamed } from '../../../formats/map/feature.ts'
import { draftOfNew, type NewDraft, recordsFrom } from '../../../records/writing/create.ts'
import { storeNew } from '../../../records/writing/storing.ts'
import { Refusal } from '../../../refusal.ts'
import type { RecordToStore } from '../../../storage/records/stored.ts'
import { newRecordIn } from '../intake/new-record.ts'
import { areaAt, type Context, type Outcome, referenceFor } from './importing.ts'
import type { Wanted } from './layers.ts'
import { areaVocabulary } from './map-import.ts'
import type { Node, Parents } from './parents.ts'
import { plainText, treeValue } from './said.ts'

interface Nodes {
  readonly parents: Parents
  readonly wanted: Wanted
  /** Names for features that have none. */
  readonly names: ReadonlyMap<Node, string>
}

/** Makes new areas. */
export class AreaCreations {
  readonly #context: Context
  readonly #nodes: Nodes

  constructor(context: Context, nodes: Nodes) {
    this.#context = context
    this.#nodes = nodes
  }

  /** What these nodes stand for; they lie in nothing that is not there yet. Once there is a fault, nothing is kept any more. */
  async make(nodes: readonly Node[]): Promise<readonly Outcome[]> {
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
    const tree: Record<string, unknown> = { vocabulary: areaVocabulary, ...(parent.length === 0 ? {} : { parent }) }
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

  /** Where a property was guessed, how to say another one. */
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
