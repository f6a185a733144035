import type { Farm } from '../../../farm/farm.ts'
import { isRelationship } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { configTypeNames } from '../config/config-types.ts'

/** What users and files point to. */
const ofOthers: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map([
  ['user--user', new Map([['roles', ['user_role--user_role']]])],
  ['file--file', new Map([['uid', ['user--user']]])],
])

const none: ReadonlyMap<string, readonly string[]> = new Map()

/** The relationships of a type by name, and the types that they lead to. */
export function relationshipsOfType(farm: Farm, name: string): ReadonlyMap<string, readonly string[]> {
  const type = resourceTypes(farm).get(name)
  if (type === undefined) return ofOthers.get(name) ?? none
  return new Map(
    [...type.members.values()].flatMap((member) =>
      isRelationship(member) ? [[member.name, member.targets ?? targetsOfFiles] as const] : [],
    ),
  )
}

const targetsOfFiles = ['file--file']

export const isKnownType = (farm: Farm, name: string): boolean =>
  resourceTypes(farm).has(name) || ofOthers.has(name) || configTypeNames.includes(name)
