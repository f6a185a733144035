import type { IconName } from '../look/icons.ts'
import { type Occupant, occupantsOf } from '../look/place/occupants.ts'
import { figure } from '../words/format.ts'
import type { Tag, TagsOf } from './draw-labels.ts'
import { restAt } from './rest.ts'
import { say } from './say.ts'

const mostTags = 2

/** How many of what are in an area: one figure for each picture, animals and the highest first. */
export function countTags(
  occupants: readonly Pick<Occupant, 'icon' | 'count' | 'isAnimal' | 'waiting'>[],
): readonly Tag[] {
  const counts = new Map<IconName, number>()
  for (const { icon, count } of occupants) counts.set(icon, (counts.get(icon) ?? 0) + count)
  const inPencil = new Set(occupants.filter(({ waiting }) => waiting).map(({ icon }) => icon))
  const ofAnimals = new Set(occupants.filter(({ isAnimal }) => isAnimal).map(({ icon }) => icon))
  return [...counts]
    .map(([icon, count]) => ({ icon, count, isAnimal: ofAnimals.has(icon) }))
    .sort((one, other) => Number(other.isAnimal) - Number(one.isAnimal) || other.count - one.count)
    .slice(0, mostTags)
    .map(({ icon, count, isAnimal }) => ({
      icon,
      text: figure(count),
      isAnimal,
      ...(inPencil.has(icon) && { waiting: true as const }),
    }))
}

/** What is written below the names of areas at a time, each area reckoned once. */
export function tagsAt(at: number, colours: 'kind' | 'rest'): TagsOf {
  const known = new Map<string, readonly Tag[]>()
  const tags = (areas: readonly string[]) =>
    colours === 'rest' ? restTags(areas, at) : countTags(areas.flatMap((id) => occupantsOf(id, at)))
  return (areas) => {
    const key = areas.join()
    const made = known.get(key) ?? tags(areas)
    known.set(key, made)
    return made
  }
}

/** How long the first has rested; else who grazes in any of them. */
function restTags(areas: readonly string[], at: number): readonly Tag[] {
  const rest = restAt(areas[0] ?? '', at)
  if (typeof rest === 'number')
    return [{ icon: undefined, text: say('map.rest.days', { count: rest }), isAnimal: false }]
  const grazed = areas.filter((id) => restAt(id, at) === 'grazed')
  return countTags(grazed.flatMap((id) => occupantsOf(id, at)).filter(({ isAnimal }) => isAnimal))
}
