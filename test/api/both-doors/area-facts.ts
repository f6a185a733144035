import * as fc from 'fast-check'
import type { Fact } from './fact.ts'
import { anyPoint, one, shownShape, together } from './kinds.ts'

export type AreaKind = 'land' | 'structure' | 'water'

/** The word of the record interface, and what it does not tell of `other`. */
export interface AreaType {
  readonly word: string | null
  readonly isStructure: boolean
}

export const areaWords = ['field', 'bed', 'building', 'greenhouse', 'property', 'paddock', 'water', 'landmark', 'other']

const wordsOf: Readonly<Record<AreaKind, readonly string[]>> = {
  land: ['field', 'bed', 'property', 'paddock', 'landmark', 'other'],
  structure: ['building', 'greenhouse', 'other'],
  water: ['water'],
}

export function kindOfArea({ word, isStructure }: AreaType): AreaKind {
  if (word === 'water') return 'water'
  return word === 'building' || word === 'greenhouse' || (word === 'other' && isStructure) ? 'structure' : 'land'
}

/** A new area that the newer generation makes is of this kind. */
export const areaType = (kind: AreaKind): Fact<AreaType> => ({
  name: 'area_type',
  keptIn: ['area_type', 'kind'],
  initial: (door) => ({ word: door === 'newer' && kind === 'water' ? 'water' : null, isStructure: false }),
  older: {
    say: ({ draw, before }) => {
      const word = draw(fc.integer, { min: 0, max: 5 }) === 0 ? null : one(draw, areaWords)
      return { sent: { area_type: word }, after: word === before.word ? before : { word, isStructure: false } }
    },
    show: ({ word }) => ({ area_type: word }),
  },
  newer: {
    required: true,
    say: ({ draw, before, isNew }) => {
      const now = isNew ? kind : kindOfArea(before)
      if (now === 'water') return { sent: {}, after: before }
      const word = one(draw, wordsOf[now])
      return {
        sent: { attributes: { [`${now}_type`]: word } },
        after: { word, isStructure: word === 'other' && now === 'structure' },
      }
    },
    show: (state) => {
      const now = kindOfArea(state)
      return now === 'water' ? {} : { attributes: { [`${now}_type`]: state.word } }
    },
  },
})

/** Several shapes, which the newer generation shows as one. */
export const drawnShapes: Fact<readonly string[]> = {
  name: 'geofield',
  keptIn: ['geofield'],
  initial: () => [],
  older: {
    say: ({ draw }) => {
      const after = Array.from({ length: draw(fc.integer, { min: 0, max: 2 }) }, () => anyPoint(draw))
      return { sent: { geofield: after.map((geom) => ({ geom })) }, after }
    },
    show: (shapes) => ({ geofield: shapes.map((geom) => ({ geom })) }),
  },
  newer: {
    say: ({ draw, before }) => {
      const shape = draw(fc.boolean) ? anyPoint(draw) : draw(fc.boolean) ? together(before) : null
      const after = shape === together(before) ? before : shape === null ? [] : [shape]
      return { sent: { attributes: { intrinsic_geometry: shape } }, after }
    },
    show: (shapes) => ({ attributes: { intrinsic_geometry: shownShape(together(shapes)) } }),
  },
}
