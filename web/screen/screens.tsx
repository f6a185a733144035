import type { JSX } from 'preact'
import type { Place } from '../look/bar.tsx'
import { match } from '../look/router.ts'
import { type Later, later } from './later.tsx'
import { withSheet } from './later-sheet.ts'
import { TodayScreen } from './today.tsx'

interface Asked {
  /** What the pattern names: `id` of "/log/:id". */
  readonly parts: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

interface Screen {
  readonly pattern: string
  /**
   * A list has a detail beside it on a desk; a detail stands beside the list that led to it; a page and a map stand alone; an entry
   * too, on a phone without the bar; what is over lies over the screen that was shown before.
   */
  readonly kind: 'list' | 'detail' | 'page' | 'map' | 'entry' | 'over'
  readonly place: Place | null
  /** What has to be there to show it, besides what the app opens with. */
  readonly code?: Pick<Later<unknown>, 'fetch'>
  readonly show: (asked: Asked) => JSX.Element
}

const records = later(() => import('./records.tsx'))
const record = later(() => import('./record.tsx'))
const map = later(() => import('../map/map-screen.tsx'))
export const device = later(async () => (await withSheet(import('./device.ts'))).deviceScreens)
const bringing = later(async () => (await withSheet(import('./import.ts'))).importScreens)

const people = later(async () => (await withSheet(import('./people.ts'), 'owner')).peopleScreens)
const setup = later(() => withSheet(import('./setup/setup.tsx'), 'owner'))
const settings = later(() => withSheet(import('./settings/settings.tsx'), 'owner'))
const reports = later(() => withSheet(import('./reports.tsx'), 'owner'))

const list = { kind: 'list' } as const
const detail = { kind: 'detail', place: null, code: record } as const
const alone = { kind: 'entry', place: null } as const
const page = { kind: 'page', place: 'more', code: device } as const
const ofPeople = { ...page, code: people } as const

/** Has panes of its own. */
const own = { kind: 'map', place: 'more', code: reports } as const
const showReports = () => reports.show(({ Reports }) => <Reports />)

const entry = later(() => withSheet(import('../entry/entry-screen.tsx')))
const entries = ['move', 'harvest', 'observe', 'weigh', 'treat', 'seed', 'transplant', 'input', 'maintain', 'done']
const showEntry = () => entry.show(({ EntryScreen }) => <EntryScreen />)

const form = later(() => withSheet(import('./form/form-screen.tsx')))
const forms = [
  '/log/:id/edit',
  '/asset/:id/edit',
  '/area/:id/edit',
  '/term/:id/edit',
  '/add/:bundle',
  '/add/:type/:bundle',
]
const showForm = () => form.show(({ FormScreen }) => <FormScreen />)

const draw = later(() => withSheet(import('../map/draw/draw-screen.tsx')))
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
  {
    pattern: '/log/:id',
    ...detail,
    show: ({ parts: { id = '' } }) => record.show(({ LogScreen }) => <LogScreen id={id} />),
  },
  {
    pattern: '/asset/:id',
    ...detail,
    show: ({ parts: { id = '' } }) => record.show(({ AssetScreen }) => <AssetScreen id={id} />),
  },
  {
    pattern: '/area/:id',
    ...detail,
    show: ({ parts: { id = '' } }) => record.show(({ TermScreen }) => <TermScreen id={id} />),
  },
  {
    pattern: '/term/:id',
    ...detail,
    show: ({ parts: { id = '' } }) => record.show(({ TermScreen }) => <TermScreen id={id} />),
  },
  { pattern: '/add', kind: 'over', place: null, code: entry, show: showEntry },
  ...entries.map((name): Screen => ({ pattern: `/add/${name}`, ...alone, code: entry, show: showEntry })),
  ...forms.map((pattern): Screen => ({ pattern, ...alone, code: form, show: showForm })),
  ...['/draw', '/draw/:id/:what'].map(
    (pattern): Screen => ({ pattern, ...alone, place: 'map', code: draw, show: showDraw }),
  ),
  { pattern: '/trash', ...page, code: record, show: () => record.show(({ TrashScreen }) => <TrashScreen />) },
  {
    pattern: '/import',
    ...page,
    code: bringing,
    show: () => bringing.show(({ ImportScreen }) => <ImportScreen />),
  },
  {
    pattern: '/export',
    ...page,
    code: bringing,
    show: () => bringing.show(({ ExportScreen }) => <ExportScreen />),
  },
  { pattern: '/people', ...ofPeople, show: () => people.show(({ PeopleScreen }) => <PeopleScreen />) },
  { pattern: '/people/invite', ...ofPeople, show: () => people.show(({ InviteScreen }) => <InviteScreen />) },
  {
    pattern: '/people/:id',
    ...ofPeople,
    show: ({ parts: { id = '' } }) => people.show(({ PersonScreen }) => <PersonScreen id={id} />),
  },
  { pattern: '/events', ...ofPeople, show: () => people.show(({ EventsScreen }) => <EventsScreen />) },
  ...['/setup', '/setup/:step'].map(
    (pattern): Screen => ({
      pattern,
      ...page,
      code: setup,
      show: ({ parts }) => setup.show(({ Setup }) => <Setup step={parts.step ?? ''} />),
    }),
  ),
  { pattern: '/settings', ...page, code: settings, show: () => settings.show(({ Settings }) => <Settings />) },
  ...['/reports', '/reports/:name'].map((pattern): Screen => ({ pattern, ...own, show: showReports })),
  { pattern: '/outbox', ...page, show: () => device.show(({ OutboxScreen }) => <OutboxScreen />) },
  { pattern: '/log-out', ...page, show: () => device.show(({ LogOutScreen }) => <LogOutScreen />) },
  { pattern: '/more', ...page, show: () => device.show(({ MoreScreen }) => <MoreScreen />) },
]

/** What is likely to be shown next, the likeliest first. The map is large, and waits until somebody asks for it. */
export const shownSoon = [record, entry, records, form, device] as const

export interface Found {
  readonly screen: Screen
  readonly parts: Readonly<Record<string, string>>
}

/** The screen that an address means, if there is one. */
export function screenAt(path: string): Found | null {
  for (const screen of screens) {
    const parts = match(screen.pattern, path)
    if (parts !== null) return { screen, parts }
  }
  return null
}
