import { type Right, type Role, roles } from './roles.ts'

/** The permitted use of a token (spec 5.2). `own` is every right of its user except `administer`. */
export interface Scope {
  readonly name: string
  /** For the consent page. */
  readonly label: string
  readonly rights: readonly Right[] | 'own'
}

/** The rights of the role, without `own-account` and without rights that need a scope of their own. */
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

/** A client gets it only if the operator names it. */
export const takesNaming = ({ rights }: Scope): boolean => rights !== 'own' && rights.includes('administer')

/** Each has the name of its role. */
export const roleScopes: readonly string[] = Object.values(roles).map(({ newer }) => newer)

/** Only 1.x clients request these; a token with one is answered in the 1.x form. */
export const olderScopes: readonly string[] = ['user_access', 'farm_info']
