import { parseKeptWkt } from '../../../fields/wkt/parser.ts'
import { propertyNamed } from '../../../formats/map/feature.ts'
import { shapeKey } from '../../../formats/map/shape-key.ts'
import { updateIn } from '../../../records/writing/update.ts'
import { Refusal } from '../../../refusal.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { recordsByIds } from '../../../storage/records/record-rows.ts'
import { readTimezone } from '../../../storage/settings.ts'
import { changeIn } from '../intake/record-change.ts'
import { type Context, type Outcome, referenceFor } from './importing.ts'
import type { Parent, Parents } from './parents.ts'
import { plainText, treeValue } from './said.ts'
import { identityWords, type SentArea } from './sent-areas.ts'
import { type ShownRecord, ShownRecords } from './shown-records.ts'

/** Changes areas that are there to what a map says of them. */
export class AreaChanges {
  readonly #context: Context
  readonly #parents: Parents

  constructor(context: Context, parents: Parents) {
    this.#context = context
    this.#parents = parents
  }

  async make(areas: readonly SentArea[]): Promise<readonly Outcome[]> {
    const { known } = this.#context
    const shown = await this.#shown(areas.flatMap(({ index }) => known.get(index) ?? []))
    const outcomes: Outcome[] = []
    for (const area of areas) {
      const before = shown.get(known.get(area.index) ?? 0)
      if (before !== undefined) outcomes.push(await this.#changed(area, before))
    }
    return outcomes
  }

  async #shown(ids: readonly number[]): Promise<ReadonlyMap<number, ShownRecord>> {
    const { work, base } = this.#context
    const { farm, edition, clock } = work.installation
    const view = { farm, edition, base, zone: await readTimezone(work.tx), time: atPresent(clock()) }
    const records = [...(await recordsByIds(work.tx, 'term', ids)).values()]
    const shown = await new ShownRecords(work.tx, view).of(records)
    return new Map(shown.map((one) => [one.record.id, one]))
  }

  async #changed(area: SentArea, before: ShownRecord): Promise<Outcome> {
    const { work, faults, wish } = this.#context
    const { id, uuid, values } = before.record
    const unchanged: Outcome = { node: area.index, name: String(values.name), result: 'unchanged', id, uuid }
    const tree = this.#tree(area, before)
    if (Object.keys(tree).length === 0) return unchanged
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

  /** What nothing lies in yet is made by its name. */
  #byName(parent: Parent): unknown {
    const unmade =
      'node' in parent && typeof parent.node === 'string' ? this.#parents.unmade.get(parent.node) : undefined
    return { name: unmade?.name }
  }

  /** What the map says otherwise than it would be shown: what comes back as it was exported changes nothing. */
  #tree(area: SentArea, before: ShownRecord): Record<string, unknown> {
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

function isOtherShape(wkt: string | null, { record, geometry }: ShownRecord): boolean {
  if (wkt === null) return false
  const [own, second] = (record.values.geofield ?? []) as readonly string[]
  const isToTheLetter = own === wkt && second === undefined
  return !isToTheLetter && shapeKey(parseKeptWkt(wkt)) !== shapeKey(geometry)
}
