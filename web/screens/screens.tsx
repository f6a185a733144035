import type { JSX } from 'preact'
import type { BarPlace } from '../look/bar.tsx'
import { wide } from '../look/desk.ts'
import { type LazyPart, lazy } from '../look/lazy.tsx'
import { match } from '../look/router.ts'
import { untilSettled } from '../sync/status.ts'
import { loadOwnerWords } from '../words/language.ts'
import { TodayScreen } from './today/today.tsx'

interface ScreenQuery {
  /** Parameters of the pattern: `id` of "/log/:id". */
  readonly parts: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

interface Screen {
  readonly pattern: string
  /**
   * `list` has a detail beside it on a desk; `detail` is beside the list that led to it; `page` and `map` are alone;
   * `entry` as well, without the bar on a phone; `over` is a sheet over the previous screen.
   */
  readonly kind: 'list' | 'detail' | 'page' | 'map' | 'entry' | 'over'
  readonly place: BarPlace | null
  /** Chunk to load; absent for screens of the main chunk. */
  readonly code?: Pick<LazyPart<unknown>, 'fetch'>
  readonly show: (screenQuery: ScreenQuery) => JSX.Element
}

const records = lazy(() => import('./records/records.tsx'))

const record = lazy(() => import('./record/record.tsx'))

const map = lazy(() => import('../map/map-screen.tsx'))

const coming = new Map<Sheet, Promise<void>>()

export const device = lazy(async () => (await withSheet(import('./device/device.tsx'))).deviceScreens)

const bringing = lazy(() => ofOwner(import('./import/import.tsx')))

const people = lazy(() => ofOwner(import('./people/people.tsx')))

const setup = lazy(() => ofOwner(import('./setup/setup.tsx')))

const settings = lazy(() => ofOwner(import('./settings/settings.tsx')))

const moving = lazy(() => ofOwner(import('./moving/moving.tsx')))

const reports = lazy(() => ofOwner(import('./reports/reports.tsx')))

const list = { kind: 'list' } as const

const detail = { kind: 'detail', place: null, code: record } as const

const pages = [
  ['log', 'LogScreen'],
  ['asset', 'AssetScreen'],
  ['area', 'TermScreen'],
  ['term', 'TermScreen'],
] as const

const alone = { kind: 'entry', place: null } as const

const page = { kind: 'page', place: 'more', code: device } as const

type RoutedPart = LazyPart<{ readonly Part: () => JSX.Element }>

/** Chunks that route their addresses themselves. */
const routedScreens = (code: RoutedPart, ...patterns: readonly string[]): readonly Screen[] =>
  patterns.map((pattern) => ({ pattern, ...page, code, show: () => code.show(({ Part }) => <Part />) }))

const entry = lazy(() => withSheet(import('../entries/entry-screen.tsx')))

const entries = ['move', 'harvest', 'observe', 'weigh', 'treat', 'seed', 'transplant', 'input', 'maintain', 'done']

const showEntry = () => entry.show(({ EntryScreen }) => <EntryScreen />)

const form = lazy(() => withSheet(import('./form/form-screen.tsx')))

const forms = [
  '/log/:id/edit',
  '/asset/:id/edit',
  '/area/:id/edit',
  '/term/:id/edit',
  '/add/:bundle',
  '/add/:type/:bundle',
]

const showForm = () => form.show(({ FormScreen }) => <FormScreen />)

const draw = lazy(() => withSheet(import('../map/draw/draw-screen.tsx')))

const showDraw = () => draw.show(({ DrawScreen }) => <DrawScreen />)

const screens: readonly Screen[] = [
  { pattern: '/', ...list, place: 'today', show: () => <TodayScreen /> },
  {
    pattern: '/records',
    ...list,
    place: 'records',
    code: records,
    show: ({ query }) => records.show(({ RecordsScreen }) => <RecordsScreen query={query} />),
  },
  {
    pattern: '/group/:id',
    ...list,
    place: 'records',
    code: record,
    show: ({ parts: { id = '' } }) => record.show(({ GroupScreen }) => <GroupScreen id={id} />),
  },
  { pattern: '/map', kind: 'map', place: 'map', code: map, show: () => map.show(({ MapScreen }) => <MapScreen />) },
  ...pages.map(
    ([type, name]): Screen => ({
      pattern: `/${type}/:id`,
      ...detail,
      show: ({ parts: { id = '' } }) => record.show(({ [name]: RecordScreen }) => <RecordScreen id={id} />),
    }),
  ),
  { pattern: '/add', kind: 'over', place: null, code: entry, show: showEntry },
  ...entries.map((name): Screen => ({ pattern: `/add/${name}`, ...alone, code: entry, show: showEntry })),
  { pattern: '/add/animals/:what', ...alone, code: entry, show: showEntry },
  ...forms.map((pattern): Screen => ({ pattern, ...alone, code: form, show: showForm })),
  ...['/draw', '/draw/:id/:what'].map(
    (pattern): Screen => ({ pattern, ...alone, place: 'map', code: draw, show: showDraw }),
  ),
  ...routedScreens(bringing, '/import', '/export', '/trash'),
  ...routedScreens(people, '/people', '/people/:id', '/applications', '/events'),
  ...routedScreens(setup, '/setup', '/setup/:step'),
  ...routedScreens(settings, '/settings'),
  ...routedScreens(moving, '/moving'),
  // Reports have panes of their own.
  ...routedScreens(reports, '/reports', '/reports/:name').map((screen): Screen => ({ ...screen, kind: 'map' })),
  ...routedScreens(device, '/outbox', '/log-out', '/more'),
]

/** Chunks to prefetch, the likeliest first. The map is large and is loaded on demand. */
const likelyNext = [record, entry, records, form, device] as const

export interface ScreenMatch {
  readonly screen: Screen
  readonly parts: Readonly<Record<string, string>>
}

export function screenAt(path: string): ScreenMatch | null {
  for (const screen of screens) {
    const parts = match(screen.pattern, path)
    if (parts !== null) return { screen, parts }
  }
  return null
}

type Sheet = 'later' | 'owner'

/** Loads a chunk with the style sheet of forms, entries and outbox. */
async function withSheet<Part>(part: Promise<Part>): Promise<Part> {
  await sheetThere('later')
  return part
}

/** Loads a chunk of owner pages with their style sheet and texts. */
async function ofOwner<Part>(part: Promise<Part>): Promise<Part> {
  await Promise.all([sheetThere('later'), sheetThere('owner'), loadOwnerWords()])
  return part
}

function sheetThere(sheet: Sheet): Promise<void> {
  const known = coming.get(sheet)
  if (known !== undefined) return known
  const fetched = fetchSheet(sheet)
  coming.set(sheet, fetched)
  return fetched
}

async function fetchSheet(sheet: Sheet): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = document.querySelector<HTMLMetaElement>(`meta[name=${sheet}-sheet]`)?.content ?? ''
  const loaded = new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = reject
  })
  document.head.append(link)
  try {
    await loaded
  } catch (fault) {
    link.remove()
    coming.delete(sheet)
    throw fault
  }
}

/** Prefetches likely chunks in idle time after the first screen, so that a tap shows at once. */
export async function prefetchScreens(): Promise<void> {
  const [first] = likelyNext
  // On a desk a detail is beside the list at once.
  if (wide.peek()) await first.fetch()
  await untilSettled()
  for (const part of likelyNext) {
    await untilIdle()
    await part.fetch()
  }
}

const patience = 2_000

function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: patience })
    else setTimeout(resolve, patience)
  })
}
