import { badQuery } from '../../../records/finding/filter.ts'
import { limits } from '../../http/limits.ts'

/** The names on the way to what is asked about: `quantity.units.name` has three. */
export type Path = readonly string[]

/** The number of what a relationship points to, whatever its type. */
export const targetNumber = 'drupal_internal__target_id'

/**
 * The path that a parameter gives. A position behind a list (`asset.0.id`) means any of its values, and the number of a target
 * is at `asset.drupal_internal__target_id`, though its clients say `asset.meta.drupal_internal__target_id`.
 */
export function pathIn(parameter: string, given: string): Path {
  const names = given.split('.')
  if (names.includes('')) throw badQuery(parameter, `${JSON.stringify(given)} is not a path of names with dots between`)
  const path = names.filter((name, at) => !isPosition(name, at) && !isMetaOfTarget(names, at))
  if (path.length > limits.pathSteps)
    throw badQuery(parameter, `a path may have ${limits.pathSteps} names, this one has ${path.length}`)
  return path
}

const isPosition = (name: string, at: number): boolean => at > 0 && /^\d+$/.test(name)

const isMetaOfTarget = (names: readonly string[], at: number): boolean =>
  at > 0 && names[at] === 'meta' && names[at + 1] === targetNumber
