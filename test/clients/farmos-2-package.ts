import { createRequire } from 'node:module'
import type { Json } from '../harness/client.ts'

/** An entity as the package keeps it: a resource, and what it knows of its changes. */
export interface Entity {
  readonly id: string
  readonly type: string
  readonly attributes: Json
  readonly relationships: Json
  readonly meta: Json
}

/** What was asked for together: what came of it, and what was refused. */
export interface Altogether {
  readonly data: Json
  readonly fulfilled: readonly Json[]
  readonly rejected: readonly Json[]
}

interface Entities {
  create(props: Json): Entity
  update(entity: Entity, props: Json): Entity
  merge(local: Entity, remote: Entity): Entity
  fetch(options: Json): Promise<Altogether>
  send(entity: Entity | readonly Entity[], options?: Json): Promise<Json>
  delete(bundle: string, id: string): Promise<Json>
}

/** What its documentation says it gives; it has no types of its own. */
export interface FarmOS {
  readonly remote: {
    authorize(user: string, password: string): Promise<Json>
    getToken(): Json
    info(): Promise<Json>
    request(path: string, config?: Json): Promise<Json>
  }
  readonly schema: {
    fetch(entity?: string, bundle?: string): Promise<Altogether>
    get(entity?: string, bundle?: string): Json
  }
  readonly asset: Entities
  readonly log: Entities
  readonly quantity: Entities
  readonly term: Entities
  readonly user: Entities
}

interface Config {
  readonly remote: { readonly host: string; readonly clientId: string }
  readonly schemata?: Json
}

/** The package as the registry has it. */
const { default: farmOS } = createRequire(import.meta.url)('farmos-2') as { default: (config: Config) => FarmOS }

export const farmOSFor = (host: string, schemata: Json = {}): FarmOS =>
  farmOS({ remote: { host, clientId: 'fieldkit' }, schemata })
