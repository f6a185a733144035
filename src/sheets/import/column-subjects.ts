import { type WithheldProduct, withholdingLabel } from '../../farm/bundle-names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { type Field, isMany, type PartField } from '../../fields/field.ts'
import { decimal } from '../../fields/number.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import { measureOfUnit } from '../../reports/units.ts'
import { type ColumnSubject, subjectsOfHeader } from '../../words/sheet-words.ts'
import { isAmount, measureMeant } from './read-cell.ts'

type Targets = ReadonlyMap<string, HeaderTarget>

/** What the columns of a sheet say that no field has: a crop, one more amount, a tag of a kind, facts of an animal. */
export interface ColumnTopic {
  readonly subject: ColumnSubject | 'more-notes'
  /** What the header says behind its word: `Weight (kg)`. */
  readonly unit?: string
  readonly measure?: string
  /** The subject of an amount that no word of the table names. */
  readonly label?: string
}

/**
 * What a column is for: a value of the record, which record it is, who wrote it, or nothing, because nobody can write it.
 */
type Use = 'value' | 'topic' | 'id' | 'bundle' | 'uuid' | 'version' | 'created' | 'uid' | 'computed' | 'nothing'

/** What a header can stand for. */
export interface HeaderTarget {
  /** As records show it; inside of a part behind its name: `movement.area`. */
  readonly name: string
  readonly use: Use
  readonly field: Field
  /** Where the column is one member of a part: the part, and the member. */
  readonly member?: { readonly of: string; readonly part: PartField; readonly name: string }
  /** Where no field stands for it alone. */
  readonly topic?: ColumnTopic
  /** The labels that the catalogue has for it. */
  readonly labels: Set<string>
  /** What other languages call it. */
  readonly translated: Set<string>
}

interface SubjectContext {
  readonly type: RecordTypeName
  readonly targets: Targets
  /** Of the headers of the sheet: `Tag` is a day in German, and a mark in English. */
  readonly languages?: readonly string[]
}

/** What a header may stand for, and which words of the table come before it. */
export interface MeantColumn {
  /** The first that no other column stands for counts. */
  readonly targets: readonly [HeaderTarget, ...HeaderTarget[]]
  readonly rank: number
}

/** What a header stands for by the words that people use, as far as this type of record has a place for it. */
export function meantByHeader(
  header: string,
  { type, targets, languages = [] }: SubjectContext,
): MeantColumn | undefined {
  const { word, unit } = partsOf(header)
  const known = [...subjectsOfHeader(header, languages), ...subjectsOfHeader(word, languages)]
  const found = known.flatMap(({ subject, rank }) => {
    // `Area (ha)` is a size, and no place.
    if (subject === 'place' && measureMeant(unit ?? '') !== undefined) return []
    const topic = {
      subject,
      ...(subject === 'container' ? { unit: header.trim() } : unit === undefined ? {} : { unit }),
    }
    const target = targetOf(type, topic, targets)
    return target === undefined ? [] : [{ target, rank }]
  })
  const [first, ...others] = found
  if (first !== undefined) return { targets: [first.target, ...others.map(({ target }) => target)], rank: first.rank }
  if (known.some(({ subject }) => subject === 'extra')) return undefined
  const amount = type === 'log' && amountsIn(targets) !== undefined ? amountCalled(header, { word, unit }) : undefined
  return amount && { targets: [amount], rank: 0 }
}

/** A column that the table knows and no field takes is kept in the notes. */
export const keptInNotes = (header: string): HeaderTarget | undefined =>
  subjectsOfHeader(header).length + subjectsOfHeader(partsOf(header).word).length > 0 ? moreNotes(header) : undefined

/** `Feed (kg)` is an amount of feed, whatever feed is; `Hours` and `Pounds` are amounts in that unit. */
function amountCalled(header: string, { word, unit }: ReturnType<typeof partsOf>): HeaderTarget | undefined {
  const bare = header.trim()
  const own = bare.length > 1 ? measureOfUnit(bare) : undefined
  if (own !== undefined) return special({ subject: 'amount', unit: bare, measure: own }, decimal('Value'))
  const measure = measureMeant(unit ?? '')
  if (unit === undefined || measure === undefined) return undefined
  return special({ subject: 'amount', unit, measure, label: word.trim() }, decimal('Value'))
}

/** What a column stands for that is about a subject. */
export const targetOfSubject = (subject: ColumnSubject, { type, targets }: SubjectContext): HeaderTarget | undefined =>
  targetOf(type, { subject }, targets)

/** `Menge (kg)`, `Weight [lb]`, `Gewicht in kg`, `Peso kg`: the word, and the unit where there is one. */
function partsOf(header: string): { readonly word: string; readonly unit: string | undefined } {
  if (header.length > 200) return { word: header, unit: undefined }
  const [, word = '', inside = ''] = /^(.*?)\s*[([]\s*([^()[\]]{1,20}?)\s*[)\]]\s*$/s.exec(header) ?? []
  if (word !== '') return { word, unit: inside }
  const [, before = '', behind = ''] = /^(.*\S)\s+(?:(?:in|en)\s+)?(\S{1,6})\s*$/s.exec(header) ?? []
  return measureOfUnit(behind) === undefined ? { word: header, unit: undefined } : { word: before, unit: behind }
}

/** Where the words of a field stand in the records of a type; each is the first that there is. */
const fieldsOf: Readonly<Partial<Record<RecordTypeName, Partial<Record<ColumnSubject, readonly string[]>>>>> = {
  log: {
    timestamp: ['timestamp'],
    name: ['name'],
    place: ['area', 'movement.area'],
    unit: ['quantity.unit'],
    notes: ['notes'],
    done: ['done'],
    lot_number: ['lot_number'],
    seed_source: ['seed_source'],
    materials: ['material'],
    tag: ['asset'],
    chip: ['asset'],
    herd: ['asset'],
  },
  asset: {
    name: ['name'],
    crop: ['crop'],
    animal_type: ['animal_type'],
    animal_sex: ['animal_sex'],
    animal_castrated: ['animal_castrated'],
    animal_nicknames: ['animal_nicknames'],
    date: ['date'],
    archived: ['archived'],
    description: ['description'],
    notes: ['description'],
  },
  term: {
    name: ['name'],
    place: ['name'],
    crop: ['name'],
    variety: ['name'],
    area_type: ['area_type'],
    description: ['description'],
    notes: ['description'],
  },
}

/** Subjects of animals that become logs of their own (docs/sheets.md). */
const factsOfAnimals: readonly ColumnSubject[] = [
  'weight',
  'weighed',
  'place',
  'herd',
  'arrival',
  'departure',
  'reason',
  'came_by',
]
const days: readonly ColumnSubject[] = ['weighed', 'arrival', 'departure']

function targetOf(
  type: RecordTypeName,
  topic: ColumnTopic & { subject: ColumnSubject },
  targets: Targets,
): HeaderTarget | undefined {
  const { subject, unit } = topic
  const name = fieldsOf[type]?.[subject]?.find((one) => targets.has(one))
  if (name !== undefined) return targets.get(name)
  const amounts = amountsIn(targets)
  const withheld = withheldIn(subject, targets)
  if (withheld !== undefined) {
    const spell = measureOfUnit(unit ?? '') === 'time' ? 'hours' : 'days'
    return special(
      { subject: 'amount', unit: spell, measure: 'time', label: withholdingLabel(withheld) },
      decimal('Value'),
    )
  }
  if (type === 'log' && subject === 'clock') return special({ subject }, text('Time'))
  if (type === 'log' && amounts !== undefined && ['amount', 'container', 'weight'].includes(subject)) {
    if (subject === 'amount' && unit === undefined) return targets.get(`${amounts.name}.value`)
    const measure = subject === 'weight' ? 'weight' : measureMeant(unit ?? '')
    return special(
      { subject: 'amount', ...(unit === undefined ? {} : { unit }), ...(measure === undefined ? {} : { measure }) },
      decimal('Value'),
    )
  }
  if (type === 'log' && targets.has('asset') && (subject === 'crop' || subject === 'variety'))
    return special({ subject }, text('Crop'))
  if (type === 'asset' && targets.has('crop') && subject === 'variety') return special({ subject }, text('Variety'))
  if (type !== 'asset' || !targets.has('animal_sex')) return undefined
  if (subject === 'tag' || subject === 'chip') return special({ subject }, text('Tag'))
  if (subject === 'mother' || subject === 'father') return special({ subject }, text('Parent'))
  if (!factsOfAnimals.includes(subject)) return undefined
  const field = subject === 'weight' ? decimal('Weight') : days.includes(subject) ? timestamp('Day') : text('Text')
  return special(topic, field)
}

/** What logs with materials withhold is the harvest; treatments of animals say it by product. */
function withheldIn(subject: ColumnSubject, targets: Targets): WithheldProduct | undefined {
  if (subject === 'withhold_harvest') return targets.has('material') ? 'harvest' : undefined
  if (!targets.has('vet')) return undefined
  return subject === 'withhold_meat' ? 'meat' : subject === 'withhold_milk' ? 'milk' : undefined
}

/** The part of which a record can have several amounts. */
const amountsIn = (targets: Targets): HeaderTarget | undefined =>
  [...targets.values()].find(({ field }) => field.kind === 'part' && isMany(field) && isAmount(field as PartField))

const special = (topic: ColumnTopic, field: HeaderTarget['field']): HeaderTarget => ({
  name: topic.unit === undefined ? topic.subject : `${topic.label ?? topic.subject} (${topic.unit})`,
  use: 'topic',
  field,
  topic,
  labels: new Set(),
  translated: new Set(),
})

/** A column whose cells are kept in the notes, each behind its header. */
export const moreNotes = (header: string): HeaderTarget => ({
  ...special({ subject: 'more-notes' }, text(header)),
  name: 'notes',
})
