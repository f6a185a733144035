import type { PartValue, Values } from '../../../fields/value.ts'
import { numbersIn } from './numbers-in.ts'

/** Whether the log says which groups its assets belong to. */
export function assignsGroups({ membership }: Values): boolean {
  const { group, leaves } = (membership as PartValue | undefined) ?? { uuid: '' }
  return numbersIn(group).length > 0 || leaves === true
}

/** The groups that the log names, whether its assets join them or not. */
export const groupsOfLog = (values: Values): readonly number[] =>
  numbersIn(assignsGroups(values) ? (values.membership as PartValue).group : values.group)
