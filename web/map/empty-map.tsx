import type { JSX } from 'preact'
import { Empty } from '../look/empty.tsx'
import { Link } from '../look/link.tsx'
import { Title } from '../look/title.tsx'
import { firstStepsWait } from '../store/first-steps.ts'
import { mayWrite } from '../store/rights.ts'
import { useHalfDrawn } from './draft.ts'
import { NewAreaLink } from './new-area-link.tsx'
import { say } from './say.ts'
import { WhereIsFarm } from './where-is-farm.tsx'

const outline = '30,84 200,52 334,110 338,380 286,520 60,540 22,330'
const columns = [20, 100, 180, 260, 340]
const rows = [34, 114, 194, 274, 354, 434, 514, 594]

/** A farm without areas: an empty sheet of squared paper, and how the first ones come onto it. */
export function EmptyMap(): JSX.Element {
  return (
    <div class="map-page empty-map">
      <Title text={say('map.title')} class="out" />
      <svg class="squared" viewBox="0 0 360 628" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path class="grid" d={[...columns.map((x) => `M${x} 0V628`), ...rows.map((y) => `M0 ${y}H360`)].join('')} />
        <polygon class="a a-property" points={outline} />
      </svg>
      <Empty text={say('map.empty')}>{mayWrite() && <FirstOnes />}</Empty>
    </div>
  )
}

function FirstOnes(): JSX.Element {
  return (
    <>
      {useHalfDrawn() && <NewAreaLink />}
      {firstStepsWait() && (
        <Link to="/setup" class="btn main-do">
          {say('today.first-steps')}
        </Link>
      )}
      <WhereIsFarm />
      <small>{say('map.empty-how')}</small>
      <div class="options">
        <Link to="/import" class="btn">
          {say('map.empty-import')}
        </Link>
        <a class="btn plain" href="/docs/maps">
          {say('map.empty-docs')}
        </a>
      </div>
    </>
  )
}
