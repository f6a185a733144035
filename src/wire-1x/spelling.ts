import type { RecordTypeName } from '../farm/farm.ts'
import { entriesOf, type OlderField, type OlderPart } from '../farm/fields-of.ts'
import { type NamedType, resourceNames } from '../farm/resource-names.ts'
import { inMebibytes, mebibyte } from '../fields/byte-size.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../fields/field.ts'
import { plainRules } from '../fields/kinds.ts'
import type { PartValue, Value, ValueOfKind } from '../fields/value.ts'
import { xmlAroundItems, xmlOfItem, xmlOfTree } from '../formats/xml/write-xml.ts'
import { Refusal } from '../refusal.ts'

/** The context for spelling a value. */
export interface WireSpeller {
  readonly base: string
  /** The name of a term, as the inside of a reference to it. */
  nameOf(term: number): string
  /** A file, as its content or its address. */
  textOfFile(file: number): string
  /** The spelling of a field inside a part that is shown on request; without this it is left out. */
  requested?(name: string, spelled: unknown): unknown
}

export interface WireReference {
  readonly uri: string
  readonly id: string
  readonly resource: string
  readonly name?: string
}

export function referenceTo(speller: Pick<WireSpeller, 'base' | 'nameOf'>, type: NamedType, id: number): WireReference {
  const reference = plainReference(speller.base, type, id)
  return type === 'term' ? { ...reference, name: speller.nameOf(id) } : reference
}

export const addressOf = (base: string, type: NamedType, id: number): string => `${base}/${resourceNames[type]}/${id}`

export const plainReference = (base: string, type: NamedType, id: number): WireReference => ({
  uri: addressOf(base, type, id),
  id: String(id),
  resource: resourceNames[type],
})

interface OlderSpelling<K extends FieldKind> {
  readonly spell: (value: ValueOfKind[K], field: FieldOf<K>, speller: WireSpeller) => unknown
  /** The spelling of an empty field; undefined leaves the key out. */
  readonly none: (field: FieldOf<K>, speller: WireSpeller) => unknown
}

/** The spelling of one value, by kind. */
const spelling: { readonly [K in FieldKind]: OlderSpelling<K> } = {
  ...plainRules('older'),
  choice: { spell: (value) => value, none: () => null },
  reference: {
    spell: (value, field, speller) => referenceTo(speller, field.to, Number(value)),
    none: () => undefined,
  },
  attachment: { spell: (value, _field, speller) => speller.textOfFile(Number(value)), none: () => [] },
  part: { spell: (value, field, speller) => spellFields(field, value, speller), none: spellEmptyPart },
}

function spellEmptyPart(field: FieldOf<'part'>, speller: WireSpeller): Record<string, unknown> {
  return spellFields(field, { uuid: '' }, speller)
}

export function spellField<K extends FieldKind>(
  field: FieldOf<K>,
  value: Value | undefined,
  speller: WireSpeller,
): unknown {
  const { spell, none } = spelling[field.kind as K]
  if (isMany(field as Field)) {
    return value === undefined ? [] : (value as readonly ValueOfKind[K][]).map((one) => spell(one, field, speller))
  }
  return value === undefined ? none(field, speller) : spell(value as ValueOfKind[K], field, speller)
}

/** A choice that this interface knows as a yes or no is a yes where it has the word for it. */
export const spellOlder = ({ field, choice }: OlderField, value: Value | undefined, speller: WireSpeller): unknown =>
  spellField(field, choice === undefined ? value : value === choice.asYesNo.yes, speller)

function spellFields(field: OlderPart, part: PartValue, speller: WireSpeller): Record<string, unknown> {
  const spelled: Record<string, unknown> = {}
  for (const [name, own] of entriesOf(field.fields)) {
    const value = spellField(own, part[name], speller)
    if (value !== undefined) spelled[name] = value
  }
  if (speller.requested === undefined) return spelled
  for (const [name, own] of entriesOf(field.requested ?? noFields)) {
    if (part[name] !== undefined) spelled[name] = speller.requested(name, spellField(own, part[name], speller))
  }
  return spelled
}

const noFields: Fields = {}

/** A conflict names the records that stand in the way: here by their addresses. */
export function withRecordAddresses(refusal: Refusal): Refusal {
  if (refusal.refusal !== 'conflict' && refusal.refusal !== 'not-undoable') return refusal
  const faults = (refusal.details.faults ?? []).map(({ field, ...fault }) => ({
    ...fault,
    // The pattern lets only names of record types through.
    field: field.replace(/^(?:log|asset|term)(?=\/\d+$)/, (type) => resourceNames[type as RecordTypeName]),
  }))
  return new Refusal(refusal.refusal, refusal.message, { ...refusal.details, faults })
}

/** The formats that this generation of the interface is written in. */
export type AnswerFormat = 'json' | 'xml'

/** One thing as JSON, under the name that XML gives its root. */
export interface WireRoot {
  readonly root: string
  readonly json: string | Buffer
}

export const textIn = (format: AnswerFormat, { root, json }: WireRoot): string | Buffer =>
  format === 'xml' ? xmlOfTree(root, JSON.parse(json.toString())) : json

/** The links of a page of a list. */
export interface ListLinks {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly prev?: string
  readonly next?: string
}

/** A page of a list: its links, and each item in the format of the answer. */
export interface WireListPage {
  readonly links: ListLinks
  readonly list: readonly Buffer[]
}

/** The format of a list, and the name that XML gives its items. */
interface ItemFormat {
  readonly format: AnswerFormat
  readonly item: string
}

/** An item of a list, which is at hand as JSON. */
export const itemIn = ({ format, item }: ItemFormat, json: Buffer): Buffer =>
  format === 'xml' ? Buffer.from(xmlOfItem(item, JSON.parse(json.toString()))) : json

export const listIn = (format: AnswerFormat, page: WireListPage): Buffer =>
  Buffer.concat(format === 'xml' ? piecesOfXml(page) : piecesOfJson(page))

function piecesOfJson({ links, list }: WireListPage): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(links).slice(0, -1)},"list":[`)]
  for (const json of list) pieces.push(json, comma)
  pieces[Math.max(pieces.length - 1, 1)] = end
  return pieces
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

function piecesOfXml({ links, list }: WireListPage): readonly Buffer[] {
  const { before, behind } = xmlAroundItems(links)
  return [Buffer.from(before), ...list, Buffer.from(behind)]
}

/** Many records with large geometries would not fit into the memory of either side. */
const mostBytes = 64 * mebibyte

/** The size limit of one answer. Beyond it, the request is refused with advice. */
export class AnswerBudget {
  readonly #advice: string
  #taken = 0

  constructor(advice: string) {
    this.#advice = advice
  }

  take(bytes: number): void {
    this.#taken += bytes
    if (this.#taken > mostBytes)
      throw new Refusal('bad-query', `These records are more than ${inMebibytes(mostBytes)} together: ${this.#advice}.`)
  }
}

/** One record is always shown. */
export const budgetOfPage = (records: number): AnswerBudget | undefined =>
  records > 1 ? new AnswerBudget('ask for fewer at a time with limit') : undefined
