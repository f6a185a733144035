import { type Right, type Role, roles } from './roles.ts'

/** What a token may be used for (spec 5.2). `own` is everything its user may, but to administer. */
export interface Scope {
  readonly name: string
  /** In words, for the page that asks the user to agree. */
  readonly label: string
  readonly rights: readonly Right[] | 'own'
}

/** What the role may, but for the account of one's own and for what takes a scope of its own. */
const scopeOf = ({ newer, rights }: Role, label: string): Scope => ({
  name: newer,
  label,
  rights: rights.filter((right) => right !== 'own-account' && right !== 'administer'),
})

export const scopes: readonly Scope[] = [
  { name: 'user_access', label: 'Do everything that you may do on this farm', rights: 'own' },
  { name: 'farm_info', label: "Read the farm's name and what it can record", rights: ['read-info'] },
  scopeOf(roles.manager, 'Read, record and change everything, and configure the farm'),
  scopeOf(roles.worker, 'Read, record and change everything'),
  scopeOf(roles.viewer, 'Read everything, change nothing'),
  {
    name: 'farm_admin',
    label: 'Let people in, shut them out and change the settings of the farm',
    rights: ['administer'],
  },
]

/** A client has it only where the operator says so. */
export const takesNaming = ({ rights }: Scope): boolean => rights !== 'own' && rights.includes('administer')

/** Each is the role of that name. */
export const roleScopes: readonly string[] = Object.values(roles).map(({ newer }) => newer)

/** Only clients of the older generation ask for these: who is given one is answered in its form. */
export const olderScopes: readonly string[] = ['user_access', 'farm_info']
