import { amend, discard, freeze } from '../../web/store/amend.ts'
import type { Change } from '../../web/store/change.ts'
import { type Commit, commit } from '../../web/store/commit.ts'
import { assetBy, log, logs } from '../../web/store/copy.ts'
import type { CopyDatabase } from '../../web/store/database.ts'
import { dropDraft, keepDraft, readDraft } from '../../web/store/drafts.ts'
import { enqueue } from '../../web/store/enqueue.ts'
import type { Entry, PhotoEntry } from '../../web/store/entry.ts'
import type { LogQuery } from '../../web/store/log-query.ts'
import { memory } from '../../web/store/memory.ts'
import { emptyCopy, type OpenCopy, openCopy, showCopy } from '../../web/store/open-copy.ts'
import { entriesOf, forgetSent, outbox, photosWaiting, sentOf } from '../../web/store/outbox.ts'
import { dropLogs } from '../../web/store/prune.ts'
import { search } from '../../web/store/search.ts'
import { type Settlement, settle, settlePhoto } from '../../web/store/settle.ts'
import { contentsOf, placesOf } from '../../web/store/stays.ts'
import { takeBack } from '../../web/store/take-back.ts'
import { lastUsed, noteUsed } from '../../web/store/used.ts'

let opened: OpenCopy | null = null

function copy(): OpenCopy {
  if (opened === null) throw new Error('The copy is not open.')
  return opened
}

const database = (): CopyDatabase => copy().database

interface Set {
  readonly set: string
  readonly changes: readonly Change[]
  /** Each is a photo of the record of the first change. */
  readonly photos?: readonly string[]
  readonly draft?: string
}

const photoOf = (text: string, record: string) => ({
  record,
  field: 'images' as const,
  file: new Blob([text], { type: 'image/jpeg' }),
})

/** What tests ask of the store in a page of a real browser. */
const verbs = {
  async open(farm: string): Promise<void> {
    opened = await openCopy({ farm, uid: '1' }, () => {})
    await showCopy(opened)
  },
  commit: (change: Commit) => commit(database(), change),
  loadAgain: () => emptyCopy(copy(), { cursor: null }),
  async save({ photos = [], ...wanted }: Set): Promise<Entry[]> {
    const files = photos.map((text) => photoOf(text, wanted.changes[0]?.uuid ?? ''))
    await enqueue(database(), { ...wanted, photos: files })
    return (await entriesOf(database())).filter(({ set }) => set === wanted.set)
  },
  takeBack: (set: string) => takeBack(database(), set),
  freeze: (...ns: readonly number[]) => freeze(database(), ns),
  amend: (n: number, change: Partial<Entry>) => amend(database(), [n, change]),
  discard: (...ns: readonly number[]) => discard(database(), ns),
  settle: (settlement: Settlement) => settle(database(), settlement),
  settlePhoto: (uuid: string) => settlePhoto(database(), uuid, { changeSet: null }),
  outbox: () => outbox.value,
  entries: () => entriesOf(database()),
  photosWaiting: () => photosWaiting.value,
  photoTexts: async () =>
    Promise.all((await database().getAll('photo')).map((photo: PhotoEntry) => photo.bytes.text())),
  sent: (days: number) => sentOf(days),
  forgetSent: () => forgetSent(database()),
  asset: (id: string) => assetBy(id),
  log: (id: string) => log(id),
  logs: async (query: LogQuery) => (await logs(query)).map(({ name }) => name),
  search: async (text: string) => (await search(text)).map(({ name }) => name),
  placesOf: (asset: string) => placesOf(asset),
  contentsOf: (area: string) => contentsOf(area),
  dropLogs: (before: number) => dropLogs(database(), { before, most: 20_000 }),
  keepDraft,
  readDraft,
  dropDraft,
  noteUsed,
  lastUsed,
  names: () => [...memory.assets.value.values()].map(({ name }) => name),
}

Object.assign(globalThis, { store: verbs })
