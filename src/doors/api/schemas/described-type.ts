import type { Farm } from '../../../farm/farm.ts'
import type { Member, ResourceType } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import type { Field, Fields } from '../../../fields/field.ts'
import { reference } from '../../../fields/reference.ts'
import { configTypes } from '../config-resources.ts'
import { fileAttributes } from '../files/file-resource.ts'
import { ownUserAttributes, userAttributes } from '../users.ts'

export type DescribedMember = Pick<Member, 'name' | 'field' | 'targets' | 'default'> & Partial<Pick<Member, 'source'>>

export interface DescribedType {
  /** Such as `log--harvest`. */
  readonly name: string
  readonly title: string
  /** For areas: their asset type. */
  readonly kind?: string
  readonly members: readonly DescribedMember[]
}

/** The type of that name, with or without records. */
export function describedType(farm: Farm, name: string): DescribedType | undefined {
  const type = resourceTypes(farm).get(name)
  return type === undefined ? typesBeside.get(name) : ofRecords(type)
}

export const describedTypeNames = (farm: Farm): readonly string[] => [
  ...resourceTypes(farm).keys(),
  ...typesBeside.keys(),
]

const familyWords = { asset: 'asset', log: 'log', quantity: 'quantity', taxonomy_term: 'term' } as const

function ofRecords({ name, label, family, kind, members }: ResourceType): DescribedType {
  return {
    name,
    title: `${label} ${familyWords[family]}`,
    ...(kind === undefined ? {} : { kind }),
    members: [...members.values()].filter(({ shown }) => shown !== 'never'),
  }
}

const membersOf = (fields: Fields): readonly DescribedMember[] =>
  Object.entries(fields).map(([name, field]: [string, Field]) => ({ name, field }))

/** Types without records, by name. */
export const typesBeside: ReadonlyMap<string, DescribedType> = new Map(
  [
    {
      name: 'user--user',
      title: 'User',
      members: [
        ...membersOf({ ...userAttributes, ...ownUserAttributes }),
        {
          name: 'roles',
          field: reference('Roles', 'vocabulary', { many: true }),
          targets: ['user_role--user_role'],
        },
      ],
    },
    {
      name: 'file--file',
      title: 'File',
      members: [
        ...membersOf(fileAttributes),
        { name: 'uid', field: reference('Uploaded by', 'user'), targets: ['user--user'] },
      ],
    },
    ...[...configTypes].map(([name, { title, attributes, unasked }]) => ({
      name,
      title,
      members: membersOf({ ...attributes, ...unasked }),
    })),
  ].map((type) => [type.name, type]),
)
