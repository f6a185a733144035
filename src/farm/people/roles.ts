export type Right =
  | 'read-info'
  | 'enter'
  | 'read-records'
  | 'write-records'
  | 'configure'
  | 'own-account'
  /** People, clients, settings and backups over HTTP. A session has it for a while after the password was confirmed. */
  | 'administer'

export interface Role {
  readonly name: RoleName
  /** The name in /api, also of its scope. */
  readonly newer: string
  readonly label: string
  readonly rights: readonly Right[]
}

export const roleNames = ['manager', 'worker', 'viewer'] as const

export type RoleName = (typeof roleNames)[number]

/** Rights of every account, whatever the role. */
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
