import { badQuery } from '../../../records/finding/filter.ts'
import { type Parameters, textOf } from './parameters.ts'
import { type Path, pathIn } from './path.ts'

/** The paths of relationships whose targets are wanted beside the data: `asset,quantity,quantity.units`. */
export function includeIn(parameters: Parameters): readonly Path[] {
  const given = textOf(parameters, 'include') ?? ''
  if (given === '') return []
  const paths = new Set(given.split(',').map((path) => path.trim()))
  if (paths.has('')) throw badQuery('include', 'has two commas with nothing between, or one at an end')
  return [...paths].map((path) => pathIn('include', path))
}
