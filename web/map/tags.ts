import type { IconName } from '../look/icons.ts'
import { type Occupant, occupantsOf } from '../look/place/occupants.ts'
import { figure } from '../words/format.ts'
import type { Tag } from './draw-labels.ts'
import { restAt } from './rest.ts'
import { say } from './say.ts'

const mostTags = 2

/** How many of what are in an area: one figure for each picture, the highest first. */
export function countTags(occupants: readonly Pick<Occupant, 'icon' | 'count' | 'waiting'>[]): readonly Tag[] {
  const counts = new Map<IconName, number>()
  for (const { icon, count } of occupants) counts.set(icon, (counts.get(icon) ?? 0) + count)
  const inPencil = new Set(occupants.filter(({ waiting }) => waiting).map(({ icon }) => icon))
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostTags)
    .map(([icon, count]) => ({ icon, text: figure(count), ...(inPencil.has(icon) && { waiting: true as const }) }))
}

/** What is written below the names of areas at a time, each area reckoned once. */
export function tagsAt(at: number, colours: 'kind' | 'rest'): (id: string) => readonly Tag[] {
  const known = new Map<string, readonly Tag[]>()
  const tags = colours === 'rest' ? (id: string) => restTags(id, at) : (id: string) => countTags(occupantsOf(id, at))
  return (id) => {
    const made = known.get(id) ?? tags(id)
    known.set(id, made)
    return made
  }
}

function restTags(id: string, at: number): readonly Tag[] {
  const rest = restAt(id, at)
  if (rest === undefined) return []
  if (rest === 'grazed') return countTags(occupantsOf(id, at).filter(({ isAnimal }) => isAnimal))
  return [{ icon: undefined, text: say('map.rest.days', { count: rest }) }]
}
