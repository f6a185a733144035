import type { ComponentChildren, JSX } from 'preact'
import type { CatalogueField, CatalogueFields } from '../../../src/doors/app/documents.ts'
import { comingAndGoing } from '../../../src/farm/bundle-names.ts'
import type { FieldKind } from '../../../src/fields/field.ts'
import { squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { textIn } from '../../forms/field-value.ts'
import { Link, pageOfAsset, pageOfLog, pageOfTerm } from '../../look/link.tsx'
import { bundleOf, choiceLabel } from '../../look/names.ts'
import { surfaceText } from '../../look/place/area-size.ts'
import { readWkt } from '../../look/place/shapes.ts'
import { assets, people, terms } from '../../store/local-copy.ts'
import type { LocalRecord, RecordFields } from '../../store/record.ts'
import { day, dayAndClock, startOfDay } from '../../words/format.ts'
import { leftToRight } from '../../words/left-to-right.ts'
import { say } from '../../words/say.ts'
import { Downloads, Note } from './notes.tsx'

export interface Fact {
  readonly label: string
  readonly words: ComponentChildren
}

/** Shown elsewhere on every page: name above, author and time below. */
const commonFields = [
  'id',
  'tid',
  'uuid',
  'version',
  'name',
  'type',
  'vocabulary',
  'uid',
  'created',
  'changed',
  'archived',
  'url',
  'weight',
]

interface FactOptions {
  /** Fields shown elsewhere on the page. */
  readonly elsewhere: readonly string[]
  /** Fields with their own rendering. */
  readonly otherwise?: Readonly<Record<string, (value: unknown, label: string) => readonly Fact[]>>
}

/** All fields with a value, in catalogue order. */
export function factsOf(record: LocalRecord, { elsewhere, otherwise = {} }: FactOptions): readonly Fact[] {
  const without = new Set([...commonFields, ...elsewhere])
  return Object.entries(bundleOf(record)?.fields ?? {}).flatMap(([name, field]) => {
    const value = record.fields[name]
    if (without.has(name) || field.computed !== undefined || value === undefined) return []
    const facts = otherwise[name]?.(value, field.label)
    return facts ?? factOf(field.label, fieldValue(value, field))
  })
}

export function factOf(label: string, words: ComponentChildren): readonly Fact[] {
  return words === null || words === undefined || words === '' ? [] : [{ label, words }]
}

/** Allows a line break after a slash: "Species/breed". */
export const breakable = (label: string): string => label.replaceAll('/', '/\u200b')

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null
  return (
    <dl class="facts">
      {facts.map(({ label, words }) => (
        <div key={label}>
          <dt>{breakable(label)}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}

type Show = (value: unknown, field: CatalogueField) => ComponentChildren

/** Renders a value of each kind; null if there is nothing to show. */
const shownByKind: Readonly<Record<FieldKind, Show>> = {
  text: (value) => <span dir="auto">{String(value)}</span>,
  'long-text': (value) => <Note text={String(value)} />,
  'rich-text': (value) => <Note text={textIn(value)} />,
  timestamp: (value) => (Number(value) === 0 ? null : timeWords(Number(value))),
  period: (value) => periodWords(value as RecordFields),
  'yes-no': (value) => (value === true || value === '1' ? say('record.yes') : null),
  whole: (value) => <span class="num">{String(value)}</span>,
  decimal: (value) => <span class="num">{String(value)}</span>,
  choice: (value, { list }) => choiceLabel(list ?? '', String(value)),
  reference: (value, field) => <Reference to={field.to} value={value as ReferenceValue} />,
  geometry: (value) => shapeWords(String((value as { geom?: string }).geom ?? value)),
  attachment: (value) => <Downloads paths={[String(value)]} />,
  part: (value, { fields = {} }) => <Part fields={fields} values={value as RecordFields} />,
}

/** A value in the farm's words; null if empty. */
export function fieldValue(value: unknown, field: CatalogueField): ComponentChildren {
  const values = (Array.isArray(value) ? value : [value]).filter(
    (one) => one !== undefined && one !== null && one !== '',
  )
  const all = values.map((one) => shownByKind[field.kind](one, field)).filter((one) => one !== null)
  if (all.length === 0) return null
  if (isWordy(field)) return all
  return all.map((one, index) => (index === 0 ? one : [', ', one]))
}

/** Notes and parts get lines of their own. */
const isWordy = ({ kind }: CatalogueField) => kind === 'long-text' || kind === 'rich-text' || kind === 'part'

/** A time at midnight, local or UTC, is shown as a day without an hour. */
export function timeWords(at: number): string {
  return at % 86_400 === 0 || startOfDay(at) === at ? day(at) : dayAndClock(at)
}

function periodWords({ value, value2 }: RecordFields): string {
  const [from, until] = [timeWords(Number(value)), timeWords(Number(value2))]
  return from === until ? from : say('record.period', { from, until })
}

interface ReferenceValue {
  readonly id?: string
  readonly name?: string
}

interface ReferenceProps {
  readonly to: CatalogueField['to']
  readonly value: ReferenceValue
}

/** Name of the referenced record, linked. */
export function Reference({ to, value: { id = '', name } }: ReferenceProps): JSX.Element {
  if (to === 'user') return <span>{people.value.get(id) ?? say('record.person', { id })}</span>
  if (to === 'taxonomy_term') return <Named to={pageOfTerm(id)} name={termName(terms.value.get(id)) ?? name ?? id} />
  if (to === 'farm_asset') return <AssetName id={id} />
  return to === 'log' ? (
    <Named to={pageOfLog(id)} name={name ?? say('record.log-number', { id })} />
  ) : (
    <span>{name ?? id}</span>
  )
}

export function AssetName({ id }: { readonly id: string }): JSX.Element {
  return <Named to={pageOfAsset(id)} name={nameOfAsset(id)} />
}

const categories = Object.entries(comingAndGoing) as [keyof typeof comingAndGoing, { readonly uuid: string }][]

/** Categories of coming and going are known by their UUID, and named in the reader's language. */
function termName(term: LocalRecord | undefined): string | undefined {
  const [event] = categories.find(([, { uuid }]) => uuid === term?.uuid) ?? []
  return event === undefined ? term?.name : say(`record.category.${event}`)
}

export function nameOfAsset(id: string): string {
  return assets.value.get(id)?.name ?? say('record.asset-number', { id })
}

export function nameOfArea(id: string): string {
  return terms.value.get(id)?.name ?? say('record.area-number', { id })
}

function Named({ to, name }: { readonly to: string; readonly name: string }): JSX.Element {
  return (
    <Link to={to} class="because tap">
      <bdi>{name}</bdi>
    </Link>
  )
}

/** Generic part: its values in one line, numbers with labels. */
function Part({ fields, values }: { readonly fields: CatalogueFields; readonly values: RecordFields }): JSX.Element {
  const all = Object.entries(fields).flatMap(([name, field]) => {
    const words = fieldValue(values[name], field)
    return words === null ? [] : [{ name, words: saysItself.has(field.kind) ? words : [`${field.label} `, words] }]
  })
  return (
    <p>
      {all.map(({ name, words }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          {words}
        </span>
      ))}
    </p>
  )
}

const saysItself: ReadonlySet<FieldKind> = new Set(['text', 'choice', 'reference', 'geometry'])

/** Geometry in words: coordinates of a point, size of an area. */
export function shapeWords(wkt: string): string | null {
  const { points, lines, areas } = readWkt(wkt)
  if (areas.length > 0) return surfaceText(squareMetresOf({ areas }))
  const [point] = points
  if (points.length === 1 && point !== undefined) return positionWords(point)
  if (points.length > 0) return say('record.points', { count: points.length })
  return lines.length > 0 ? say('record.lines', { count: lines.length }) : null
}

const positionWords = ([longitude = 0, latitude = 0]: readonly number[]): string =>
  leftToRight(say('record.position', { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) }))
