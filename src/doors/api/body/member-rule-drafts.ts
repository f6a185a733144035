import { isDeepStrictEqual } from 'node:util'
import type { Farm } from '../../../farm/farm.ts'
import { wordsOfKind } from '../../../farm/newer/area-assets.ts'
import type { MemberRule, ResourceType } from '../../../farm/newer/resource-type.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import type { Fields } from '../../../fields/field.ts'
import { type InputPlace, shown } from '../../../fields/place.ts'
import { richTextFormat } from '../../../fields/text.ts'
import type { Draft, PartDraft, ReferenceDraft, RichText, Values } from '../../../fields/value.ts'
import type { NumberedRef } from '../documents/identifiers.ts'
import {
  archivedSince,
  assignsGroups,
  groupsOfLog,
  type LogPlace,
  movementPlace,
  moves,
  noFormat,
  numbersIn,
  ownPlace,
  shapeOfPlace,
} from '../documents/member-rules.ts'

interface DraftRule {
  /** Members that change the same fields. */
  readonly of: readonly MemberRule[]
  readonly drafts: (given: RuleInput) => FieldDrafts
}

const drawnGeometryDrafts = (given: RuleInput): FieldDrafts => {
  const wkt = sentDraft(given, 'drawn geometry')
  return { geofield: typeof wkt === 'string' ? [wkt] : undefined }
}

const draftRules: readonly DraftRule[] = [
  { of: ['log status'], drafts: (given) => ({ status: sentDraft(given, 'log status') }) },
  { of: ['moves', 'log location', 'log geometry', 'log assets'], drafts: logPlaceDrafts },
  { of: ['assigns groups', 'assigned groups'], drafts: groupDrafts },
  { of: ['asset status', 'archived', 'last archived'], drafts: archivedDrafts },
  { of: ['area type'], drafts: areaTypeDrafts },
  { of: ['drawn geometry'], drafts: drawnGeometryDrafts },
  { of: ['description'], drafts: descriptionDrafts },
  { of: ['fraction'], drafts: fractionDrafts },
]

/** Drafts of the stored fields, and the members that set them. */
export function draftsByRules(given: RuleInput): readonly (readonly [MemberRule, FieldDrafts])[] {
  const isNewArea = given.type.kind !== undefined && Object.keys(given.before).length === 0
  return draftRules.flatMap(({ of, drafts }) => {
    const sent = of.find((rule) => given.members.has(rule))
    if (sent === undefined && !(isNewArea && of.includes('area type'))) return []
    const known = Object.entries(drafts(given)).filter(([field]) => Object.hasOwn(given.fields, field))
    return [[sent ?? 'area type', Object.fromEntries(known)] as const]
  })
}

/** A value is stored as a decimal, and beside it as a fraction if the decimal is not exact. */
function fractionDrafts(given: RuleInput): FieldDrafts {
  const { value, fraction } = (sentDraft(given, 'fraction') as PartDraft | undefined)?.part ?? {}
  return { value, fraction }
}

/** Groups become a membership if `is_group_assignment` is set, and plain references otherwise. */
function groupDrafts(given: RuleInput): FieldDrafts {
  const { before, members } = given
  const things = sentRefs(given, 'assigned groups')
  const groups = references(things === undefined ? groupsOfLog(before) : idsAmong(things, 'asset'))
  const assigns = members.has('assigns groups') ? sentDraft(given, 'assigns groups') === true : assignsGroups(before)
  if (!assigns) return { membership: undefined, group: groups }
  return { membership: { part: groups === undefined ? { leaves: true } : { group: groups } }, group: undefined }
}

/** The area type decides the asset type; an ambiguous one is stored with its kind. */
function areaTypeDrafts(given: RuleInput): FieldDrafts {
  const { farm, type, members, before } = given
  const [, vocabulary] = areaVocabulary(farm)
  const kind = type.kind ?? ''
  const words = wordsOfKind(farm, vocabulary, kind)
  const [only] = words
  const member = members.get('area type')
  // A kind without a type field needs no word.
  if (member === undefined)
    return Object.keys(before).length === 0 && only !== undefined ? { area_type: only.value } : {}
  const word = sentDraft(given, 'area type')
  const choice = words.find(({ value, newer }) => value === word || newer === word)
  if (choice === undefined) {
    if (word !== undefined)
      member.place.fault(
        `${shown(word)} is not one of the allowed values`,
        words.map(({ value }) => value),
      )
    return { area_type: undefined }
  }
  const [first] = Object.keys(vocabulary.kinds ?? {})
  return { area_type: choice.value, kind: choice.kind === undefined && kind !== first ? kind : undefined }
}

/**
 * `status` and `archived` express one time. If they contradict each other, `status` wins for a new record. For an
 * existing one, the member that changes something wins, else `status`. `last_archived` only sets the time.
 */
function archivedDrafts(given: RuleInput): FieldDrafts {
  const { before } = given
  const since = archivedSince(before)
  const last = sentDraft(given, 'last archived')
  const when = typeof last === 'number' ? last : since || given.now
  const byStatus = sinceByStatus(given, when)
  const archived = given.members.has('archived') ? sentDraft(given, 'archived') : undefined
  const byArchived = given.members.has('archived') ? sinceByArchived(archived, when) : undefined
  if (byStatus === undefined && byArchived === undefined) {
    return archivedFields(since === 0 ? 0 : when, before.archived_yes_no === true)
  }
  if (byArchived === undefined || (byStatus !== undefined && decidesStatus(given, { since, byStatus, byArchived }))) {
    return archivedFields(byStatus ?? 0, false)
  }
  return archivedFields(byArchived, typeof archived === 'boolean')
}

const archivedFields = (since: number, saidAsYesNo: boolean): FieldDrafts => ({
  archived: since === 0 ? undefined : since,
  archived_yes_no: saidAsYesNo ? true : undefined,
})

const sinceByStatus = (given: RuleInput, when: number): number | undefined => {
  if (!given.members.has('asset status')) return undefined
  return sentDraft(given, 'asset status') === 'archived' ? when : 0
}

function sinceByArchived(archived: ReturnType<typeof sentDraft>, when: number): number {
  if (archived === true) return when
  return typeof archived === 'number' ? archived : 0
}

interface ArchivedTimes {
  readonly since: number
  readonly byStatus: number
  readonly byArchived: number
}

function decidesStatus(given: RuleInput, { since, byStatus, byArchived }: ArchivedTimes): boolean {
  const isOver = (time: number) => time === 0
  if (isOver(byStatus) === isOver(byArchived)) return false
  return isNew(given) || isOver(byStatus) !== isOver(since)
}

const isNew = ({ before }: RuleInput): boolean => Object.keys(before).length === 0

/**
 * A log stores two places: the target of its movement, and its own. The sent place replaces the one that `is_movement`
 * selects afterwards; when `is_movement` changes, the place moves along. Areas that are subjects of the log are stored
 * among its own areas.
 */
function logPlaceDrafts(given: RuleInput): FieldDrafts {
  const { before, members } = given
  const movedBefore = moves(before)
  const movesNow = members.has('moves') ? sentDraft(given, 'moves') === true : movedBefore
  const standing = movedBefore ? movementPlace(before) : ownPlace(before)
  const place = placeGiven(given, standing)
  const about = sentRefs(given, 'log assets')
  const aboutAreas = about === undefined ? numbersIn(before.asset_area) : idsAmong(about, 'term')
  // A place beside a movement stays; when a movement begins, it takes over the place.
  const own = movesNow ? (movedBefore ? ownPlace(before) : nowhere) : place
  return {
    ...(about === undefined ? {} : { asset: references(idsAmong(about, 'asset')) }),
    ...areaDrafts(before, { own, aboutAreas }),
    place: references(own.assets),
    geofield: own.geometries.length === 0 ? undefined : own.geometries,
    movement: movesNow ? movementDraft(place) : undefined,
  }
}

interface Areas {
  readonly own: LogPlace
  readonly aboutAreas: readonly number[]
}

/** The stored list of areas keeps its order, unless its content changes. */
function areaDrafts(before: Values, { own, aboutAreas }: Areas): FieldDrafts {
  if (isDeepStrictEqual([own.areas, aboutAreas], [ownPlace(before).areas, numbersIn(before.asset_area)])) return {}
  return {
    asset_area: references(aboutAreas),
    area: references([...own.areas, ...aboutAreas]),
    aside: references(aboutAreas.filter((id) => !own.areas.includes(id))),
  }
}

const nowhere: LogPlace = { areas: [], assets: [], geometries: [] }

function placeGiven(given: RuleInput, standing: LogPlace): LogPlace {
  const location = sentRefs(given, 'log location')
  const geometry = sentDraft(given, 'log geometry')
  return {
    areas: location === undefined ? standing.areas : idsAmong(location, 'term'),
    assets: location === undefined ? standing.assets : idsAmong(location, 'asset'),
    geometries: given.members.has('log geometry')
      ? typeof geometry === 'string'
        ? [geometry]
        : []
      : standing.geometries,
  }
}

function movementDraft({ areas, assets, geometries }: LogPlace): Draft {
  const area = references(areas)
  const place = references(assets)
  const geometry = shapeOfPlace({ geometries })
  const isEmpty = area === undefined && place === undefined && geometry === ''
  return {
    part: {
      ...(area === undefined ? {} : { area }),
      ...(place === undefined ? {} : { place }),
      ...(geometry === '' ? {} : { geometry }),
      ...(isEmpty ? { leaves: true } : {}),
    },
  }
}

function descriptionDrafts(given: RuleInput): FieldDrafts {
  const rich = sentDraft(given, 'description') as RichText | undefined
  if (rich === undefined) return { description: undefined, description_format: undefined }
  const { value, format } = rich
  return { description: value, description_format: format === richTextFormat ? undefined : format || noFormat }
}

/** One member as sent: the draft of an attribute, or the targets of a relationship. */
export type SentMember =
  | { readonly is: 'attribute'; readonly draft: Draft | undefined; readonly place: InputPlace }
  | { readonly is: 'relationship'; readonly things: readonly NumberedRef[]; readonly place: InputPlace }

/** Sent members that set more than one field. */
interface RuleInput {
  readonly farm: Farm
  readonly type: ResourceType
  /** The stored fields of the record. */
  readonly fields: Fields
  readonly members: ReadonlyMap<MemberRule, SentMember>
  /** The record's values; empty for a new one. */
  readonly before: Values
  readonly now: number
}

/** Drafts of stored fields; undefined empties one. */
export type FieldDrafts = Readonly<Record<string, Draft | undefined>>

function sentDraft({ members }: RuleInput, rule: MemberRule): Draft | undefined {
  const member = members.get(rule)
  return member?.is === 'attribute' ? member.draft : undefined
}

/** The targets of a relationship; undefined if it was not sent. */
function sentRefs({ members }: RuleInput, rule: MemberRule): readonly NumberedRef[] | undefined {
  const member = members.get(rule)
  return member?.is === 'relationship' ? member.things : undefined
}

export const idsAmong = (things: readonly NumberedRef[], of: NumberedRef['of']): readonly number[] =>
  things.flatMap((thing) => (thing.of === of ? [thing.id] : []))

/** An empty list empties the field. */
export const references = (ids: readonly number[]): readonly ReferenceDraft[] | undefined =>
  ids.length === 0 ? undefined : [...new Set(ids)].map((id) => ({ ref: 'id', id }))
