const second = 1000
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** How much one request may carry and how long it may take. Each refusal names the limit it met. */
export const limits = {
  bodyBytes: 32 * mebibyte,
  /** What is left of a body when its files (strings that begin with `data:`) are taken away. */
  plainBytes: 2 * mebibyte,
  formBytes: 64 * kibibyte,
  formParameters: 100,
  headerBytes: 16 * kibibyte,
  urlBytes: 8 * kibibyte,
  queryValues: 200,
  /** Names in a path such as `quantity.units.name`. */
  pathSteps: 10,
  /** Conditions and groups of one filter of /api. */
  filterItems: 100,
  /** Ways from record to record that one filter of /api takes. */
  filterWays: 600,
  /** Records that are looked at one by one for a filter of /api that no index answers. */
  recordsLookedAt: 50_000,
  /** Of a batch, and the name that one of them gives to what it creates. */
  operations: 1_000,
  /** Requests that come together to /subrequests, after they were multiplied. */
  subrequests: 200,
  /** Of all their answers together. */
  subanswerBytes: 32 * mebibyte,
  resultName: 64,
  /** Of a sheet: its columns, its rows in one request, and the characters of a cell. */
  sheet: { columns: 250, rows: 20_000, cellLength: 1_048_576 },
  depth: 32,
  keys: 10_000,
  /** Elements of an XML body; as many attributes. */
  elements: 20_000,
  /** Character and entity references of an XML body, and other things that cost a parser as much. */
  references: 100_000,
  /** Beyond these a request is sent away with 503 (see doors/http/admission.ts). */
  requestsUnderWay: 500,
  /** Who listens for events is not under way, but has a place of their own: of one account, and in all. */
  streamsOfAccount: 5,
  streams: 200,
  /** Sheets and maps that are under way, one of each account: each has a connection to the database for itself. */
  sheetsOpen: 6,
  /** Those of them whose rows are read at a time. They take turns. */
  sheetsAtOnce: 2,
  /** That are put together at a time; others wait. */
  reportsAtOnce: 1,
  bytesUnderWay: 256 * mebibyte,
  /** A body of which no more has arrived does not count among the bytes under way. */
  smallBytes: 64 * kibibyte,
  /** A body of which less than this comes within that time gives way to others when there is no place left. */
  briskBytes: 256 * kibibyte,
  briskMs: 10 * second,
  /** How long requests are answered before new connections and /healthz are looked after again (see doors/http/admission.ts). */
  turnMs: 10,
  headersMs: 10 * second,
  requestMs: 600 * second,
  silenceMs: 30 * second,
  idleMs: 60 * second,
} as const
