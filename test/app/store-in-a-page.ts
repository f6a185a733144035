import { type Acknowledgement, acknowledge, acknowledgePhoto } from '../../web/store/acknowledge.ts'
import { type Commit, commit, dropLogs } from '../../web/store/commit.ts'
import type { CopyDatabase } from '../../web/store/database.ts'
import { dropDraft, keepDraft, readDraft } from '../../web/store/drafts.ts'
import { enqueue } from '../../web/store/enqueue.ts'
import { assetBy, type LogQuery, log, logs } from '../../web/store/local-copy.ts'
import { memory } from '../../web/store/memory.ts'
import { emptyCopy, type OpenCopy, openCopy, showCopy } from '../../web/store/open-copy.ts'
import {
  amendEntries,
  discardEntries,
  entriesOf,
  forgetSent,
  freeze,
  outbox,
  photosWaiting,
  sentOf,
} from '../../web/store/outbox.ts'
import type { Entry, LocalChange, PhotoEntry } from '../../web/store/outbox-entry.ts'
import { noteChoice, recentChoices } from '../../web/store/recent-choices.ts'
import { search } from '../../web/store/search.ts'
import { contentsOf, placesOf } from '../../web/store/stays.ts'
import { undoSet } from '../../web/store/undo.ts'

let opened: OpenCopy | null = null

function copy(): OpenCopy {
  if (opened === null) throw new Error('The copy is not open.')
  return opened
}

const database = (): CopyDatabase => copy().database

interface Set {
  readonly set: string
  readonly changes: readonly LocalChange[]
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
  takeBack: (set: string) => undoSet(database(), set),
  freeze: (...ns: readonly number[]) => freeze(database(), ns),
  amend: (n: number, change: Partial<Entry>) => amendEntries(database(), [n, change]),
  discard: (...ns: readonly number[]) => discardEntries(database(), ns),
  settle: (settlement: Acknowledgement) => acknowledge(database(), settlement),
  settlePhoto: (uuid: string) => acknowledgePhoto(database(), uuid, { changeSet: null }),
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
  noteUsed: noteChoice,
  lastUsed: recentChoices,
  names: () => [...memory.assets.value.values()].map(({ name }) => name),
}

Object.assign(globalThis, { store: verbs })
