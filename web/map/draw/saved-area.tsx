import type { JSX } from 'preact'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Mark } from '../../look/mark.tsx'
import { dotted } from '../../look/names.ts'
import { sizeText } from '../../look/place/area-size.ts'
import { wktOf } from '../../look/place/shapes.ts'
import { typeLabel } from '../../look/place/type-label.ts'
import { go } from '../../look/router.ts'
import { isOffered, takeBack } from '../../look/undo.tsx'
import type { KeptRecord } from '../../store/types.ts'
import { shapeIn } from './corners.ts'
import { DrawPage } from './draw-page.tsx'
import { say } from './say.ts'
import { useSketch, useSurface } from './use-surface.ts'

/** What was drawn just now, and what may come next. */
export function SavedArea({ area }: { readonly area: KeptRecord }): JSX.Element {
  const shape = shapeIn(wktOf(area))
  const corners = shape?.corners ?? []
  const isRing = shape?.form === 'area'
  const surface = useSurface({ begin: corners, onTap: () => {} })
  useSketch(surface, { corners, isRing, aim: null })
  return (
    <DrawPage title={say('draw.new')} surface={surface}>
      <h2 class="h24">{say('draw.saved', { name: area.name })}</h2>
      <p class="soft num">{dotted([typeLabel(area), sizeText(area)])}</p>
      <p class={area.waiting ? 'banner round pencil' : 'soft'} role="status">
        <Mark kind={area.waiting ? 'waiting' : 'sent'} />{' '}
        <span>{say(area.waiting ? 'draw.saved-waiting' : 'draw.saved-sent')}</span>
      </p>
      <Link to="/draw" class="btn main-do fill">
        <Icon name="plus" />
        {say('draw.next')}
      </Link>
      <div class="two">
        {isRing && (
          <Link to={`/draw/${area.id}/beds`} class="btn">
            {say('draw.beds')}
          </Link>
        )}
        {isOffered(area.uuid) ? (
          <button type="button" class="btn undo" onClick={undo}>
            <Icon name="undo" />
            {say('act.undo')}
            <i />
          </button>
        ) : (
          <Link to={`/area/${area.id}`} class="btn">
            {say('draw.open')}
          </Link>
        )}
      </div>
    </DrawPage>
  )
}

async function undo(): Promise<void> {
  await takeBack()
  go('/map')
}
