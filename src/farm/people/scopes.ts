import { type Right, roles } from './roles.ts'

/** What a token may be used for (spec 5.2). `own` is everything its user may. */
export interface Scope {
  readonly name: string
  /** In words, for the page that asks the user to agree. */
  readonly label: string
  readonly rights: readonly Right[] | 'own'
}

const withoutAccount = (rights: readonly Right[]): readonly Right[] => rights.filter((right) => right !== 'own-account')

export const scopes: readonly Scope[] = [
  { name: 'user_access', label: 'Do everything that you may do on this farm', rights: 'own' },
  { name: 'farm_info', label: "Read the farm's name and what it can record", rights: ['read-info'] },
  {
    name: 'farm_manager',
    label: 'Read, record and change everything, and configure the farm',
    rights: withoutAccount(roles.manager.rights),
  },
  { name: 'farm_worker', label: 'Read, record and change everything', rights: withoutAccount(roles.worker.rights) },
  { name: 'farm_viewer', label: 'Read everything, change nothing', rights: withoutAccount(roles.viewer.rights) },
]
