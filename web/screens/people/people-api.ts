/** Documents under /administer/. Ids and times are strings. */

export const roleNames = ['worker', 'viewer', 'manager'] as const
export type AssignableRole = (typeof roleNames)[number]

export interface Person {
  readonly id: string
  readonly name: string
  readonly role: AssignableRole | null
  readonly state: 'active' | 'blocked' | 'of-client'
  readonly last_seen: string | null
  readonly sessions: number
}

export interface People {
  readonly people: readonly Person[]
}

export interface PendingInvitation {
  readonly id: string
  readonly kind: 'account' | 'password'
  readonly name: string
  readonly role: AssignableRole | null
  readonly by: { readonly id: string; readonly name: string } | null
  readonly expires: string
}

export interface Invitations {
  readonly invitations: readonly PendingInvitation[]
}

export interface IssuedLink {
  readonly link: string
  readonly expires: string
}

export interface Session {
  readonly key: string
  readonly device: string
  readonly address: string
  readonly created: string
  readonly last_used: string
  readonly this_one: boolean
}

export interface Sessions {
  readonly sessions: readonly Session[]
}

export interface Application {
  readonly client: string
  readonly label: string
  readonly since: string
}

export interface Applications {
  readonly applications: readonly Application[]
}

export interface Client {
  readonly id: string
  readonly label: string
  readonly disabled: boolean
  readonly users: readonly EventPerson[]
  readonly last_token: string | null
}

export interface Clients {
  readonly clients: readonly Client[]
}

interface EventPerson {
  readonly id: string
  /** Null if the account was removed. */
  readonly name: string | null
}

export interface FarmEvent {
  readonly at: string
  readonly kind: string
  readonly user: EventPerson | null
  readonly by: EventPerson | null
  readonly client: string | null
  readonly address: string | null
}

export interface FarmEvents {
  readonly events: readonly FarmEvent[]
}
