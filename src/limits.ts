const second = 1000
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Limits of one request. Each refusal names its limit. */
export const limits = {
  /** Unless a setting says otherwise (`bodyMebibytes`). */
  bodyBytes: 32 * mebibyte,
  /** Bytes of a body without its files (strings that begin with `data:`). */
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
  /** Joins of one filter of /api. */
  filterWays: 600,
  /** Records scanned by a filter of /api without an index. */
  recordsLookedAt: 50_000,
  /** Operations of a batch, and the length of a result's name. */
  operations: 1_000,
  /** Requests in one call of /subrequests, after multiplication. */
  subrequests: 200,
  /** Total size of their answers. */
  subanswerBytes: 32 * mebibyte,
  resultName: 64,
  /** Of a sheet: its columns, its rows in one request, and the characters of a cell; of a workbook all cells, and what it unpacks to. */
  sheet: { columns: 250, rows: 20_000, cellLength: 1_048_576, cells: 2_000_000, unpackedBytes: 96 * mebibyte },
  depth: 32,
  keys: 10_000,
  /** Elements of an XML body; as many attributes. */
  elements: 20_000,
  /** Character and entity references of an XML body, and other constructs that cost a parser as much. */
  references: 100_000,
  /** Further requests get 503 (see doors/http/admission.ts). */
  requestsUnderWay: 500,
  /** Event streams are counted apart from requests: per account, and in all. */
  streamsOfAccount: 5,
  streams: 200,
  /** Open sheets and maps, one per account: each has its own database connection. */
  sheetsOpen: 6,
  /** Open sheets that read rows at the same time. They take turns. */
  sheetsAtOnce: 2,
  /** Reports computed at the same time; others wait. */
  reportsAtOnce: 1,
  bytesUnderWay: 256 * mebibyte,
  /** A body with no more bytes received does not count among the bytes in flight. */
  smallBytes: 64 * kibibyte,
  /** A slower body than this gives way to others when there is no room left. */
  briskBytes: 256 * kibibyte,
  briskMs: 10 * second,
  /** How long requests are answered before new connections and /healthz are looked after again (see doors/http/admission.ts). */
  turnMs: 10,
  headersMs: 10 * second,
  requestMs: 600 * second,
  silenceMs: 30 * second,
  idleMs: 60 * second,
} as const
