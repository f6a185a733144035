import type { JSX } from 'preact'
import { Link } from '../../look/link.tsx'
import { shapesOf, wktOf } from '../../look/place/shapes.ts'
import { mayWrite } from '../../store/rights.ts'
import { isArchived } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import { say } from './say.ts'

/** What may be drawn of an area, for who may. */
export function ShapeWays({ area }: { readonly area: KeptRecord }): JSX.Element | null {
  if (!mayWrite() || isArchived(area)) return null
  const isDrawn = wktOf(area).length > 0
  const ways = shapesOf(area).areas.length > 0 ? (['shape', 'beds', 'split'] as const) : (['shape'] as const)
  return (
    <nav class="options" aria-label={say('area.drawing')}>
      {ways.map((way) => (
        <Link key={way} to={`/draw/${area.id}/${way}`} class="chip">
          {say(isDrawn ? `area.draw.${way}` : 'area.draw.first')}
        </Link>
      ))}
    </nav>
  )
}
