import { measureOfUnit } from '../../reports/units.ts'

/** The measure of a unit; `l/ha` and `kg/day` are rates. */
export function measureMeant(unit: string): string | undefined {
  const [, of] = /^\s*([^/\s]{1,12})\s*\/\s*[^/\s]{1,8}\s*$/.exec(unit) ?? []
  return measureOfUnit(unit) ?? (of !== undefined && measureOfUnit(of) !== undefined ? 'rate' : undefined)
}
