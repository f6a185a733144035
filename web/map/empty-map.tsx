import type { JSX } from 'preact'
import { Empty } from '../look/empty.tsx'
import { Title } from '../look/title.tsx'
import { me } from '../store/copy.ts'
import { say } from './say.ts'

const outline = '30,84 200,52 334,110 338,380 286,520 60,540 22,330'
const columns = [20, 100, 180, 260, 340]
const rows = [34, 114, 194, 274, 354, 434, 514, 594]

/** A farm without areas: an empty sheet of squared paper, and how the first ones come onto it. */
export function EmptyMap(): JSX.Element {
  const mayWrite = me.value?.rights.includes('write-records') ?? false
  return (
    <div class="map-page empty-map">
      <Title text={say('map.title')} class="out" />
      <svg class="squared" viewBox="0 0 360 628" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path class="grid" d={[...columns.map((x) => `M${x} 0V628`), ...rows.map((y) => `M0 ${y}H360`)].join('')} />
        <polygon class="a a-property" points={outline} />
      </svg>
      <Empty text={say('map.empty')}>
        {mayWrite && (
          <>
            <small>{say('map.empty-how')}</small>
            <code>{say('map.empty-command')}</code>
            <a class="btn tall" href="/docs/maps">
              {say('map.empty-docs')}
            </a>
          </>
        )}
      </Empty>
    </div>
  )
}
