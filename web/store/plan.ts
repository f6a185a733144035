import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { overlaid, type Resolve } from './overlay.ts'
import { forTheWire, uuidsIn } from './references.ts'
import { maybeTaken } from './taken.ts'
import type { Fields, KeptRecord } from './types.ts'
import { newUuid } from './uuid.ts'

/** An entry that has no place in the order yet. */
export type NewEntry = Omit<Entry, 'n'>

export interface Plan {
  readonly added: readonly NewEntry[]
  /** Entries that were not on the wire yet and have taken a later edit in. */
  readonly edited: readonly Entry[]
}

export interface Planning {
  readonly set: string
  readonly at: number
  readonly clock: Entry['clock']
  readonly ahead: number
  readonly undoes?: string
  /** All that wait, in order. */
  readonly entries: readonly Entry[]
  readonly ofServer: (uuid: string) => KeptRecord | undefined
  readonly resolve: Resolve
  /** The UUIDs that a body refers to by number. */
  readonly numbered: (of: Pick<Entry, 'type' | 'bundle' | 'body'>) => readonly string[]
}

/** What becomes of a set of changes: new entries, and entries that are edited while they wait. */
export function planned(changes: readonly Change[], planning: Planning): Plan {
  const added: NewEntry[] = []
  const edited = new Map<number, Entry>()
  for (const change of changes) {
    const into = change.verb === 'change' ? editable(change.uuid, added, { ...planning, edited }) : undefined
    if (into === undefined || change.verb !== 'change' || !reaches(into, change.fields, planning))
      added.push(newEntry(change, added, planning))
    else edited.set(into.n, withEdit(into, change, planning))
  }
  return { added, edited: [...edited.values(), ...freed(edited, planning)] }
}

/** What was refused together with an entry goes out again together with it. */
function freed(edited: ReadonlyMap<number, Entry>, { entries }: Planning): Entry[] {
  const wasRefused = (entry: Entry) => entry.state === 'needs-you' && !maybeTaken(entry)
  const sets = new Set(entries.filter((entry) => edited.has(entry.n) && wasRefused(entry)).map(({ set }) => set))
  return entries
    .filter((entry) => sets.has(entry.set) && !edited.has(entry.n) && wasRefused(entry))
    .map((entry) => ({ ...entry, ...anew() }))
}

/** The last entry of a record, if a further edit may change it. */
function editable(
  uuid: string,
  added: readonly NewEntry[],
  { entries, edited, undoes }: Planning & { readonly edited: ReadonlyMap<number, Entry> },
): Entry | undefined {
  const last = entries.findLast(({ record }) => record === uuid)
  if (last === undefined || undoes !== undefined || added.some(({ record }) => record === uuid)) return undefined
  const isChange = (last.method === 'POST' || last.method === 'PUT') && last.undoes === undefined
  return isChange && !maybeTaken(last) ? (edited.get(last.n) ?? last) : undefined
}

/** Whether all that the fields refer to is made before the entry. */
function reaches(entry: Entry, fields: Fields, { entries }: Planning): boolean {
  const wanted = uuidsIn(forTheWire(fields))
  return !entries.some(({ method, record, n }) => method === 'POST' && n > entry.n && wanted.includes(record))
}

function withEdit(entry: Entry, change: Change & { verb: 'change' }, planning: Planning): Entry {
  const fields = forTheWire(change.fields)
  const read = readOf(change, [], planning)
  const body = { ...entry.body, ...fields }
  const newly = Object.keys(fields).filter((name) => !(name in entry.body))
  const seen = Object.fromEntries(newly.map((name) => [name, fieldsOf(read)[name]]))
  return {
    ...entry,
    body,
    base: entry.base === null ? null : { ...entry.base, ...seen },
    name: nameIn(fields) ?? entry.name,
    after: referred({ ...entry, body }, planning),
    ...anew(),
    edits: [
      ...entry.edits,
      { set: planning.set, before: Object.fromEntries(Object.keys(fields).map((name) => [name, entry.body[name]])) },
    ],
  }
}

function newEntry(change: Change, added: readonly NewEntry[], planning: Planning): NewEntry {
  const { set, at, clock, ahead, undoes } = planning
  const shared = { key: newUuid(), set, type: change.type, record: change.uuid, at, clock, ahead, ...waiting }
  const own = change.verb === 'make' ? creation(change, planning) : ofRecord(change, added, planning)
  return { ...shared, ...own, ...(undoes === undefined ? {} : { undoes }) }
}

/** Another request than the one that was on the wire, if it was. */
export const anew = () => ({ state: 'waiting', tries: 0, failures: 0, problem: null, key: newUuid() }) as const

const waiting = { state: 'waiting', tries: 0, failures: 0, problem: null, edits: [] } as const

type Own = Pick<Entry, 'method' | 'id' | 'bundle' | 'name' | 'body' | 'base' | 'tag' | 'after'>

function creation({ type, uuid, bundle, fields }: Change & { verb: 'make' }, planning: Planning): Own {
  const body = forTheWire(fields)
  const after = referred({ type, bundle, body }, planning)
  return { method: 'POST', id: uuid, bundle, name: nameIn(body) ?? '', body, base: null, tag: null, after }
}

const methods = { change: 'PUT', remove: 'DELETE', restore: 'RESTORE' } as const

function ofRecord(change: Exclude<Change, { verb: 'make' }>, added: readonly NewEntry[], planning: Planning): Own {
  const read = readOf(change, added, planning)
  const body = change.verb === 'change' ? forTheWire(change.fields) : {}
  return {
    method: methods[change.verb],
    id: read.id,
    bundle: read.bundle,
    name: nameIn(body) ?? read.name,
    body,
    base: fieldsOf(read),
    tag: read.version === '' ? null : read.version,
    after: referred({ ...read, body }, planning),
  }
}

/** The record as whoever changes it has read it. */
function readOf(
  change: Exclude<Change, { verb: 'make' }>,
  added: readonly NewEntry[],
  { entries, ofServer, resolve }: Planning,
): KeptRecord {
  const earlier = [...entries, ...added.map((entry) => ({ ...entry, n: 0 }))]
  const own = earlier.filter(({ record }) => record === change.uuid)
  const read = change.read ?? overlaid(ofServer(change.uuid), own, resolve)
  if (read === undefined) throw new Error(`Nothing is known of ${change.type} ${change.uuid}.`)
  return read
}

export const fieldsOf = ({ fields, name }: KeptRecord): Fields => ({ ...fields, name })

const nameIn = ({ name }: Fields) => (typeof name === 'string' ? name : undefined)

const referred = (of: Pick<Entry, 'type' | 'bundle' | 'body'>, { numbered }: Planning) => [
  ...new Set([...uuidsIn(of.body), ...numbered(of)]),
]
