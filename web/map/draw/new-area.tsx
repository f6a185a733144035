import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { newUuid } from '../../../src/client/changes.ts'
import { decimalIn } from '../../forms/typed-number.ts'
import { Chip } from '../../look/chip.tsx'
import { Icon } from '../../look/icon.tsx'
import { choiceLabel } from '../../look/names.ts'
import { Loading } from '../../look/page.tsx'
import { type Extent, extentOf } from '../../look/place/mercator.ts'
import { wktOf } from '../../look/place/shapes.ts'
import { arriving, replace, route } from '../../look/router.ts'
import { areas } from '../../store/local-copy.ts'
import { noteChoice, recentChoices } from '../../store/recent-choices.ts'
import { say } from '../../words/say.ts'
import { parseCoordinates } from '../coordinates.ts'
import { newAreaDraft } from '../new-area-link.tsx'
import { nextName } from './area-names.ts'
import { AddPanel, ChosenPanel, Figures, keysOf, wholeFigures } from './corner-panels.tsx'
import { DrawPage, middleOf, useSketch, useSurface } from './draw-page.tsx'
import { type DrawingState, drawingOf, withCorners } from './drawing.ts'
import { type Corner, cornerAt, formOf, mapSpotOf, type RectangleSize, rectangleAt, shapeIn } from './geometry.ts'
import { metresTyped, NumberField, withUnit } from './lengths.tsx'
import { type AreaDetails, NamingPanel } from './naming-panel.tsx'
import { areaAround, areaNames, newArea, saveAreas, shapeFault } from './save-areas.ts'
import { useCorners } from './use-corners.ts'
import { DraftNotice, type DrawingDraft, useDraft } from './use-draft.tsx'
import { useWalk, WalkPanel } from './walk-panel.tsx'

interface State {
  /** UUID of the new area. */
  readonly uuid: string
  readonly way: Way
  readonly drawing: DrawingState
  readonly size: TypedSize
  /** Set after the last corner. */
  readonly naming: AreaDetails | null
}

const begin = (): State => ({
  uuid: newUuid(),
  way: 'map',
  drawing: drawingOf([]),
  size: { length: '', width: '', angle: '0' },
  naming: null,
})

/** Draws a field, paddock or landmark: first corners, then the name. */
export function NewArea(): JSX.Element {
  const stored = useDraft(newAreaDraft, begin)
  return stored === null ? <Loading /> : <AreaDrawing stored={stored} />
}

function AreaDrawing({ stored }: { readonly stored: DrawingDraft<State> }): JSX.Element {
  const { state, change, since, startAnew } = stored
  const { drawing, way, naming, size } = state
  const [fault, setFault] = useState<string | undefined>(undefined)
  const surface = useSurface({ begin: beginning(drawing), onTap: (tap) => way === 'map' && corners.tap(tap) })
  const finish = (finished: DrawingState = drawing) => {
    const wrong = shapeFault(finished.corners)
    setFault(wrong)
    if (wrong === undefined) change(() => ({ drawing: finished, naming: namingOf(finished.corners) }))
  }
  const corners = useCorners({
    surface,
    drawing,
    isRing: naming !== null,
    onChange: (next) => {
      setFault(undefined)
      change(() => ({ drawing: next }))
    },
    onClose: () => finish(),
    onFault: setFault,
  })
  const walk = useWalk(way === 'walk' && naming === null)
  const here = 'fix' in walk && way === 'walk' ? walk.fix : undefined
  useEffect(() => {
    if (here !== undefined && corners.chosen === null) surface.plan.value?.showPlace(mapSpotOf(here.corner))
  }, [here])
  const typed = sizeIn(size)
  const bySize = typed === undefined ? [] : rectangleAt(cornerAt(middleOf(surface)), typed)
  const isBySize = way === 'size' && naming === null && corners.chosen === null
  const isClicked = corners.isClicked && corners.chosen === null
  const isAiming = naming === null && (way !== 'walk' || corners.chosen !== null)
  useEffect(() => {
    if (isBySize && typed !== undefined) surface.plan.value?.zoomTo(extentOf(bySize.map(mapSpotOf)) as Extent)
  }, [isBySize, typed?.length, typed?.width, surface.plan.value])
  useSketch(surface, {
    corners: isBySize ? bySize : drawing.corners,
    isRing:
      isBySize ||
      naming?.form === 'area' ||
      (naming === null && (!isAiming || (isClicked && drawing.corners.length > 2))),
    aim: isAiming && !isBySize && !isClicked ? corners.aim.at : null,
    isSnapped: corners.aim.to !== null,
    chosen: corners.chosen,
    position: here === undefined ? undefined : { at: mapSpotOf(here.corner), accuracy: here.accuracy },
  })
  const save = async () => {
    if (naming === null) return
    const saved = await saveAreas({
      changes: [newArea(state.uuid, drawing.corners, naming)],
      draft: newAreaDraft,
      words: say('draw.saved', { name: naming.name.trim() }),
      shown: 'by-the-page',
      onFault: setFault,
    })
    if (saved === undefined) return
    void noteChoice('area-type', naming.type)
    void noteChoice('area-name', naming.name.trim())
    arriving.value = true
    replace(`/draw?saved=${state.uuid}`)
  }
  return (
    <DrawPage
      title={say('draw.new')}
      surface={surface}
      {...(way === 'map' || corners.chosen !== null ? { keys: keysOf(corners) } : {})}
      hasCross={isAiming}
      chips={naming === null && <Ways way={way} onWay={(chosen) => change(() => ({ way: chosen }))} />}
    >
      {since !== null && naming === null && <DraftNotice at={since} onStartAnew={startAnew} />}
      {naming !== null ? (
        <NamingPanel
          corners={drawing.corners}
          naming={naming}
          forms="chosen"
          onChange={(part) => change((before) => ({ naming: before.naming && { ...before.naming, ...part } }))}
          onSave={save}
          onBack={() => change(() => ({ naming: null }))}
          fault={fault}
        />
      ) : corners.chosen !== null ? (
        <ChosenPanel drawing={drawing} corners={corners} />
      ) : way === 'walk' ? (
        <WalkPanel walk={walk} drawing={drawing} corners={corners} fault={fault} onFinish={() => finish()} />
      ) : way === 'size' ? (
        <SizePanel
          typed={size}
          corners={bySize}
          onType={(part) => change((before) => ({ size: { ...before.size, ...part } }))}
          onPut={() => finish(withCorners(drawing, bySize))}
        />
      ) : (
        <AddPanel
          drawing={drawing}
          corners={corners}
          hint={say(drawing.corners.length === 0 ? 'draw.begin' : 'draw.slide')}
          fault={fault}
          onFinish={() => finish()}
        />
      )}
    </DrawPage>
  )
}

/** Corners drawn so far, else the place in the address, else the farm's position. Without these the view is arbitrary. */
function beginning({ corners }: DrawingState): readonly Corner[] {
  if (corners.length > 0) return corners
  const at = parseCoordinates(route.peek().query.get('at') ?? '')
  if (at !== undefined) return [at]
  const drawn = areas().flatMap((area) => shapeIn(wktOf(area)) ?? (wktOf(area).length > 0 ? [undefined] : []))
  if (drawn.some((shape) => shape?.form !== 'point')) return []
  return drawn[0]?.corners.slice(0, 1) ?? [[0, 0]]
}

const typeOfForm = { point: 'landmark', line: 'other', area: 'field' } as const

/** Suggests type and next name after the last area. */
function namingOf(corners: readonly Corner[]): AreaDetails {
  const form = formOf(corners)
  const [lastType] = form === 'area' ? recentChoices('area-type') : []
  const type = lastType ?? typeOfForm[form]
  const [lastName] = form === 'area' ? recentChoices('area-name') : []
  const name = nextName(lastName ?? `${choiceLabel('area_types', type)} 0`, areaNames())
  return { name, type, form, parent: areaAround(corners) }
}

const ways = ['map', 'walk', 'size'] as const
type Way = (typeof ways)[number]

interface WaysProps {
  readonly way: Way
  readonly onWay: (way: Way) => void
}

/** Ways to set corners: crosshair, walking, or measures. */
function Ways({ way, onWay }: WaysProps): JSX.Element {
  return (
    <fieldset class="options" aria-label={say('draw.ways')}>
      {ways.map((one) => (
        <Chip key={one} pressed={one === way} onPress={() => onWay(one)}>
          {say(`draw.way.${one}`)}
        </Chip>
      ))}
    </fieldset>
  )
}

/** Typed values. */
interface TypedSize {
  readonly length: string
  readonly width: string
  readonly angle: string
}

function sizeIn({ length, width, angle }: TypedSize): RectangleSize | undefined {
  const [long, wide] = [metresTyped(length), metresTyped(width)]
  if (long === undefined || wide === undefined) return undefined
  return { length: long, width: wide, angle: Number(decimalIn(angle) ?? 0) }
}

interface SizePanelProps {
  readonly typed: TypedSize
  readonly corners: readonly Corner[]
  readonly onType: (part: Partial<TypedSize>) => void
  readonly onPut: () => void
}

/** Places a rectangle of a given length and width at the crosshair. */
function SizePanel({ typed, corners, onType, onPut }: SizePanelProps): JSX.Element {
  const put = (event: Event) => {
    event.preventDefault()
    onPut()
  }
  return (
    <form class="draw-form" onSubmit={put}>
      <Figures {...wholeFigures(corners, corners.length > 0 ? 'area' : 'point')} />
      <p class="soft">{say('draw.size-hint')}</p>
      <div class="draw-numbers">
        <NumberField
          label={withUnit(say('draw.length'))}
          value={typed.length}
          onText={(length) => onType({ length })}
        />
        <NumberField label={withUnit(say('draw.width'))} value={typed.width} onText={(width) => onType({ width })} />
        <NumberField label={say('draw.angle')} value={typed.angle} onText={(angle) => onType({ angle })} />
      </div>
      <button type="submit" class="btn main-do fill" disabled={corners.length === 0}>
        <Icon name="check" />
        {say('draw.put')}
      </button>
    </form>
  )
}
