import type { JSX } from 'preact'
import { Link } from '../look/link.tsx'
import { PlaceMap } from '../look/place/place-map.tsx'
import { withQuery } from '../look/router.ts'
import type { KeptRecord } from '../store/types.ts'
import { now } from '../words/format.ts'
import { allWhoMove, headsIn, whereIs } from './herds.ts'
import { composed, listed } from './names.ts'
import { saveMove } from './save-move.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'
import { isPlan, TimeChips } from './timing.tsx'

interface MoveConfirmProps {
  readonly assets: readonly KeptRecord[]
  readonly areas: readonly KeptRecord[]
}

/** An address that says both: opening it moves nobody, a tap does. */
export function MoveConfirm({ assets, areas }: MoveConfirmProps): JSX.Element {
  const [who, place] = [listed(assets.map(({ name }) => name)), listed(areas.map(({ name }) => name))]
  const [from] = assets.flatMap((asset) => whereIs(asset, now()) ?? [])
  const heads = headsIn(allWhoMove(assets, now()))
  return (
    <Step
      label={say('entry.move')}
      before={withQuery({ area: null })}
      title={composed.move(who, place)}
      second={heads > 1 ? say('entry.several', { count: heads }) : undefined}
      foot={
        <>
          <TimeChips />
          <button type="button" class="btn main-do fill" onClick={() => saveMove(assets, areas)}>
            {say(isPlan() ? 'entry.move.confirm-plan' : 'entry.move.confirm', { place })}
          </button>
        </>
      }
    >
      {areas[0] && <PlaceMap area={areas[0]} from={from?.area} />}
      <p class="words">
        <Link to={withQuery({ asset: null })} class="btn plain">
          {say('entry.change')}
        </Link>
      </p>
    </Step>
  )
}
