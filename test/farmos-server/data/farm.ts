import type { Bundle } from './bundle.ts'

/** What a record holds in the fields of its bundle, as the other server stores it: ids for references, text as it was typed. */
export type Values = Record<string, unknown>

export interface Account {
  id: number
  name: string
  mail: string
  password: string
  created: number
  /** Numbers of roles: 2 everybody who has logged in, 3 manager, 4 worker, 5 viewer. */
  roles: number[]
  isBlocked: boolean
}

export interface Vocabulary {
  id: number
  machineName: string
  name: string
  description: string
}

export interface Term {
  id: number
  bundle: string
  name: string
  description: string
  weight: number
  parents: number[]
  values: Values
}

export interface Asset {
  id: number
  bundle: string
  name: string
  author: number
  created: number
  changed: number
  archived: number
  values: Values
}

export interface Log {
  id: number
  bundle: string
  name: string
  author: number
  timestamp: number
  created: number
  changed: number
  done: boolean
  values: Values
}

export interface StoredFile {
  id: number
  name: string
  mime: string
  place: 'public' | 'private'
  /** Below the folder of all public or private files. */
  path: string
  content: Buffer
  timestamp: number
  owner: number
  /** Where the file is said to be, if that is not this server. */
  address?: string
  /** How many bytes it is said to have, if that is wrong. */
  saidSize?: number
}

export interface Farm {
  name: string
  systemOfMeasurement: 'metric' | 'us'
  /** Whether a manager sees them among the users; the first user does in any case. */
  tellsOfBlockedAccounts: boolean
  accounts: Account[]
  vocabularies: Vocabulary[]
  terms: Term[]
  assets: Asset[]
  logs: Log[]
  files: StoredFile[]
  bundles: Bundle[]
}

export type RecordKind = 'taxonomy_term' | 'farm_asset' | 'log'
