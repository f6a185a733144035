/** Server settings. Each is an option of `furrow serve` and a FURROW_* variable (see docs/settings.md). */
export interface ServerSettings {
  /** The data directory of the embedded database. */
  readonly data: string
  readonly port: number
  readonly host: string
  /** The public address without a trailing slash; null: taken from the Host header. */
  readonly baseUrl: string | null
  /** A postgres:// address; null: SQLite in the data directory. */
  readonly database: string | null
  readonly modules: readonly string[]
  /** The first path segment of the session-token address. */
  readonly restModule: string
  /** Account names that may use HTTP Basic; null: Basic is off. */
  readonly basicAuth: RegExp | null
  /** The id of the development client; null: none. */
  readonly developmentClient: string | null
  readonly passwordGrant: boolean
  readonly requireTls: boolean
  /** The files that TLS is spoken with; null: a proxy does, or nobody. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** How large a body may be, with its files. */
  readonly bodyMebibytes: number
  /** How large one photo or file may be. */
  readonly fileMebibytes: number
  /** Addresses or CIDR ranges whose forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Writes client addresses to the request log. */
  readonly logAddresses: boolean
  /** Days that access events are kept. */
  readonly eventDays: number
  /** Maximum processor seconds for one answer, except streams. */
  readonly readSeconds: number
  /** A separate port for metrics; null: none. */
  readonly metricsPort: number | null
  readonly metricsHost: string
  /** Serves the app. */
  readonly app: boolean
  /** Managers may move in from private networks and from this machine. */
  readonly moveFromPrivate: boolean
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
  tls: null,
  bodyMebibytes: 32,
  fileMebibytes: 10,
  trustedProxies: [],
  logAddresses: true,
  eventDays: 90,
  readSeconds: 2,
  metricsPort: null,
  metricsHost: '127.0.0.1',
  app: true,
  moveFromPrivate: false,
}
