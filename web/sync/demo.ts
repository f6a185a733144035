import { commit } from '../store/commit.ts'
import { type AssetStaysRow, databaseName, readMeta, removeDatabase, writeMeta } from '../store/database.ts'
import { demoKey } from '../store/local-storage.ts'
import { memory } from '../store/memory.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import type {
  CatalogueDocument,
  LocalRecord,
  LocalRecordType,
  LocalStayKind,
  Me,
  RecordFields,
} from '../store/record.ts'
import { trimmedFromWire, type WireRecord } from '../store/wire-record.ts'
import { rowsOf, type StayColumns, staysIn } from './load-stays.ts'
import { openSession, showSession } from './session.ts'
import { setStatus, setUsable } from './status.ts'

/** Set by the build. */
declare const FILE_OF_THE_DEMO: string

/** A demo farm as loaded at a time. */
interface Demo extends Readonly<Record<LocalRecordType, readonly WireRecord[]>> {
  readonly at: number
  readonly me: Me
  readonly catalogue: CatalogueDocument
  readonly stays: Readonly<Record<LocalStayKind, StayColumns>>
}

const [farm, uid] = ['demo', '0']
const day = 86_400

/** Shows the demo farm from its own database. Nothing recorded there is sent. */
export async function startDemo(parameter: string | null): Promise<void> {
  if (parameter === 'off') return endDemo()
  sessionStorage.setItem(demoKey, '1')
  const copy = await openSession(farm, uid)
  if ((await readMeta(copy.database, 'cursor')) === undefined) await fill(copy, await fetchDemo())
  await showSession(copy)
  memory.me.value = (await readMeta(copy.database, 'me')) ?? null
  setUsable(true)
  setStatus({ kind: 'sent', at: Date.now() })
}

async function endDemo(): Promise<void> {
  sessionStorage.removeItem(demoKey)
  await removeDatabase(databaseName(farm, uid))
  location.replace('/')
}

async function fetchDemo(): Promise<Demo> {
  const answer = await fetch(`/app/${FILE_OF_THE_DEMO}`)
  return (await answer.json()) as Demo
}

async function fill({ database }: OpenCopy, demo: Demo): Promise<void> {
  // Shifts all times, so that the last day is today.
  const later = Math.floor((Date.now() / 1000 - demo.at) / day) * day
  const { catalogue, me } = demo
  await writeMeta(database, { me, catalogue, people: [['1', me.account.name]] })
  for (const type of ['term', 'asset', 'log'] as const) {
    const loaded = demo[type].map((wire) => laterBy(later, trimmedFromWire(wire, { type, catalogue })))
    await commit(database, { loaded })
  }
  for (const kind of ['movement', 'membership'] as const)
    await commit(database, { stays: rowsOf(kind, staysIn(demo.stays[kind])).map((row) => staysLaterBy(later, row)) })
  await commit(database, { meta: { cursor: 'demo', copyOf: Date.now(), staysAt: Math.floor(Date.now() / 1000) } })
}

const times = ['timestamp', 'created', 'changed']

function laterBy(seconds: number, record: LocalRecord): LocalRecord {
  const moved: RecordFields = Object.fromEntries(
    times.flatMap((name) => {
      const at = Number(record.fields[name])
      return Number.isFinite(at) ? [[name, String(at + seconds)]] : []
    }),
  )
  return { ...record, fields: { ...record.fields, ...moved } }
}

const staysLaterBy = (seconds: number, row: AssetStaysRow): AssetStaysRow => ({
  ...row,
  stays: row.stays.map((stay) => ({
    ...stay,
    from: stay.from + seconds,
    until: stay.until === null ? null : stay.until + seconds,
  })),
})
