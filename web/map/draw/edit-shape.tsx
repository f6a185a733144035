import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { Loading } from '../../look/page.tsx'
import { arriving, replace } from '../../look/router.ts'
import type { LocalRecord } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { AddPanel, ChosenPanel, Figures, Hint, keysOf, UndoStep, wholeFigures } from './corner-panels.tsx'
import { DrawPage, useSketch, useSurface } from './draw-page.tsx'
import { type DrawingState, drawingOf } from './drawing.ts'
import { type Corner, type DrawnShape, formOf } from './geometry.ts'
import { reshapedArea, saveAreas, shapeFault } from './save-areas.ts'
import { useCorners } from './use-corners.ts'
import { DraftNotice, type DrawingDraft, useDraft } from './use-draft.tsx'

interface EditShapeProps {
  readonly area: LocalRecord
  /** Undefined if the area has no geometry yet. */
  readonly shape: DrawnShape | undefined
  /** Initial view if the area has no geometry. */
  readonly around: readonly Corner[]
}

interface State {
  readonly drawing: DrawingState
}

const draftOf = ({ uuid }: LocalRecord): string => `draw shape ${uuid}`

/** Moves, removes and adds corners of an existing area; or draws its first ones. */
export function EditShape(props: EditShapeProps): JSX.Element {
  const begin = (): State => ({ drawing: drawingOf(props.shape?.corners ?? []) })
  const stored = useDraft<State>(draftOf(props.area), begin)
  return stored === null ? <Loading /> : <ShapeEditor {...props} stored={stored} />
}

function ShapeEditor({
  area,
  shape,
  around,
  stored,
}: EditShapeProps & { readonly stored: DrawingDraft<State> }): JSX.Element {
  const { state, change, since, startAnew } = stored
  const { drawing } = state
  const [fault, setFault] = useState<string | undefined>(undefined)
  const isRing = shape?.form === 'area'
  const surface = useSurface({
    without: area.id,
    begin: drawing.corners.length > 0 ? drawing.corners : around,
    onTap: (tap) => corners.tap(tap),
  })
  const form = shape?.form === 'line' ? 'line' : formOf(drawing.corners)
  const save = async () => {
    const wrong = form === 'area' ? shapeFault(drawing.corners) : undefined
    setFault(wrong)
    if (wrong !== undefined || drawing.corners.length === 0) return
    const saved = await saveAreas({
      changes: [reshapedArea(area, drawing.corners, form)],
      draft: draftOf(area),
      words: say('draw.shape-saved', { name: area.name }),
      onFault: setFault,
    })
    if (saved === undefined) return
    arriving.value = true
    replace(`/map?area=${area.id}`)
  }
  const corners = useCorners({
    surface,
    drawing,
    isRing,
    onChange: (next) => {
      setFault(undefined)
      change(() => ({ drawing: next }))
    },
    onClose: save,
  })
  const isAiming = !isRing || corners.chosen !== null
  useSketch(surface, {
    corners: drawing.corners,
    isRing,
    aim: isAiming ? corners.aim.at : null,
    isSnapped: isAiming && corners.aim.to !== null,
    chosen: corners.chosen,
    hasMiddles: isRing,
  })
  return (
    <DrawPage
      title={say('draw.shape-of', { name: area.name })}
      surface={surface}
      {...(isAiming ? { keys: keysOf(corners) } : {})}
      hasCross={isAiming}
    >
      {since !== null && <DraftNotice at={since} onStartAnew={startAnew} />}
      {corners.chosen !== null ? (
        <ChosenPanel drawing={drawing} corners={corners} />
      ) : isRing ? (
        <>
          <Figures {...wholeFigures(drawing.corners, form)} />
          <Hint corners={corners} drawing={drawing} fault={fault}>
            {say('draw.change-hint')}
          </Hint>
          <button type="button" class="btn main-do fill" onClick={save}>
            <Icon name="check" />
            {say('draw.save-shape')}
          </button>
          <UndoStep drawing={drawing} corners={corners} />
        </>
      ) : (
        <AddPanel
          drawing={drawing}
          corners={corners}
          hint={say(drawing.corners.length === 0 ? 'draw.begin' : 'draw.slide')}
          isLine={shape?.form === 'line'}
          fault={fault}
          onFinish={save}
        />
      )}
    </DrawPage>
  )
}
