import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { newUuid } from '../../../src/client/changes.ts'
import { referenceTo } from '../../forms/reference.tsx'
import { wholeIn } from '../../forms/typed-number.ts'
import { Icon } from '../../look/icon.tsx'
import { Loading } from '../../look/page.tsx'
import { surfaceText, usesAcres } from '../../look/place/area-size.ts'
import { arriving, replace } from '../../look/router.ts'
import { noteChoice, recentChoices } from '../../store/recent-choices.ts'
import type { LocalRecord } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { bedNames } from './area-names.ts'
import { type BedPlan, bedsIn, longestFor, mostBeds, roomFor } from './beds.ts'
import { Figures } from './corner-panels.tsx'
import { DrawPage, useSketch, useSurface } from './draw-page.tsx'
import { type Corner, sizeOf } from './geometry.ts'
import { metresTyped, NumberField, typedMetres, withUnit } from './lengths.tsx'
import { areaNames, newArea, saveAreas } from './save-areas.ts'
import { type DrawingDraft, useDraft } from './use-draft.tsx'

interface MakeBedsProps {
  readonly area: LocalRecord
  readonly corners: readonly Corner[]
}

/** Typed values; missing ones are derived from the area. */
interface State {
  readonly count: string | null
  readonly length: string | null
  readonly width: string
  readonly path: string
}

const usualBeds = 20

const draftOf = ({ uuid }: LocalRecord): string => `draw beds ${uuid}`

function begin(): State {
  const [width, path] = (recentChoices('bed-sizes')[0] ?? (usesAcres() ? '2.5 1.5' : '0.75 0.45')).split(' ')
  return { count: null, length: null, width: width ?? '', path: path ?? '' }
}

/** Beds of one size, side by side in an area. */
export function MakeBeds(props: MakeBedsProps): JSX.Element {
  const stored = useDraft<State>(draftOf(props.area), begin)
  return stored === null ? <Loading /> : <BedPlanner {...props} stored={stored} />
}

function BedPlanner({ area, corners, stored }: MakeBedsProps & { readonly stored: DrawingDraft<State> }): JSX.Element {
  const { state, change } = stored
  const [fault, setFault] = useState<string | undefined>(undefined)
  const surface = useSurface({ begin: corners, onTap: () => {} })
  const { count, length, room, plan } = planned(state, corners)
  const { beds, outside } = plan === undefined ? { beds: [], outside: 0 } : bedsIn(corners, plan)
  const names = bedNames(area.name, beds.length, areaNames())
  useSketch(surface, { corners, isRing: true, aim: null, beds })
  const type = (part: Partial<State>) => change(() => part)
  const make = async (event: Event) => {
    event.preventDefault()
    if (beds.length === 0) return
    const parent = [referenceTo(area)]
    const saved = await saveAreas({
      changes: beds.map((bed, at) =>
        newArea(newUuid(), bed, { name: names[at] ?? '', type: 'bed', parent, form: 'area' }),
      ),
      draft: draftOf(area),
      words: say('draw.beds-made', { count: beds.length, name: area.name }),
      onFault: setFault,
    })
    if (saved === undefined) return
    void noteChoice('bed-sizes', `${state.width} ${state.path}`)
    arriving.value = true
    replace(`/map?area=${area.id}`)
  }
  return (
    <DrawPage title={say('draw.beds-in', { name: area.name })} surface={surface}>
      <form class="draw-form" onSubmit={make}>
        <Figures
          main={surfaceText(beds.reduce((sum, bed) => sum + sizeOf(bed), 0))}
          second={say('draw.beds-room', { count: room })}
        />
        <div class="draw-numbers four">
          <NumberField
            label={say('draw.beds-count')}
            value={count}
            mode="numeric"
            onText={(text) => type({ count: text })}
          />
          <NumberField label={withUnit(say('draw.length'))} value={length} onText={(text) => type({ length: text })} />
          <NumberField
            label={withUnit(say('draw.width'))}
            value={state.width}
            onText={(text) => type({ width: text })}
          />
          <NumberField
            label={withUnit(say('draw.beds-path'))}
            value={state.path}
            onText={(text) => type({ path: text })}
          />
        </div>
        <BedNotes
          fault={fault ?? (plan === undefined ? say('draw.beds-wrong', { most: mostBeds }) : undefined)}
          names={names}
          outside={outside === 0 ? undefined : say('draw.beds-outside', { count: outside, name: area.name })}
        />
        <button type="submit" class="btn main-do fill" disabled={beds.length === 0}>
          <Icon name="check" />
          {say('draw.beds-make', { count: beds.length })}
        </button>
      </form>
    </DrawPage>
  )
}

interface BedNotesProps {
  readonly fault: string | undefined
  readonly names: readonly string[]
  readonly outside: string | undefined
}

function BedNotes({ fault, names, outside }: BedNotesProps): JSX.Element {
  if (fault !== undefined)
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    )
  return (
    <p class="soft" role="status">
      {names.length === 1 ? names[0] : say('draw.beds-names', { first: names[0] ?? '', last: names.at(-1) ?? '' })}
      {outside !== undefined && <b class="fault">{outside}</b>}
    </p>
  )
}

interface BedLayout {
  readonly count: string
  readonly length: string
  readonly room: number
  /** Undefined while a value is missing or not a number. */
  readonly plan: BedPlan | undefined
}

function planned({ count: typedCount, length: typedLength, ...typed }: State, corners: readonly Corner[]): BedLayout {
  const [width, path] = [metresTyped(typed.width), Number(typed.path) === 0 ? 0 : metresTyped(typed.path)]
  if (width === undefined || path === undefined)
    return { count: typedCount ?? '', length: typedLength ?? '', room: 0, plan: undefined }
  const room = roomFor(corners, { width, path })
  const count = typedCount ?? String(Math.min(usualBeds, room))
  const number = Number(wholeIn(count) ?? 0)
  if (number < 1 || number > mostBeds) return { count, length: typedLength ?? '', room, plan: undefined }
  const length = typedLength ?? typedMetres(longestFor(corners, { count: number, width, path }))
  const metres = metresTyped(length)
  return {
    count,
    length,
    room,
    plan: metres === undefined ? undefined : { count: number, length: metres, width, path },
  }
}
