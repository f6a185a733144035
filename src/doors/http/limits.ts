const KIB = 1024
const MIB = 1024 * KIB
const SECOND = 1000

/** How much one request may carry and how long it may take. Each refusal names the limit it met. */
export const limits = {
  bodyBytes: 32 * MIB,
  /** What is left of a body when its files (strings that begin with `data:`) are taken away. */
  plainBytes: 2 * MIB,
  formBytes: 64 * KIB,
  formParameters: 100,
  headerBytes: 16 * KIB,
  urlBytes: 8 * KIB,
  queryValues: 200,
  depth: 32,
  keys: 10_000,
  /** Elements of an XML body; as many attributes. */
  elements: 20_000,
  /** Character and entity references of an XML body, and other things that cost a parser as much. */
  references: 100_000,
  /** Beyond these a request is sent away with 503 (see crowd.ts). */
  requestsUnderWay: 500,
  bytesUnderWay: 256 * MIB,
  /** A body of which no more has arrived does not count among the bytes under way. */
  smallBytes: 64 * KIB,
  /** A body of which less than this comes within that time gives way to others when there is no place left. */
  briskBytes: 256 * KIB,
  briskMs: 10 * SECOND,
  /** How long requests are answered before new connections and /healthz are looked after again (see turns.ts). */
  turnMs: 10,
  headersMs: 10 * SECOND,
  requestMs: 600 * SECOND,
  silenceMs: 30 * SECOND,
  idleMs: 60 * SECOND,
} as const

export const inMebibytes = (bytes: number) => `${bytes / MIB} MiB`
export const inKibibytes = (bytes: number) => `${bytes / KIB} KiB`
