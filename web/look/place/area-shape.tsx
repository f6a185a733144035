import type { JSX } from 'preact'
import type { LocalRecord } from '../../store/record.ts'
import { type DrawnKind, kindOf } from './area-kind.ts'
import { hatches } from './hatches.tsx'
import { extentOf, onMap } from './mercator.ts'
import { shapesOf } from './shapes.ts'

const box = 34
const edge = 2
const tuft = 'M15.5 20l-2-4M17 20v-6M18.5 20l2-4'
const square = '6,9 26,6 28,25 8,28'

/** Outline of an area for list margins; a symbol of its type if it has no geometry. */
export function AreaShape({ area }: { readonly area: LocalRecord }): JSX.Element {
  const kind = kindOf(area)
  const { areas, lines } = shapesOf(area)
  if (areas.length > 0) return <Outline kind={kind} rings={fitted(areas.map(([outer = []]) => outer))} />
  if (lines.length > 0) return <Lines kind={kind} paths={fitted(lines)} />
  return <KindKey kind={kind} />
}

/** Symbol of an area type. */
export function KindKey({ kind }: { readonly kind: DrawnKind }): JSX.Element {
  if (kind !== 'landmark') return <Outline kind={kind} rings={[square]} />
  return (
    <svg class="shape" viewBox={`0 0 ${box} ${box}`} aria-hidden="true">
      <path class="a a-landmark" d="M17 7l10 18H7z" />
    </svg>
  )
}

interface OutlineProps {
  readonly kind: DrawnKind
  /** `points` of polygons. */
  readonly rings: readonly string[]
}

function Outline({ kind, rings }: OutlineProps): JSX.Element {
  return (
    <svg class="shape" viewBox={`0 0 ${box} ${box}`} aria-hidden="true">
      {rings.map((points) => (
        <polygon key={points} class={`a a-${kind}`} points={points} />
      ))}
      {kind === 'paddock' && <path class="pt pt-paddock tuft" d={tuft} />}
      {kind !== 'paddock' &&
        hatches[kind] &&
        rings.map((points) => <polygon key={points} fill={`url(#hatch-${kind})`} points={points} />)}
    </svg>
  )
}

function Lines({ kind, paths }: { readonly kind: DrawnKind; readonly paths: readonly string[] }): JSX.Element {
  return (
    <svg class="shape" viewBox={`0 0 ${box} ${box}`} aria-hidden="true">
      {paths.map((points) => (
        <polyline key={points} class={`a a-${kind} open-line`} points={points} />
      ))}
    </svg>
  )
}

/** Scales paths into the box, centred; returns `points`. */
function fitted(paths: readonly (readonly number[])[]): readonly string[] {
  const onIt = paths.map(onMap)
  const [west, south, east, north] = extentOf(onIt) ?? [0, 0, 1, 1]
  const scale = (box - 2 * edge) / Math.max(east - west, north - south, 1)
  const [left, top] = [(box - (east - west) * scale) / 2, (box - (north - south) * scale) / 2]
  return onIt.map((path) =>
    path
      .map((at, index) => (index % 2 === 0 ? left + (at - west) * scale : top + (north - at) * scale))
      .map((at) => at.toFixed(1))
      .join(' '),
  )
}
