import type { Farm } from '../../../../farm/farm.ts'
import { areaNumbers } from '../../../../farm/newer/area-numbers.ts'
import type { Member, Note, ResourceType } from '../../../../farm/newer/resource-type.ts'
import { every, type RecordColumn } from '../../../../storage/records/condition.ts'
import { ofField } from './field-properties.ts'
import { isTaken, not } from './log-conditions.ts'
import type { Askable, Comparison, Property } from './property.ts'
import { ruledProperties } from './ruled-properties.ts'

export const uuidProperty: Property = { compares: { as: 'uuid' }, kept: { in: 'column', column: 'uuid' } }

/** What of an attribute of a type can be asked about. */
export function askableOf(farm: Farm, type: ResourceType, { field, source }: Member): Askable {
  switch (source.of) {
    case 'field':
      return ofField(farm, type, { field, path: source.field, ...(source.opposite ? { opposite: true } : {}) })
    case 'note':
      return notes[source.note](type)
    case 'rule':
      return ruledProperties[source.rule]?.(farm, type)
    case 'two fields':
      return undefined
  }
}

const constant = (compares: Comparison, value: string | boolean): Property => ({
  compares,
  kept: { in: 'cases', cases: [{ value, when: every }] },
})

const inColumn = (column: RecordColumn, compares: Comparison): Property => ({
  compares,
  kept: { in: 'column', column },
})

/** A quantity that a log has is of the log's revision. */
const ofQuantity: Property = {
  compares: { as: 'number' },
  kept: {
    in: 'either',
    places: [
      { when: isTaken, kept: { in: 'log', column: 'revision' } },
      { when: not(isTaken), kept: { in: 'column', column: 'revision' } },
    ],
  },
}

const notes: Readonly<Record<Note, (type: ResourceType) => Property | undefined>> = {
  number: ({ kind }) => inColumn('id', { as: 'number', ...(kind === undefined ? {} : { beyond: areaNumbers }) }),
  revision: ({ record }) => (record === 'quantity' ? ofQuantity : inColumn('revision', { as: 'number' })),
  language: () => constant({ as: 'text' }, 'en'),
  yes: () => constant({ as: 'yes or no' }, true),
  created: () => inColumn('created', { as: 'time' }),
  changed: () => inColumn('changed', { as: 'time' }),
  author: () => undefined,
  reviser: () => undefined,
  bundle: () => undefined,
}
