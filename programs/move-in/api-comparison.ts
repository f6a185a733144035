import { isRelationship, type Member } from '../../src/farm/newer/resource-type.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { readDecimal } from '../../src/fields/exact-decimal.ts'
import { fractionOfDecimal } from '../../src/fields/fraction.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { printable } from '../../src/fields/text.ts'
import { secondsIn } from '../../src/fields/time.ts'
import type { Records } from '../../src/records/records.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { filesByIds } from '../../src/storage/file-rows.ts'
import { identitiesOf } from '../../src/storage/identity.ts'
import { recordPages } from '../../src/storage/records/record-lookup.ts'
import { ApiIndex } from './api-index.ts'
import { archivedSince } from './api-members.ts'
import { apiChanges, translatedRecords, translationFor } from './api-records.ts'
import { type ApiFarm, labelOf, resourcesIn, type SourceResource, targetsOf } from './api-resources.ts'
import { aboutOf } from './api-translation.ts'
import { fractionIn } from './api-values.ts'
import { findingOf, isKeptAsText, type MoveChange, type MoveFinding } from './findings.ts'
import { unhurried } from './json-lines-store.ts'
import type { CompareRequest } from './source.ts'
import type { SourceFiles } from './source-files.ts'
import { asText } from './source-values.ts'
import { unknownName } from './translation.ts'

interface ApiComparison extends CompareRequest {
  readonly records: Records
  readonly source: ApiFarm
  readonly files: Pick<SourceFiles, 'described'>
}

const together = 100

/** Compares every resource of the source with what this farm shows under /api, computed members included. */
export async function compareResources(compared: ApiComparison): Promise<readonly MoveFinding[]> {
  const { records, source } = compared
  const uuids = [...resourcesIn(source, 'file')].map(([, { id }]) => id)
  const { identities, kept } = await records.database.read(async (snapshot) => {
    const identities = await identitiesOf(snapshot, await allUuids(source))
    const files = uuids.flatMap((uuid) => identities.get(uuid)?.number ?? [])
    return { identities, kept: await filesByIds(snapshot, files) }
  })
  const numbers = new Map(
    [...identities].flatMap(([uuid, { number, removed }]) => (removed === null ? [[uuid, number]] : [])),
  )
  const changes = await changesOf(compared, { numbers, hasFile: (id) => kept.has(id) })
  const comparison = new ResourceComparison(compared, { numbers, changes })
  await comparison.compareAll()
  await comparison.compareAccounts()
  await comparison.findOwn()
  const unserved = await compared.unservedFiles(records, [...kept.values()], compared.report)
  return [
    ...changes.filter(({ about }) => !about.startsWith('account')).map(findingOf),
    ...unserved,
    ...comparison.findings,
  ]
}

const families = ['taxonomy_term', 'asset', 'quantity', 'log'] as const

async function allUuids(source: ApiFarm): Promise<readonly string[]> {
  return [...families, 'file' as const].flatMap((family) => [...resourcesIn(source, family)].map(([, { id }]) => id))
}

interface NumbersHere {
  readonly numbers: ReadonlyMap<string, number>
  hasFile(id: number): boolean
}

/** Changes made on import: recomputed, because the values are stored as changed. */
async function changesOf(
  { records, source, files }: ApiComparison,
  { numbers, hasFile }: NumbersHere,
): Promise<readonly MoveChange[]> {
  const changes: MoveChange[] = []
  const keys = new Map([...resourcesIn(source, 'file')].map(([key, { id }]) => [key, numbers.get(id)]))
  const has = (key: number) => hasFile(keys.get(key) ?? 0)
  const bytes = { has, get: (key: number) => (has(key) ? { id: key } : undefined) }
  const given = { byUuid: numbers, standIns: new Map(), isFree: () => true }
  const known = new ApiIndex(records.farm, source, { files: { described: files.described, bytes }, given })
  const translation = translationFor(source, known, { now: records.clock(), note: (change) => changes.push(change) })
  for await (const _ of unhurried(translatedRecords(source, translation)));
  return [...changes, ...apiChanges(records.farm, source)]
}

interface ComparisonState {
  readonly numbers: ReadonlyMap<string, number>
  readonly changes: readonly MoveChange[]
}

class ResourceComparison {
  readonly findings: MoveFinding[] = []
  readonly #compared: ApiComparison
  readonly #numbers: ReadonlyMap<string, number>
  /** Members already reported as changed, by record. */
  readonly #told = new Map<string, Set<string>>()
  readonly #annotated = new Set<string>()

  constructor(compared: ApiComparison, { numbers, changes }: ComparisonState) {
    this.#compared = compared
    this.#numbers = numbers
    for (const { about, at, case: name } of changes) {
      const told = this.#told.get(about) ?? new Set()
      this.#told.set(about, told.add(at === '' ? 'name' : at.replace(/[.[].*$/, '')))
      if (isKeptAsText(name)) this.#annotated.add(about)
    }
  }

  async compareAll(): Promise<void> {
    const { source, records, shownResources, report } = this.#compared
    for (const family of families) {
      const all = [...resourcesIn(source, family)].map(([, resource]) => resource)
      for (let start = 0; start < all.length; start += together) {
        const some = all.slice(start, start + together)
        const ours = new Map<string, SourceResource>()
        for (const type of ['term', 'asset', 'quantity', 'log'] as const) {
          const ids = some.flatMap((one) => (this.#recordType(one) === type ? (this.#numbers.get(one.id) ?? []) : []))
          for (const shown of ids.length === 0 ? [] : await shownResources(records, { type, ids }))
            ours.set(shown.id, shown)
        }
        for (const theirs of some) this.#compareOne(theirs, ours.get(theirs.id))
        report(`${labelOf({ family })} compared`, start + some.length, all.length)
      }
    }
  }

  #recordType({ type }: SourceResource): string | undefined {
    return (
      resourceTypes(this.#compared.records.farm).get(type) ??
      (type.startsWith('quantity--') ? { record: 'quantity' } : undefined)
    )?.record
  }

  #compareOne(theirs: SourceResource, ours: SourceResource | undefined): void {
    const about = aboutOf(theirs)
    const told = this.#told.get(about) ?? new Set()
    if (ours === undefined) {
      if (!this.#isSaid(theirs)) this.#find('lost', 'not here', `${about} is not here`)
      return
    }
    const type = resourceTypes(this.#compared.records.farm).get(ours.type)
    if (type === undefined) return
    const since = sinceOf(theirs, ours)
    for (const member of type.members.values()) {
      const name = member.name
      const isTold = told.has(name) || (member.source.of === 'field' && told.has(member.source.field))
      if (isTold || !isCompared(member)) continue
      if (this.#annotated.has(about) && ['data', 'description', 'notes'].includes(name)) continue
      const sides = [theirs, ours].map((side) => shownMember(side, member)) as [unknown, unknown]
      if (sides[0] === undefined) continue
      const [there, here] = sides.map((side) => JSON.stringify(side ?? null)) as [string, string]
      if (there === here) continue
      const isComputed = isWorkedOut(member, there)
      const reason = since ?? reasonOf({ isComputed, isMissing: here === 'null' })
      this.#find(
        reason.kind,
        reason.why,
        `${about}, ${name} ${reason.why}: ${shortened(there)} there, ${shortened(here)} here`,
      )
    }
  }

  /** A quantity in a second log, or of an unknown type outside of logs, is reported with its log. */
  #isSaid({ type }: SourceResource): boolean {
    return type.startsWith('quantity--') && !resourceTypes(this.#compared.records.farm).has(type)
  }

  async compareAccounts(): Promise<void> {
    const { records, source } = this.#compared
    const accounts = await records.database.read((snapshot) => rowsOf(snapshot, 'account'))
    const noted = this.#compared.noted?.accounts ?? {}
    const names = new Map(accounts.map(({ uid, name }) => [Number(uid), String(name)]))
    const byUuid = new Map(accounts.map(({ uuid, name }) => [String(uuid), String(name)]))
    for (const [, { id, attributes }] of resourcesIn(source, 'user')) {
      const name = String(attributes.name ?? attributes.display_name ?? '')
      const ours = byUuid.get(id) ?? names.get(noted[id] ?? 0)
      if (ours === undefined) this.#find('lost', 'not here', `account ${name} is not here`)
      else if (ours !== name.trim().normalize('NFC'))
        this.#find('changed', 'account-renamed', `account ${name} is called ${ours} here`)
    }
    for (const [uid, name] of names)
      if (name === `${unknownName} ${uid}`)
        this.#find(
          'changed',
          'unknown-account',
          findingOf({ about: `account ${uid}`, at: '', case: 'unknown-account' }).sentence,
        )
  }

  /** Records that the source does not have. */
  async findOwn(): Promise<void> {
    const { records } = this.#compared
    const theirs = new Set(await allUuids(this.#compared.source))
    for (const type of ['term', 'asset', 'log'] as const)
      for await (const page of recordPages(records.database.read, type))
        for (const { id, uuid, values } of page)
          if (!theirs.has(uuid) && values.name !== unknownName)
            this.#find('changed', 'only here', `${type} ${id} is only here`)
  }

  #find(kind: MoveFinding['kind'], why: string, sentence: string): void {
    this.findings.push({ kind, why, sentence: printable(sentence) })
  }
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text)

type Reason = Pick<MoveFinding, 'kind' | 'why'>

function sinceOf({ attributes: theirs }: SourceResource, { attributes: ours }: SourceResource): Reason | undefined {
  const [there, here] = [secondsIn(theirs.changed), secondsIn(ours.changed)]
  if (there === undefined || here === undefined || there === here) return undefined
  return { kind: 'changed', why: there > here ? 'was changed there since' : 'was changed here since' }
}

function reasonOf({ isComputed, isMissing }: { readonly isComputed: boolean; readonly isMissing: boolean }): Reason {
  if (isComputed) return { kind: 'changed', why: 'is worked out by another rule here' }
  return isMissing ? { kind: 'lost', why: 'is not here' } : { kind: 'changed', why: 'says something else' }
}

/** A log without a geometry of its own shows that of its place. */
const isWorkedOut = ({ source, given }: Member, there: string): boolean =>
  source.of === 'rule' && (given === 'ignored' || (source.rule === 'log geometry' && there === 'null'))

/** Numbers, revisions and types differ between servers. */
function isCompared({ source, shown }: Member): boolean {
  if (shown === 'never') return false
  return source.of !== 'note' || ['created', 'changed', 'author'].includes(source.note)
}

/** A member in a form that both sides share; undefined if the source does not show it. */
function shownMember(resource: SourceResource, member: Member): unknown {
  const { name, alias, source, field } = member
  if (isRelationship(member)) {
    if (resource.relationships[name] === undefined) return undefined
    const ids = targetsOf(resource, name).map(({ id }) => id)
    return ids.length === 0 ? null : [...new Set(ids)].toSorted()
  }
  const { attributes } = resource
  if (source.of === 'rule' && source.rule === 'asset status') return archivedSince(attributes, 1) !== 0
  if (source.of === 'rule' && source.rule === 'archived')
    return typeof attributes.archived === 'boolean' ? undefined : (secondsIn(attributes.archived) ?? null)
  const value = Object.hasOwn(attributes, name) || alias === undefined ? attributes[name] : attributes[alias]
  if (value === undefined) return undefined
  if (source.of === 'note') return secondsIn(value) ?? null
  if (source.of === 'rule' && source.rule === 'inventory')
    return Array.isArray(value) ? value.filter(isTree).map(stockForm).toSorted() : null
  return plainForm(field.kind, value)
}

function plainForm(kind: Member['field']['kind'], value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => plainForm(kind, one))
  if (value === null || value === '' || value === false) return null
  if (kind === 'text' || kind === 'long-text') return String(asText(value))
  if (kind === 'timestamp') return secondsIn(value) ?? value
  if (kind === 'decimal') return ratioOf(value)
  if (!isTree(value)) return kind === 'yes-no' ? Number(value) === 1 || value === true : String(value)
  if (kind === 'rich-text') return value.value === '' ? null : [value.value, value.format ?? null]
  if (kind === 'geometry') return typeof value.value === 'string' ? withoutSpaces(value.value) : null
  const members = Object.entries(value).filter(([, inside]) => inside !== null && inside !== '' && inside !== false)
  return members.length === 0 ? null : Object.fromEntries(members.toSorted())
}

/** Servers write the digits of a stock differently. */
const stockForm = ({ measure, value, units }: Tree): string => `${ratioOf(value)} ${units ?? ''} (${measure ?? ''})`

/** Servers write Well-Known Text with and without spaces. */
const withoutSpaces = (wkt: string): string => wkt.replaceAll(/\s*([(),])\s*/g, '$1')

/** 250/100, 5/2 and 2.50 are one number. */
function ratioOf(value: unknown): string {
  const text = isTree(value) ? String(value.decimal) : String(value)
  const known = isTree(value) ? fractionIn(value) : undefined
  if (known === undefined && readDecimal(text) === undefined) return text
  const { numerator, denominator } = known ?? fractionOfDecimal(text)
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator]
  while (b > 0n) [a, b] = [b, a % b]
  const divisor = a === 0n ? 1n : a
  return `${numerator / divisor}/${denominator / divisor}`
}
