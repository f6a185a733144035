import { createRequire } from 'node:module'
import type { Json } from '../harness/client.ts'

export interface Token {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: string
  readonly expires: number
}

type Ask = (wish?: unknown) => Promise<Json>

/** What the package's README says it gives; it has no types of its own. */
export interface FarmOS {
  authorize(user: string, password: string, scope?: string): Promise<Token>
  revokeTokens(): Promise<boolean>
  getToken(): Token
  info(): Promise<Json>
  vocabulary(machineName?: string): Promise<Json>
  readonly log: { get: Ask; send(payload: unknown): Promise<Json>; delete(id: string): Promise<Json> }
  readonly asset: { get: Ask; send(payload: unknown, id?: string): Promise<Json>; delete(id: string): Promise<Json> }
  readonly term: { get: Ask; send(payload: unknown): Promise<Json> }
  readonly area: {
    get: Ask
    geojson(): Promise<Json>
    send(payload: unknown): Promise<Json>
    delete(id: string): Promise<Json>
  }
}

/** The package as the registry has it. */
export const farmOS: (host: string, options: object) => FarmOS = createRequire(import.meta.url)('farmos')
