/** How this server is run. Every setting is an option of `furrow serve` and a FURROW_* variable (see docs/settings.md). */
export interface ServerSettings {
  /** The data directory of the embedded database. */
  readonly data: string
  readonly port: number
  readonly host: string
  /** The fixed public address without a trailing slash; null: it follows the request's Host. */
  readonly baseUrl: string | null
  /** A postgres:// address; null: SQLite in the data directory. */
  readonly database: string | null
  readonly modules: readonly string[]
  /** The first path segment of the session-token address. */
  readonly restModule: string
  /** User names that HTTP Basic admits; null: Basic is off. */
  readonly basicAuth: RegExp | null
  /** The development client's id; null: there is none. */
  readonly developmentClient: string | null
  readonly passwordGrant: boolean
  readonly requireTls: boolean
  /** Addresses or CIDR ranges whose forwarded headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Whether the request log has the addresses of callers. */
  readonly logAddresses: boolean
  /** How long events of access are kept. */
  readonly eventDays: number
  /** Seconds of processor time that one answer may take, unless it is a stream. */
  readonly readSeconds: number
  /** Where metrics are served, apart from everything else; null: nowhere. */
  readonly metricsPort: number | null
  readonly metricsHost: string
  /** Whether the app is served. */
  readonly app: boolean
}

export const defaultSettings: ServerSettings = {
  data: './farm-data',
  port: 8080,
  host: '127.0.0.1',
  baseUrl: null,
  database: null,
  modules: [],
  restModule: 'restws',
  basicAuth: null,
  developmentClient: 'farm_development',
  passwordGrant: true,
  requireTls: false,
  trustedProxies: [],
  logAddresses: true,
  eventDays: 90,
  readSeconds: 2,
  metricsPort: null,
  metricsHost: '127.0.0.1',
  app: true,
}
