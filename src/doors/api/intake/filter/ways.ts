import type { RecordTypeName } from '../../../../farm/farm.ts'
import type { Member, MemberRule } from '../../../../farm/newer/resource-type.ts'
import { allOf, type Condition, eitherOf, type ReferenceRoute } from '../../../../storage/records/condition.ts'
import { isAssigning, isMoving, not, toAssignedGroup, toMovementArea, toMovementPlace } from './log-conditions.ts'

/** One of the ways that a relationship takes, and to what. */
export interface WayOut {
  readonly way: ReferenceRoute
  readonly to: RecordTypeName | 'user' | 'file'
  /** Which records take it; without, all. */
  readonly when?: Condition
}

/** The ways that a relationship takes; none where it is worked out when it is read, or leads to words of the catalogue. */
export function waysOf(record: RecordTypeName, { field, source }: Member): readonly WayOut[] {
  switch (source.of) {
    case 'field':
      if (field.kind === 'attachment') return [along(source.field, 'file')]
      if (field.kind !== 'reference' || field.to === 'vocabulary') return []
      if (record === 'quantity' && source.field === 'unit')
        return [{ way: { by: 'column', column: 'unit_id' }, to: 'term' }]
      return [along(source.field, field.to)]
    case 'two fields':
      return [along(source.assets, 'asset'), along(source.areas, 'term')]
    case 'note':
      if (source.note === 'author') return [{ way: { by: 'column', column: 'uid' }, to: 'user' }]
      return source.note === 'reviser' ? [{ way: { by: 'last revision' }, to: 'user' }] : []
    case 'rule':
      return byRules[source.rule] ?? []
  }
}

const along = (field: string, to: WayOut['to']): WayOut => ({ way: { by: 'reference', field, target: to }, to })

/** As rules/log-place.ts and rules/log-groups.ts have it. */
const byRules: Readonly<Partial<Record<MemberRule, readonly WayOut[]>>> = {
  'log assets': [along('asset', 'asset'), along('asset_area', 'term')],
  'log location': [
    { way: toMovementArea, to: 'term' },
    { way: toMovementPlace, to: 'asset' },
    { way: { by: 'reference', field: 'area', target: 'term', except: 'aside' }, to: 'term', when: not(isMoving) },
    { ...along('place', 'asset'), when: not(isMoving) },
  ],
  'assigned groups': [
    { way: toAssignedGroup, to: 'asset' },
    { ...along('group', 'asset'), when: not(isAssigning) },
  ],
  'log quantities': [{ way: { by: 'quantities' }, to: 'quantity' }],
}

export const leadsSomewhere = (ways: readonly WayOut[]): Condition =>
  eitherOf(ways.map(({ way, when }) => taken({ on: 'leading to', way, to: { is: 'anything' } }, when)))

export const taken = (condition: Condition, when: Condition | undefined): Condition =>
  when === undefined ? condition : allOf([condition, when])
