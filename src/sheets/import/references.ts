import { nameKey } from '../../access/names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import type { FieldOf, ReferableType } from '../../fields/field.ts'
import { textKey, trimmedTextKey } from '../../fields/key.ts'
import type { CellFaults } from '../../fields/kind.ts'
import { shown } from '../../fields/place.ts'
import { uuidIn, wholeNumber } from '../../fields/scalars.ts'
import type { Value } from '../../fields/value.ts'
import { allAccounts } from '../../storage/access/account-rows.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import {
  type RecordLabel,
  recordsCalled,
  recordsNumbered,
  recordsWithValue,
} from '../../storage/records/record-lookup.ts'
import { KnownId } from '../../wire-1x/read-field.ts'
import { numberInName } from '../cells.ts'
import type { CellRules } from './read-cell.ts'

type ReferenceReader = CellRules['referred']
type ReferenceField = FieldOf<'reference'>

interface ReferenceContext {
  readonly named: NamedInCells
  /** The type of the imported records. */
  readonly type: RecordTypeName
  /** The bundle of the record with the reference. */
  readonly bundle: string
  readonly above: RowsAbove
  /** Called for a row above that is not written yet. */
  readonly awaited: (row: RowAbove) => void
}

/** Plural names of types, for messages. */
const things: Readonly<Record<ReferableType, string>> = {
  ...{ log: 'log', asset: 'asset', term: 'term', quantity: 'quantity', vocabulary: 'vocabulary', user: 'user' },
}

/** Resolves a word to an existing record or a row above. Two candidates are a fault. */
export const referenceReader = (around: ReferenceContext): ReferenceReader => {
  return (field, word, spot) => {
    if (field.to === 'vocabulary') return word
    const uuid = uuidIn(word)
    if (uuid !== undefined) return underUuid(around, field, { uuid, spot })
    const candidates = candidatesFor(around, field, word)
    const already = candidates.filter(({ id }) => id !== undefined && hasAlready(spot.before, id))
    const [only, second] = already.length === 1 ? already : candidates
    if (only === undefined) return unfound(around, field, { word, spot })
    if (second === undefined) return treeOf(around, field, only)
    return spot.fault(`${shown(word)} may be one of several; write its number behind it`, candidates.map(candidateName))
  }
}

/** Candidates listed in a message. */
const mostNamesakes = 20

/** A record that a word can refer to: an existing one, or a row above. */
type Candidate = RecordLabel | RowAbove

function candidatesFor(around: ReferenceContext, field: ReferenceField, word: string): readonly Candidate[] {
  const isWithin = ({ bundle }: Candidate) => withinOf(field, around.bundle)?.includes(bundle) ?? true
  const { to } = field
  const behind = numberInName(word)
  const number = behind?.id ?? wholeNumber(word)
  const numbered = number === undefined ? undefined : around.named.numbered(to, number)
  const isNamedSo = behind === undefined || behind.name === '' || isCalled(numbered, behind.name)
  const there = [
    ...around.named.called(to, word),
    ...(to === 'asset' ? around.named.tagged(word) : []),
    ...(numbered !== undefined && isNamedSo ? [numbered] : []),
  ].filter(isWithin)
  const known = new Map<number | string, Candidate>(there.map((one) => [one.id, one]))
  if (to === around.type) {
    for (const one of around.above.called(word)) {
      if (known.size >= mostNamesakes) break
      if (isWithin(one)) known.set(one.id ?? `row ${one.row}`, one)
    }
  }
  return [...known.values()]
}

const isCalled = (record: RecordLabel | undefined, name: string): boolean =>
  record !== undefined && trimmedTextKey(record.name) === trimmedTextKey(name)

const withinOf = ({ within }: ReferenceField, own: string): readonly string[] | undefined =>
  within === 'own' ? [own] : within

const hasAlready = (before: Value | undefined, id: number): boolean =>
  Array.isArray(before) ? before.includes(id) : before === id

const candidateName = (one: Candidate): string =>
  'row' in one ? `${one.name} in row ${one.row}` : `${one.name} #${one.id}`

function treeOf(around: ReferenceContext, { to }: ReferenceField, one: Candidate): unknown {
  if (!('row' in one)) return { id: String(one.id) }
  if (one.id === undefined) around.awaited(one)
  return { id: new KnownId(to, one.id ?? 1, `row ${one.row}`) }
}

interface ByUuid {
  readonly uuid: string
  readonly spot: CellFaults
}

function underUuid(around: ReferenceContext, { to }: ReferenceField, { uuid, spot }: ByUuid): unknown {
  const above = to === around.type ? around.above.under(uuid) : undefined
  if (above !== undefined) {
    if (above.id === undefined) around.awaited(above)
    return { uuid }
  }
  const identity = around.named.under(uuid)
  if (identity?.type === to && identity.removed === null) return { uuid }
  return spot.fault(`there is no ${things[to]} with the UUID ${uuid}`)
}

interface Word {
  readonly word: string
  readonly spot: CellFaults
}

/** An unknown term is made by its name, as in JSON. Nothing else is made. */
function unfound(around: ReferenceContext, field: ReferenceField, { word, spot }: Word): unknown {
  const thing = things[field.to]
  const behind = numberInName(word)
  const id = behind?.id ?? wholeNumber(word)
  const other = id === undefined ? undefined : around.named.numbered(field.to, id)
  if (behind !== undefined) {
    if (other === undefined) return spot.fault(`there is no ${thing} with the id ${behind.id}`)
    const isOther = behind.name !== '' && !isCalled(other, behind.name)
    return isOther
      ? spot.fault(`${thing} ${behind.id} is called ${shown(other.name)}`, [candidateName(other)])
      : spot.fault(`${thing} ${behind.id} is of the type ${other.bundle}`, withinOf(field, around.bundle))
  }
  if (field.to === 'term') return { name: word }
  const namesake = other ?? around.named.called(field.to, word)[0]
  if (namesake !== undefined)
    return spot.fault(
      `${thing} ${candidateName(namesake)} is of the type ${namesake.bundle}`,
      withinOf(field, around.bundle),
    )
  const earlier = field.to === 'asset' ? ', nor has any that ear tag' : ''
  return spot.fault(`there is no ${thing} called ${shown(word)}${earlier}`)
}

/** Words in reference cells, by the type they refer to. */
export type WordsByType = ReadonlyMap<ReferableType, ReadonlySet<string>>

/** The field with the ear tags of assets. */
export const tagField = { type: 'asset', part: 'tag', member: 'id' } as const

/** Records found for the words, in one lookup. */
export interface NamedInCells {
  called(type: ReferableType, word: string): readonly RecordLabel[]
  numbered(type: ReferableType, id: number): RecordLabel | undefined
  tagged(word: string): readonly RecordLabel[]
  under(uuid: string): Identity | undefined
}

/** The id in a word, alone or after a name. */
export const numberIn = (word: string): number | undefined => numberInName(word)?.id ?? wholeNumber(word)

export async function lookUpWords(snapshot: Snapshot, words: WordsByType): Promise<NamedInCells> {
  const called = new Map<ReferableType, ReadonlyMap<string, readonly RecordLabel[]>>()
  const numbered = new Map<ReferableType, ReadonlyMap<number, RecordLabel>>()
  const assets = [...(words.get('asset') ?? [])]
  const tagged = await recordsWithValue(snapshot, tagPath, [...new Set(assets.map(textKey))])
  const uuids = [...words.values()].flatMap((each) => [...each].flatMap((word) => uuidIn(word) ?? []))
  for (const type of recordTypeNames) {
    const own = [...(words.get(type) ?? [])]
    if (own.length === 0) continue
    called.set(type, await recordsCalled(snapshot, type, [...new Set(own.map(trimmedTextKey))]))
    const ids = [
      ...own.flatMap((word) => numberIn(word) ?? []),
      ...(type === 'asset' ? [...tagged.values()].flat() : []),
    ]
    numbered.set(type, await recordsNumbered(snapshot, type, [...new Set(ids)]))
  }
  if (words.has('user')) {
    const accounts = (await allAccounts(snapshot)).map(({ uid, name }) => ({ id: uid, bundle: 'user', name }))
    called.set('user', new Map(accounts.map((one) => [nameKey(one.name), [one]])))
    numbered.set('user', new Map(accounts.map((one) => [one.id, one])))
  }
  const identities = await identitiesOf(snapshot, uuids)
  return {
    called: (type, word) => called.get(type)?.get(type === 'user' ? nameKey(word) : trimmedTextKey(word)) ?? [],
    numbered: (type, id) => numbered.get(type)?.get(id),
    tagged: (word) => (tagged.get(textKey(word)) ?? []).flatMap((id) => numbered.get('asset')?.get(id) ?? []),
    under: (uuid) => identities.get(uuid),
  }
}

const tagPath: { readonly type: RecordTypeName; readonly field: string } = {
  type: tagField.type,
  field: `${tagField.part}.${tagField.member}`,
}

/** A record of an earlier row that later rows can refer to. */
export interface RowAbove {
  readonly row: number
  readonly bundle: string
  readonly name: string
  readonly tags: readonly string[]
  /** Undefined until it is written. */
  readonly id: number | undefined
}

/** Rows read so far, by the names that later rows can use. */
export class RowsAbove {
  readonly #called = new Map<string, Map<number, RowAbove>>()
  readonly #under = new Map<string, RowAbove>()

  add(above: RowAbove, uuid: string | undefined): void {
    for (const word of [above.name, ...above.tags]) this.#note(trimmedTextKey(word), above)
    if (uuid !== undefined) this.#under.set(uuid, above)
  }

  #note(key: string, above: RowAbove): void {
    if (key === '') return
    const those = this.#called.get(key) ?? new Map<number, RowAbove>()
    this.#called.set(key, those.set(above.row, above))
  }

  /** Rows with this name or ear tag, in row order. */
  called(word: string): readonly RowAbove[] {
    return [...(this.#called.get(trimmedTextKey(word))?.values() ?? [])]
  }

  under(uuid: string): RowAbove | undefined {
    return this.#under.get(uuid)
  }
}
