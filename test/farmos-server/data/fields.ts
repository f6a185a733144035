import {
  adjustmentShown,
  type Membership,
  type Movement,
  membershipShown,
  movementShown,
  quantityShown,
  tagShown,
} from '../shapes/collections.ts'
import { geofieldItem } from '../shapes/geometry.ts'
import {
  assetReference,
  fileReference,
  isTold,
  type Reference,
  termReference,
  userReference,
} from '../shapes/references.ts'
import { renderedNote } from '../shapes/rendered-text.ts'
import type { View } from '../shapes/view.ts'
import type { Field } from './bundle.ts'

type Shown = Field['shown']
type Item = (value: never, view: View) => unknown

const each =
  (item: Item): Shown =>
  (value, view) =>
    ((value ?? []) as never[]).map((one) => item(one, view))

const asItIs = (value: unknown): unknown => value
const orNull: Shown = (value) => value ?? null
const digitsOrNull: Shown = (value) => (value === undefined ? null : String(value))

const field = (type: string, label: string, rest: Pick<Field, 'schema' | 'shown'> & Partial<Field>): Field => ({
  type,
  label,
  required: 0,
  startsAs: null,
  ...rest,
})

export const text = (label: string): Field => field('text', label, { schema: '', shown: orNull })
export const texts = (label: string): Field => field('text', label, { schema: [''], shown: each(asItIs) })
export const word = (label: string): Field => field('list_text', label, { schema: '', shown: orNull })
export const words = (label: string): Field => field('list_text', label, { schema: [''], shown: each(asItIs) })
export const whole = (label: string): Field => field('number_integer', label, { schema: null, shown: digitsOrNull })
export const date = (label: string): Field =>
  field('datestamp', label, { schema: null, startsAs: [], shown: digitsOrNull })
export const data = (label: string): Field => field('text_long', label, { schema: '', shown: orNull })

/** The one kind that is a real true or false. */
export const yesNo = (label: string): Field =>
  field('list_boolean', label, { schema: null, startsAs: [{ value: 0 }], shown: (value) => value === true })

interface OtherNote {
  readonly text: string
  readonly format: string
}
const otherNote = ({ text, format }: OtherNote) => ({ value: renderedNote(text), format })

/** Never set reads as an empty list; set to nothing keeps its shape. */
export const note = (label: string): Field =>
  field('text_long', label, {
    schema: { value: '', format: 'farm_format' },
    shown: (value) => {
      if (typeof value === 'string') return { value: renderedNote(value), format: 'farm_format' }
      return value === undefined ? [] : otherNote(value as OtherNote)
    },
  })

interface Period {
  readonly from: number
  readonly to: number
}
export const period = (label: string): Field => {
  const { startsAs: _, ...rest } = field('datestamp', label, {
    schema: null,
    shown: (value) => (value === undefined ? [] : periodShown(value as Period)),
  })
  return rest
}
const periodShown = ({ from, to }: Period): unknown => ({
  value: String(from),
  value2: String(to),
  duration: to - from,
})

export const fraction = (label: string): Field =>
  field('fraction', label, { schema: null, shown: (value) => value ?? [] })

type Referred = (id: number, view: View) => Reference

const oneOf = (type: string, label: string, referred: Referred): Field =>
  field(type, label, {
    schema: { id: null },
    startsAs: [],
    shown: (value, view) => (value === undefined ? undefined : referred(value as number, view)),
  })
const manyOf = (type: string, label: string, referred: Referred): Field =>
  field(type, label, { schema: [{ id: null }], startsAs: [], shown: each(referred as Item) })

export const term = (label: string): Field => oneOf('taxonomy_term_reference', label, termReference)
export const terms = (label: string): Field => manyOf('taxonomy_term_reference', label, termReference)
export const asset = (label: string): Field => oneOf('entityreference', label, assetReference)
export const assets = (label: string): Field => manyOf('entityreference', label, assetReference)
/** PHP writes a list of which some are left out as an object of positions, unless only the last ones are. */
export const users = (label: string): Field => ({
  ...manyOf('entityreference', label, userReference),
  shown: (value, view) => {
    const told = ((value ?? []) as number[])
      .map((id, position) => [position, id] as const)
      .filter(([, id]) => isTold(id, view))
      .map(([position, id]) => [position, userReference(id, view)] as const)
    const isList = told.every(([position], index) => position === index)
    return isList ? told.map(([, shown]) => shown) : Object.fromEntries(told)
  },
})

export const images = (label: string): Field =>
  field('image', label, {
    schema: [{ id: null }],
    startsAs: [],
    shown: each((id: number, view) => ({ file: fileReference(id, view) })),
  })

interface AttachedFile {
  readonly file: number
  readonly description?: string
}
export const files = (label: string): Field =>
  field('file', label, {
    schema: [{ id: null }],
    startsAs: [],
    shown: each(({ file, description }: AttachedFile, view) => ({
      file: fileReference(file, view),
      description: description ?? null,
    })),
  })

export const geofield = (label: string): Field =>
  field('geofield', label, { schema: [{ geom: '' }], shown: each((wkt: string) => geofieldItem(wkt)) })

export const quantities = (label: string): Field =>
  field('field_collection', label, {
    schema: [{ measure: '', value: null, unit: { id: null }, label: '' }],
    shown: each(quantityShown as Item),
  })
export const inventory = (label: string): Field =>
  field('field_collection', label, {
    schema: [{ asset: { id: null }, value: null }],
    shown: each(adjustmentShown as Item),
  })
export const movement = (label: string): Field =>
  field('field_collection', label, {
    schema: { area: [{ id: null }], geometry: '' },
    shown: (value, view) => movementShown(value as Movement | undefined, view),
  })
export const membership = (label: string): Field =>
  field('field_collection', label, {
    schema: { group: [{ id: null }] },
    shown: (value, view) => membershipShown(value as Membership | undefined, view),
  })

/** `animal_tag` in the description, `tag` in records. */
export const tags = (label: string): Field =>
  field('field_collection', label, {
    schema: [{ id: '', location: '', type: '' }],
    key: 'tag',
    shown: each(tagShown as Item),
  })
