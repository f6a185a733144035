import { commit } from '../store/commit.ts'
import { databaseName, removeDatabase, type StayRow } from '../store/database.ts'
import { noteOfDemo } from '../store/demo.ts'
import { memory } from '../store/memory.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import type { Catalogue, Fields, KeptRecord, Me, RecordType, StayKind } from '../store/types.ts'
import { keptFrom, type WireRecord } from '../store/wire.ts'
import { open, show } from './shown.ts'
import { setStatus, setUsable } from './status.ts'
import { rowsOf, type StayColumns, staysIn } from './stays.ts'

/** Put in by the build. */
declare const FILE_OF_THE_DEMO: string

/** A farm as a device would have loaded it at that time. */
interface Demo extends Readonly<Record<RecordType, readonly WireRecord[]>> {
  readonly at: number
  readonly me: Me
  readonly catalogue: Catalogue
  readonly stays: Readonly<Record<StayKind, StayColumns>>
}

const [farm, uid] = ['demo', '0']
const day = 86_400

/** Shows a made-up farm, out of a database of its own. Nobody sends what is recorded there. */
export async function startDemo(asked: string | null): Promise<void> {
  if (asked === 'off') return endDemo()
  sessionStorage.setItem(noteOfDemo, '1')
  const copy = await open(farm, uid)
  if ((await readMeta(copy.database, 'cursor')) === undefined) await fill(copy, await fetchDemo())
  await show(copy)
  memory.me.value = (await readMeta(copy.database, 'me')) ?? null
  setUsable(true)
  setStatus({ kind: 'sent', at: Date.now() })
}

async function endDemo(): Promise<void> {
  sessionStorage.removeItem(noteOfDemo)
  await removeDatabase(databaseName(farm, uid))
  location.replace('/')
}

async function fetchDemo(): Promise<Demo> {
  const answer = await fetch(`/app/${FILE_OF_THE_DEMO}`)
  return (await answer.json()) as Demo
}

async function fill({ database }: OpenCopy, demo: Demo): Promise<void> {
  // Its last day is today.
  const later = Math.floor((Date.now() / 1000 - demo.at) / day) * day
  const { catalogue, me } = demo
  await writeMeta(database, { me, catalogue, people: [['1', me.account.name]] })
  for (const type of ['term', 'asset', 'log'] as const) {
    const loaded = demo[type].map((wire) => laterBy(later, keptFrom(wire, { type, catalogue })))
    await commit(database, { loaded })
  }
  for (const kind of ['movement', 'membership'] as const)
    await commit(database, { stays: rowsOf(kind, staysIn(demo.stays[kind])).map((row) => staysLaterBy(later, row)) })
  await commit(database, { meta: { cursor: 'demo', copyOf: Date.now(), staysAt: Math.floor(Date.now() / 1000) } })
}

const times = ['timestamp', 'created', 'changed']

function laterBy(seconds: number, record: KeptRecord): KeptRecord {
  const moved: Fields = Object.fromEntries(
    times.flatMap((name) => {
      const at = Number(record.fields[name])
      return Number.isFinite(at) ? [[name, String(at + seconds)]] : []
    }),
  )
  return { ...record, fields: { ...record.fields, ...moved } }
}

const staysLaterBy = (seconds: number, row: StayRow): StayRow => ({
  ...row,
  stays: row.stays.map((stay) => ({
    ...stay,
    from: stay.from + seconds,
    until: stay.until === null ? null : stay.until + seconds,
  })),
})
