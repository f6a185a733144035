import type { Fact } from './fact.ts'
import { some } from './kinds.ts'
import { newerSent, newerShown, olderSent, olderShown, type Thing } from './thing.ts'
import type { World } from './world.ts'

/** Parents may be assets and areas; the record interface shows those of the record's own family. */
interface State {
  readonly assets: readonly Thing[]
  readonly areas: readonly Thing[]
}

const nobody: State = { assets: [], areas: [] }

const newer: Fact<State>['newer'] = {
  say: ({ draw, world }) => {
    const after = { assets: some(draw, world.movers), areas: some(draw, world.areas) }
    return { sent: { relationships: { parent: [...after.assets, ...after.areas].map(newerSent) } }, after }
  },
  show: ({ assets, areas }) => ({ relationships: { parent: [...assets, ...areas].map(newerShown) } }),
}

const shownAs = (own: keyof State, all: (world: World) => readonly Thing[]): NonNullable<Fact<State>['older']> => ({
  say: ({ draw, world, before }) => {
    const parents = some(draw, all(world))
    return { sent: { parent: parents.map(olderSent) }, after: { ...before, [own]: parents } }
  },
  show: (state, { base }) => ({ parent: state[own].map(olderShown(base)) }),
})

const parentsOfAsset: Fact<State> = {
  name: 'parent',
  keptIn: ['parent', 'parent_area'],
  initial: () => nobody,
  older: shownAs('assets', ({ movers }) => movers),
  newer,
}

const { older: _, ...hidden } = parentsOfAsset

export { parentsOfAsset }
export const hiddenParents: Fact<State> = hidden

export const parentsOfArea: Fact<State> = {
  name: 'parent',
  keptIn: ['parent', 'parent_asset'],
  initial: () => nobody,
  older: shownAs('areas', ({ areas }) => areas),
  newer,
}
