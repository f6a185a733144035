import type { JSX } from 'preact'
import { draw } from '../../../src/words/en/draw.ts'
import { form } from '../../../src/words/en/form.ts'
import { map } from '../../../src/words/en/map.ts'
import { lastShown } from '../../look/desk.ts'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Mark } from '../../look/mark.tsx'
import { dotted } from '../../look/names.ts'
import { Empty, Title, useUp } from '../../look/page.tsx'
import { mayHaveBeds, typeLabel } from '../../look/place/area-kind.ts'
import { sizeText } from '../../look/place/area-size.ts'
import { shapesOf, wktOf } from '../../look/place/shapes.ts'
import { go, match, route } from '../../look/router.ts'
import { isOffered, takeBack } from '../../look/undo.tsx'
import { generation, mayWrite, termBy } from '../../store/local-copy.ts'
import { idsIn, type LocalRecord } from '../../store/record.ts'
import { addWords, say } from '../../words/say.ts'
import { DrawPage, useSketch, useSurface } from './draw-page.tsx'
import { EditShape } from './edit-shape.tsx'
import { type Corner, cornersOf, shapeIn } from './geometry.ts'
import { MakeBeds } from './make-beds.tsx'
import { NewArea } from './new-area.tsx'
import { SplitArea } from './split-area.tsx'

addWords(draw, form, map)

/** `/draw` draws a new area; `/draw/12/shape`, `/draw/12/beds` and `/draw/12/split` edit area 12. */
export function DrawScreen(): JSX.Element {
  const { path, query } = route.value
  // An unsent area gets its number when it is sent.
  generation.value
  if (!mayWrite()) return <Nothing text={say('draw.ask')} />
  const named = match('/draw/:id/:what', path)
  const id = named?.id ?? query.get('saved')
  if (id === null || id === undefined) return <NewArea key="new" />
  const area = termBy(id)
  if (area === undefined) return <Nothing text={say(named === null ? 'draw.gone' : 'draw.unknown')} />
  if (named === null) return <SavedArea key={area.uuid} area={area} />
  return <OnArea key={`${area.uuid} ${named.what}`} area={area} what={named.what ?? ''} />
}

interface OnAreaProps {
  readonly area: LocalRecord
  readonly what: string
}

function OnArea({ area, what }: OnAreaProps): JSX.Element {
  const wkts = wktOf(area)
  const shape = shapeIn(wkts)
  if (shape === undefined && wkts.length > 0)
    return <Nothing text={say('draw.not-simple')} to={`/area/${area.id}/edit`} words={say('draw.to-form')} />
  if (what === 'shape') return <EditShape area={area} shape={shape} around={cornersAround(area)} />
  if (shape?.form !== 'area')
    return (
      <Nothing
        text={say('draw.not-ring', { name: area.name })}
        to={`/draw/${area.id}/shape`}
        words={say('draw.to-shape')}
      />
    )
  const Doing = what === 'split' ? SplitArea : MakeBeds
  return <Doing area={area} corners={shape.corners} />
}

/** Corners of the parent area. */
function cornersAround({ fields }: LocalRecord): readonly Corner[] {
  const parents = idsIn(fields.parent).flatMap((id) => termBy(id) ?? [])
  return parents.flatMap((parent) => shapesOf(parent).areas.flatMap(([outer = []]) => cornersOf(outer)))
}

interface NothingProps {
  readonly text: string
  readonly to?: string
  readonly words?: string
}

function Nothing({ text, to = '/map', words = say('draw.to-map') }: NothingProps): JSX.Element {
  useUp({ to: lastShown.value, label: say('shell.map'), icon: 'close' })
  return (
    <>
      <Title text={text} class="out" />
      <Empty text={text}>
        <Link to={to} class="btn tall">
          {words}
        </Link>
      </Empty>
    </>
  )
}

/** The saved area, and next steps. */
export function SavedArea({ area }: { readonly area: LocalRecord }): JSX.Element {
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
        {isRing && mayHaveBeds(area) && (
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
        <Link to={lastShown.value} class="btn">
          <Icon name="check" />
          {say('draw.ready')}
        </Link>
      </div>
    </DrawPage>
  )
}

async function undo(): Promise<void> {
  await takeBack()
  go('/map')
}
