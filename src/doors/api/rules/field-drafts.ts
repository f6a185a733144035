import type { MemberRule } from '../../../farm/newer/resource-type.ts'
import { draftGiven, type FieldDrafts, type Given } from './given.ts'
import { archivedDrafts } from './given-archived.ts'
import { areaTypeDrafts, drawnGeometryDrafts } from './given-area.ts'
import { fractionDrafts } from './given-fraction.ts'
import { groupDrafts } from './given-groups.ts'
import { logPlaceDrafts } from './given-log-place.ts'
import { descriptionDrafts } from './rich-description.ts'

interface Rules {
  /** Members that change the same fields. */
  readonly of: readonly MemberRule[]
  readonly drafts: (given: Given) => FieldDrafts
}

const rules: readonly Rules[] = [
  { of: ['log status'], drafts: (given) => ({ status: draftGiven(given, 'log status') }) },
  { of: ['moves', 'log location', 'log geometry', 'log assets'], drafts: logPlaceDrafts },
  { of: ['assigns groups', 'assigned groups'], drafts: groupDrafts },
  { of: ['asset status', 'archived', 'last archived'], drafts: archivedDrafts },
  { of: ['area type'], drafts: areaTypeDrafts },
  { of: ['drawn geometry'], drafts: drawnGeometryDrafts },
  { of: ['description'], drafts: descriptionDrafts },
  { of: ['fraction'], drafts: fractionDrafts },
]

/** What is asked for of the fields that a record keeps, and by which members. */
export function draftsByRules(given: Given): readonly (readonly [MemberRule, FieldDrafts])[] {
  const isNewArea = given.type.kind !== undefined && Object.keys(given.before).length === 0
  return rules.flatMap(({ of, drafts }) => {
    const sent = of.find((rule) => given.members.has(rule))
    if (sent === undefined && !(isNewArea && of.includes('area type'))) return []
    const known = Object.entries(drafts(given)).filter(([field]) => Object.hasOwn(given.fields, field))
    return [[sent ?? 'area type', Object.fromEntries(known)] as const]
  })
}
