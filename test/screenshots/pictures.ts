/** One picture: which screen of which farm, how it is looked at, and in which state. */
export interface Picture {
  readonly screen: string
  readonly farm: Farm
  readonly state: State
  readonly width: number
  readonly theme: Theme
}

export const farms = ['demo', 'empty', 'areas-5000'] as const
const states = ['online', 'offline', 'loading', 'viewer', 'no-role', 'logged-out', 'large-text'] as const
const themes = ['light', 'dark', 'sun'] as const

export type Farm = (typeof farms)[number]
export type State = (typeof states)[number]
type Theme = (typeof themes)[number]

/** What somebody asked for by options. */
interface Wanted {
  readonly screen?: readonly string[]
  readonly farm?: readonly Farm[]
  readonly state?: readonly State[]
  readonly width?: readonly string[]
  readonly theme?: readonly Theme[]
}

const usual = { farm: 'demo', state: 'online', width: 360, theme: 'light' } as const

/** What is worth looking at: everything as it usually is, and of the rest what looks otherwise. */
function worthwhile(screens: readonly string[]): Picture[] {
  const all = (some: readonly string[], how: Partial<Omit<Picture, 'screen'>>): Picture[] =>
    some.map((screen) => ({ screen, ...usual, ...how }))
  const onEmpty = { 360: ['today', 'logs', 'areas', 'map', 'tree', 'first-steps'], 1280: ['today', 'areas', 'map'] }
  const onLarge = { 360: ['areas', 'map', 'tree'], 1280: ['map'] }
  const main = ['today', 'logs', 'animal', 'area']
  const colourful = [...main, 'map', 'move-paddock', 'harvest', 'move-done', 'outbox-waiting', 'outbox-conflict']
  const alikeOnDesk = [
    'assets',
    'log',
    'group',
    'more',
    'outbox',
    'import',
    'person',
    'invite',
    'applications',
    'events',
    'first-steps',
    'what-do-you-keep',
    'where-is-it',
    'phone',
    'settings',
    'moving',
    'search',
    'terms',
    'term',
    'plan',
    'planting',
    'tree',
    'map-rest',
    'nowhere',
    'trash',
    'export',
    'report-history',
    'move-herd',
    'weigh',
    'observe',
    'form',
    'edit',
    'draw-name',
    'beds',
    'outbox-removed',
  ]
  return [
    ...all(screens, {}),
    ...(['dark', 'sun'] as const).flatMap((theme) => all(colourful, { theme })),
    ...all(
      screens.filter((screen) => !alikeOnDesk.includes(screen)),
      { width: 1280 },
    ),
    ...([360, 1280] as const).flatMap((width) => [
      ...all(onEmpty[width], { farm: 'empty', width }),
      ...all(onLarge[width], { farm: 'areas-5000', width }),
    ]),
    ...all([...main, 'map'], { state: 'offline' }),
    ...all(['today', 'map'], { state: 'loading' }),
    ...all(['today', 'animal'], { state: 'viewer' }),
    ...all(['today'], { state: 'no-role' }),
    ...all(['today'], { state: 'logged-out' }),
    ...all(main, { state: 'large-text' }),
    ...all(['today', 'area'], { width: 320 }),
  ]
}

export function picturesOf(wanted: Wanted, screens: readonly string[]): Picture[] {
  if (Object.keys(wanted).length === 0) return worthwhile(screens)
  const { screen = screens, farm = [usual.farm], state = [usual.state], theme = [usual.theme] } = wanted
  const widths = (wanted.width ?? [usual.width]).map(Number)
  return farm.flatMap((farm) =>
    state.flatMap((state) =>
      widths.flatMap((width) =>
        theme.flatMap((theme) => screen.map((screen) => ({ screen, farm, state, width, theme }))),
      ),
    ),
  )
}

export const nameOf = ({ screen, farm, state, width, theme }: Picture): string =>
  [screen, width, theme, ...(farm === usual.farm ? [] : [farm]), ...(state === usual.state ? [] : [state])].join('-')
