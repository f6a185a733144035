import type { ComponentChildren, JSX } from 'preact'
import type { CatalogueField, CatalogueFields } from '../../../src/doors/web/catalogue.ts'
import type { FieldKind } from '../../../src/fields/field.ts'
import { textIn } from '../../form/rich-value.ts'
import { pageOfAsset, pageOfLog, pageOfTerm } from '../../look/address-of.ts'
import { Link } from '../../look/link.tsx'
import { choiceLabel } from '../../look/names.ts'
import { assets, people, terms } from '../../store/local-copy.ts'
import type { RecordFields } from '../../store/record.ts'
import { day, dayAndClock, startOfDay } from '../../words/format.ts'
import { Downloads } from './downloads.tsx'
import { Note } from './note.tsx'
import { say } from './say.ts'
import { shapeWords } from './shape-words.ts'

type Show = (value: unknown, field: CatalogueField) => ComponentChildren

/** How a value of each kind is shown; what is nothing to show is null. */
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
  reference: (value, field) => <Reference to={field.to} value={value as Referred} />,
  geometry: (value) => shapeWords(String((value as { geom?: string }).geom ?? value)),
  attachment: (value) => <Downloads paths={[String(value)]} />,
  part: (value, { fields = {} }) => <Part fields={fields} values={value as RecordFields} />,
}

/** A value in the farm's words, or null where it says nothing. */
export function shown(value: unknown, field: CatalogueField): ComponentChildren {
  const values = (Array.isArray(value) ? value : [value]).filter(
    (one) => one !== undefined && one !== null && one !== '',
  )
  const all = values.map((one) => shownByKind[field.kind](one, field)).filter((one) => one !== null)
  if (all.length === 0) return null
  if (isWordy(field)) return all
  return all.map((one, index) => (index === 0 ? one : [', ', one]))
}

/** Notes and parts stand in lines of their own. */
const isWordy = ({ kind }: CatalogueField) => kind === 'long-text' || kind === 'rich-text' || kind === 'part'

/** A day that begins at midnight, here or in UTC, is a day and no hour. */
export function timeWords(at: number): string {
  return at % 86_400 === 0 || startOfDay(at) === at ? day(at) : dayAndClock(at)
}

function periodWords({ value, value2 }: RecordFields): string {
  const [from, until] = [timeWords(Number(value)), timeWords(Number(value2))]
  return from === until ? from : say('record.period', { from, until })
}

interface Referred {
  readonly id?: string
  readonly name?: string
}

interface ReferenceProps {
  readonly to: CatalogueField['to']
  readonly value: Referred
}

/** The name of what is referred to, and the way there. */
export function Reference({ to, value: { id = '', name } }: ReferenceProps): JSX.Element {
  if (to === 'user') return <span>{people.value.get(id) ?? say('record.person', { id })}</span>
  if (to === 'taxonomy_term') return <Named to={pageOfTerm(id)} name={terms.value.get(id)?.name ?? name ?? id} />
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

/** A part that no screen knows by name: its values in one line, numbers with what they are. */
function Part({ fields, values }: { readonly fields: CatalogueFields; readonly values: RecordFields }): JSX.Element {
  const all = Object.entries(fields).flatMap(([name, field]) => {
    const words = shown(values[name], field)
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
