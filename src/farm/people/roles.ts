/** What a caller may be allowed to do. */
export type Right =
  | 'read-info'
  | 'enter'
  | 'read-records'
  | 'write-records'
  | 'configure'
  | 'own-account'
  /** People, clients, settings and backups over HTTP. A session has it for a while after its password was shown. */
  | 'administer'

export interface Role {
  readonly name: RoleName
  /** Its name in the newer generation, and of the scope that is asked for it by. */
  readonly newer: string
  readonly label: string
  readonly rights: readonly Right[]
}

export const roleNames = ['manager', 'worker', 'viewer'] as const

export type RoleName = (typeof roleNames)[number]

/** What anyone with an account may do, whatever the role. */
export const rightsOfAnyAccount: readonly Right[] = ['enter', 'own-account']

const viewer: readonly Right[] = [...rightsOfAnyAccount, 'read-info', 'read-records']
const worker: readonly Right[] = [...viewer, 'write-records']

export const roles: Readonly<Record<RoleName, Role>> = {
  manager: {
    name: 'manager',
    newer: 'farm_manager',
    label: 'Farm Manager',
    rights: [...worker, 'configure', 'administer'],
  },
  worker: { name: 'worker', newer: 'farm_worker', label: 'Farm Worker', rights: worker },
  viewer: { name: 'viewer', newer: 'farm_viewer', label: 'Farm Viewer', rights: viewer },
}
