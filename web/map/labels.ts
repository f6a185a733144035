import { hasLabel, pixelsOf } from './detail.ts'
import type { Sited } from './draw-areas.ts'

/** What is written on an area: its name where it is large enough, and where animals are their number in any case. */
export interface Label {
  readonly sited: Sited
  readonly isNamed: boolean
  readonly hasAnimals: boolean
}

interface Labelling {
  readonly chosen: string | undefined
  readonly resolution: number
  readonly hasAnimals: (id: string) => boolean
}

const mostLabels = 300

/** In the order of what matters: the chosen area, then where animals are, then the largest. */
export function labelsIn(seen: readonly Sited[], { chosen, resolution, hasAnimals }: Labelling): readonly Label[] {
  return seen
    .map((sited) => ({
      sited,
      isNamed: sited.area.id === chosen || (hasLabel(sited.area, resolution) && !isFrame(sited)),
      hasAnimals: hasAnimals(sited.area.id),
      pixels: pixelsOf(sited.area, resolution),
    }))
    .filter(({ isNamed, hasAnimals }) => isNamed || hasAnimals)
    .sort((one, other) => rankOf(one) - rankOf(other) || other.pixels - one.pixels)
    .slice(0, mostLabels)

  /** An area that holds others comes after them: what finds no room there is counted with it. */
  function rankOf({ sited, hasAnimals }: Label): number {
    if (sited.area.id === chosen) return 0
    if (!hasAnimals) return 3
    return sited.holds === 'areas' ? 2 : 1
  }
}

/** A property frames the farm: its name would lie on everything. */
const isFrame = ({ area, holds }: Sited): boolean => area.kind === 'property' && holds === 'areas'
