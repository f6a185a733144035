import * as fc from 'fast-check'
import type { Draw, Fact } from './fact.ts'
import { anyText, one } from './kinds.ts'

/** A text and how it is to be read, of which the record interface knows one way only. */
interface Written {
  readonly value: string
  readonly format: 'default' | 'plain_text' | null
}

type State = Written | null

interface Names {
  readonly older: string
  readonly newer: string
  readonly keptIn: readonly string[]
  olderSent(value: string | null): unknown
  olderShown(value: string | null): unknown
}

const writtenText = ({ older, newer, keptIn, olderSent, olderShown }: Names): Fact<State> => ({
  name: older,
  keptIn,
  initial: () => null,
  older: {
    say: ({ draw, before }) => {
      const value = orNone(draw, () => (before !== null && draw(fc.boolean) ? before.value : anyText(draw)))
      // What is sent back as it was keeps its format.
      const after = value === null ? null : value === before?.value ? before : { value, format: 'default' as const }
      return { sent: { [older]: olderSent(value) }, after }
    },
    show: (state) => ({ [older]: olderShown(state?.value ?? null) }),
  },
  newer: {
    say: ({ draw }) => {
      const after = orNone<Written>(draw, () => ({
        value: anyText(draw),
        format: one<Written['format']>(draw, ['default', 'plain_text', null]),
      }))
      return { sent: { attributes: { [newer]: after } }, after }
    },
    show: (state) => ({ attributes: { [newer]: state } }),
  },
})

const orNone = <T>(draw: Draw, any: () => T): T | null => (draw(fc.integer, { min: 0, max: 4 }) > 0 ? any() : null)

const richText = {
  olderSent: (value: string | null) => (value === null ? null : { value, format: 'farm_format' }),
  olderShown: (value: string | null) => (value === null ? [] : { value, format: 'farm_format' }),
}

export const notesOfLog = writtenText({ older: 'notes', newer: 'notes', keptIn: ['notes'], ...richText })

export const notesOfAsset = writtenText({
  older: 'description',
  newer: 'notes',
  keptIn: ['description'],
  ...richText,
})

const plainText = {
  older: 'description',
  keptIn: ['description', 'description_format'],
  olderSent: (value: string | null) => value ?? '',
  olderShown: (value: string | null) => value ?? '',
}

export const notesOfArea = writtenText({ newer: 'notes', ...plainText })
export const descriptionOfTerm = writtenText({ newer: 'description', ...plainText })
