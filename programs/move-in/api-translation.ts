import { randomUUID } from 'node:crypto'
import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import { wordsOfKind } from '../../src/farm/newer/area-assets.ts'
import type { Member, MemberRule, ResourceType } from '../../src/farm/newer/resource-type.ts'
import { withNewerTraits } from '../../src/farm/newer/resource-types.ts'
import { areaVocabulary } from '../../src/farm/newer/type-of-record.ts'
import { richTextFormat } from '../../src/fields/text.ts'
import { secondsIn } from '../../src/fields/time.ts'
import type { RichText, Value, Values } from '../../src/fields/value.ts'
import { combineWkt } from '../../src/fields/wkt/combination.ts'
import { type WantedQuantity, withQuantities } from '../../src/records/quantities/quantities-of-log.ts'
import { type StoredRecord, unsetColumns } from '../../src/storage/records/stored.ts'
import type { ApiIndex, NumberedTarget } from './api-index.ts'
import { archivedSince, MemberReader, type ResourceInWork, shownTarget } from './api-members.ts'
import { filledText } from './api-module.ts'
import { type ApiFarm, type SourceResource, targetsOf } from './api-resources.ts'
import { readFractionValue } from './api-values.ts'
import type { NoteChange } from './findings.ts'
import { fillRequired, withTextNotes } from './translation.ts'

interface ApiTranslationContext {
  readonly source: ApiFarm
  readonly known: ApiIndex
  readonly now: number
  readonly note: NoteChange
}

/** Turns resources of the source into records of this farm, without loss. Values that would be refused are noted. */
export class ApiTranslation {
  readonly #context: ApiTranslationContext
  readonly #members: MemberReader
  readonly #quantities: ReadonlyMap<string, SourceResource>
  readonly #takenQuantities = new Map<string, string>()

  constructor(context: ApiTranslationContext, quantities: Iterable<SourceResource>) {
    this.#context = context
    this.#members = new MemberReader(context.known)
    this.#quantities = new Map([...quantities].map((quantity) => [quantity.id, quantity]))
  }

  /** True if a log has the quantity. */
  isTaken(quantity: SourceResource): boolean {
    return this.#takenQuantities.has(quantity.id)
  }

  isKnown(resource: SourceResource): boolean {
    return this.#context.known.typeOf(resource) !== undefined
  }

  record(resource: SourceResource): StoredRecord {
    const { known, now } = this.#context
    const target = known.at(resource.id)
    const type = known.typeOf(resource)
    if (target === undefined || type === undefined) throw new Error(`${resource.type} is unknown`)
    const translated = this.#translated(resource, type, aboutOf(resource))
    const { values, fields, lines, told, bundle } = translated
    const changed = secondsIn(resource.attributes.changed) ?? now
    const created = secondsIn(resource.attributes.created) ?? changed
    if (type.record === 'log') this.#addQuantities(translated)
    if (type.record !== 'quantity')
      fillRequired({ values, fields, lines, told, created, standIn: (vocabulary) => known.standIn(vocabulary) })
    return {
      type: type.record,
      id: target.id,
      uuid: resource.id,
      bundle,
      uid: this.#author(translated),
      created,
      changed,
      revision: 1,
      values: type.record === 'quantity' ? values : withTextNotes(values, fields, lines),
    }
  }

  /** Author and times of the quantities that logs have. */
  ownColumns(quantity: string): Pick<StoredRecord, 'uid' | 'created' | 'changed'> | undefined {
    const resource = this.#quantities.get(quantity)
    if (resource === undefined) return undefined
    const changed = secondsIn(resource.attributes.changed) ?? this.#context.now
    const [user] = targetsOf(resource, 'uid')
    const uid = user === undefined ? 0 : (this.#context.known.target(user)?.id ?? 0)
    return { uid, created: secondsIn(resource.attributes.created) ?? changed, changed }
  }

  #author({ resource, type, told }: ResourceInWork): number {
    if (type.family === 'taxonomy_term') return 0
    const [user] = targetsOf(resource, 'uid')
    const author = user === undefined ? undefined : this.#context.known.target(user)
    if (author === undefined && type.record !== 'quantity') told('uid', 'no-author')
    return author?.id ?? 0
  }

  #translated(resource: SourceResource, type: ResourceType, about: string): ResourceInWork {
    const { known, note } = this.#context
    const bundle = this.#bundleOf(resource, type)
    const own = known.at(resource.id)
    if (own !== undefined) known.setBundle(own, bundle)
    const fields = Object.fromEntries(
      Object.entries(fieldsOfBundle(known.farm.records[type.record], bundle)).map(([name, field]) => [
        name,
        withNewerTraits(field),
      ]),
    )
    const translated: ResourceInWork = {
      resource,
      type,
      bundle,
      fields,
      values: { ...unsetColumns[type.record] },
      lines: [],
      told: (at, name, was) => note({ about, at, case: name, ...(was === undefined ? {} : { was }) }),
    }
    const rules = new Map<MemberRule, Member>()
    for (const member of type.members.values()) {
      if (member.source.of === 'rule') rules.set(member.source.rule, member)
      else if (member.source.of !== 'note' && member.given === 'taken') this.#members.take(member, translated)
    }
    this.#applyRules(translated, rules)
    return translated
  }

  /** A type that stands for several bundles is told by a word. */
  #bundleOf({ attributes }: SourceResource, { record, bundles }: ResourceType): string {
    const all = this.#context.known.farm.records[record].bundles
    const by = bundles.map((name) => ({ name, by: all[name]?.newer?.by }))
    const field = by.find((one) => one.by !== undefined)?.by?.field ?? ''
    const found = by.find((one) => one.by?.word !== undefined && one.by.word === attributes[field])
    return (found ?? by.find((one) => one.by?.word === undefined))?.name ?? bundles[0] ?? ''
  }

  #applyRules(translated: ResourceInWork, rules: ReadonlyMap<MemberRule, Member>): void {
    const { values, resource } = translated
    const { attributes } = resource
    const attribute = (rule: MemberRule) => {
      const member = rules.get(rule)
      return member === undefined ? undefined : this.#members.attribute(translated, member)
    }
    if (rules.has('log status')) values.status = attribute('log status') ?? 'done'
    if (rules.has('asset status')) {
      const since = archivedSince(attributes, secondsIn(attributes.changed) ?? this.#context.now)
      if (since !== 0) values.archived = since
    }
    const description = rules.get('description')
    if (description !== undefined) {
      const rich = attribute('description') as RichText | undefined
      if (rich !== undefined && rich.value !== '') {
        values.description = rich.value
        if (rich.format !== richTextFormat) values.description_format = rich.format || 'none'
      }
    }
    if (rules.has('fraction')) {
      const input = attributes.value
      Object.assign(
        values,
        this.#members.read(translated, { name: 'value', input }, (place) => readFractionValue(input, place)),
      )
    }
    if (rules.has('drawn geometry')) {
      const drawn = attribute('drawn geometry')
      if (typeof drawn === 'string') values.geofield = [drawn]
    }
    if (translated.type.kind !== undefined) this.#setAreaType(translated, rules.get('area type'))
    if (rules.has('assigned groups')) this.#setGroups(translated)
    if (rules.has('log location') || rules.has('log assets')) this.#setPlace(translated, attribute('log geometry'))
  }

  #setAreaType({ type, values, resource, lines, told }: ResourceInWork, member: Member | undefined): void {
    const { farm } = this.#context.known
    const [, vocabulary] = areaVocabulary(farm)
    const kind = type.kind ?? ''
    const words = wordsOfKind(farm, vocabulary, kind)
    const [first] = Object.keys(vocabulary.kinds ?? {})
    if (member === undefined) {
      if (words[0] !== undefined) values.area_type = words[0].value
      return
    }
    const word = resource.attributes[member.name]
    const found = words.find(({ value, newer }) => value === word || newer === word)
    if (typeof word === 'string' && word !== '' && found === undefined) {
      // Land may have any word. Another kind of area would become land, so the word is kept as text.
      told(member.name, kind === first ? 'foreign-word' : 'bad-value', word)
      if (kind === first) values.area_type = word
      else lines.push(`${member.name}: ${word}`)
    }
    const choice = found ?? (kind === first ? undefined : words.find(({ alsoKind }) => alsoKind?.includes(kind)))
    if (choice === undefined) return
    values.area_type = choice.value
    if (choice.kind === undefined && kind !== first) values.kind = kind
  }

  #setGroups(translated: ResourceInWork): void {
    const { values, resource } = translated
    const groups = this.#members.targets(translated, 'group').map(({ id }) => id)
    if (resource.attributes.is_group_assignment !== true) this.#members.put(translated, 'group', groups)
    else
      values.membership = {
        uuid: randomUUID(),
        ...(groups.length === 0 ? { leaves: true } : { group: [...new Set(groups)] }),
      }
  }

  /** A log stores where it moves its assets, or where it took place. Areas that it is about are among its own. */
  #setPlace(translated: ResourceInWork, geometry: Value | undefined): void {
    const { values, resource } = translated
    const location = this.#members.targets(translated, 'location')
    const about = this.#members.targets(translated, 'asset')
    const ids = (all: readonly NumberedTarget[], of: 'asset' | 'term') => [
      ...new Set(all.flatMap((one) => (one.of === of ? [one.id] : []))),
    ]
    this.#members.put(translated, 'asset', ids(about, 'asset'))
    const shape = typeof geometry === 'string' && !this.#isImplied(resource, geometry) ? geometry : undefined
    const place = { area: ids(location, 'term'), place: ids(location, 'asset') }
    const isMovement = resource.attributes.is_movement === true && translated.fields.movement !== undefined
    if (isMovement) {
      const parts = Object.entries(place).filter(([, list]) => list.length > 0)
      const isEmpty = parts.length === 0 && shape === undefined
      values.movement = {
        uuid: randomUUID(),
        ...Object.fromEntries(parts),
        ...(shape === undefined ? {} : { geometry: shape }),
        ...(isEmpty ? { leaves: true } : {}),
      }
    }
    const own = isMovement ? { area: [], place: [] } : place
    const aboutAreas = ids(about, 'term')
    this.#members.put(translated, 'area', [...new Set([...own.area, ...aboutAreas])])
    this.#members.put(translated, 'asset_area', aboutAreas)
    this.#members.put(
      translated,
      'aside',
      aboutAreas.filter((id) => !own.area.includes(id)),
    )
    this.#members.put(translated, 'place', own.place)
    if (!isMovement && shape !== undefined) values.geofield = [shape]
  }

  /** A Furrow shows the geometry of its places on a log without one of its own; farmOS stores a copy. */
  #isImplied(resource: SourceResource, geometry: string): boolean {
    if (!this.#context.source.isFurrow) return false
    const location = targetsOf(resource, 'location')
    const about = resource.attributes.is_movement === true ? [] : targetsOf(resource, 'asset')
    const places = location.length > 0 ? location : about.filter(({ id }) => this.#places.has(id))
    const own = places.flatMap(({ id }) => this.#shownGeometries.get(id) ?? [])
    return own.length > 0 && combineWkt(own) === geometry
  }

  readonly #shownGeometries = new Map<string, string>()
  readonly #places = new Set<string>()

  /** Remembers the geometry that the source shows of an asset, and whether it is a place. */
  seeGeometry({ id, attributes: { geometry, is_location: isPlace } }: SourceResource): void {
    const value = (geometry as { readonly value?: unknown } | null | undefined)?.value
    if (typeof value === 'string') this.#shownGeometries.set(id, value)
    if (isPlace === true) this.#places.add(id)
  }

  #addQuantities(translated: ResourceInWork): void {
    const { resource, fields, values, lines, told } = translated
    const wanted: WantedQuantity[] = []
    for (const [index, target] of targetsOf(resource, 'quantity').entries()) {
      const quantity = this.#quantities.get(target.id)
      const at = `quantity[${index}]`
      if (quantity === undefined) {
        told(at, 'dangling', shownTarget(target))
        lines.push(`${at}: ${shownTarget(target)}`)
        continue
      }
      const earlier = this.#takenQuantities.get(quantity.id)
      if (earlier !== undefined && earlier !== resource.id) {
        told(at, 'several-logs', shownTarget(target))
        lines.push(`${at}: ${filledText(quantity, [])}`)
        continue
      }
      this.#takenQuantities.set(quantity.id, resource.id)
      wanted.push(this.#wanted(quantity, translated, at))
    }
    for (const [name, value] of Object.entries(withQuantities({ fields, values }, wanted))) values[name] = value
  }

  #wanted(quantity: SourceResource, log: ResourceInWork, at: string): WantedQuantity {
    const { known } = this.#context
    const type = known.typeOf(quantity) ?? known.typeOf({ type: standardQuantity })
    if (type === undefined) throw new Error('There is no standard quantity')
    const inside = this.#translated(quantity, type, aboutOf(quantity))
    for (const line of inside.lines) log.lines.push(`${at}.${line}`)
    if (type.name !== quantity.type) {
      log.told(at, 'quantity-type', quantity.type)
      log.lines.push(`${at}: ${quantity.type}, ${filledText(quantity, [...type.members.keys()])}`)
    }
    const { revision_log_message: _, ...values } = inside.values as Values
    return { uuid: quantity.id, bundle: type.bundles[0] ?? '', values: values as Values }
  }
}

const standardQuantity = 'quantity--standard'

/** The name of a resource in the report: type and number. */
export const aboutOf = ({ type, id, attributes }: SourceResource): string =>
  `${type} ${String(attributes.drupal_internal__id ?? attributes.drupal_internal__tid ?? id)}`
