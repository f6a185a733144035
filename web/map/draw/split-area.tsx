import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { newUuid } from '../../../src/client/changes.ts'
import { referenceTo } from '../../forms/reference.tsx'
import { Loading } from '../../look/page.tsx'
import { surfaceText } from '../../look/place/area-size.ts'
import { arriving, replace } from '../../look/router.ts'
import { termBy } from '../../store/local-copy.ts'
import { idsIn, type LocalRecord } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { partName } from './area-names.ts'
import { AddPanel, ChosenPanel, keysOf } from './corner-panels.tsx'
import { DrawPage, useSketch, useSurface } from './draw-page.tsx'
import { type DrawingState, drawingOf } from './drawing.ts'
import { type Corner, cornerAt, sizeOf } from './geometry.ts'
import { type AreaDetails, NamingPanel } from './naming-panel.tsx'
import { areaNames, newArea, reshapedArea, saveAreas } from './save-areas.ts'
import { splitBy } from './split.ts'
import { useCorners } from './use-corners.ts'
import { DraftNotice, type DrawingDraft, useDraft } from './use-draft.tsx'

interface SplitAreaProps {
  readonly area: LocalRecord
  readonly corners: readonly Corner[]
}

interface State {
  /** UUID of the new part. */
  readonly uuid: string
  /** The cutting line. */
  readonly drawing: DrawingState
  readonly naming: AreaDetails | null
}

const draftOf = ({ uuid }: LocalRecord): string => `draw split ${uuid}`

/** Splits an area by a line: the smaller part becomes a new area, the rest keeps its record. */
export function SplitArea(props: SplitAreaProps): JSX.Element {
  const begin = (): State => ({ uuid: newUuid(), drawing: drawingOf([]), naming: null })
  const stored = useDraft<State>(draftOf(props.area), begin)
  return stored === null ? <Loading /> : <SplitEditor {...props} stored={stored} />
}

function SplitEditor({
  area,
  corners: ring,
  stored,
}: SplitAreaProps & { readonly stored: DrawingDraft<State> }): JSX.Element {
  const { state, change, since, startAnew } = stored
  const { drawing, naming } = state
  const { name } = area
  const [fault, setFault] = useState<string | undefined>(undefined)
  const surface = useSurface({ begin: ring, onTap: (tap) => naming === null && corners.tap(tap) })
  const corners = useCorners({
    surface,
    drawing,
    isRing: false,
    onChange: (next) => {
      setFault(undefined)
      change(() => ({ drawing: next }))
    },
  })
  const isAiming = naming === null
  const aimed = isAiming && corners.chosen === null ? [...drawing.corners, cornerAt(corners.aim.at)] : drawing.corners
  const split = splitBy(ring, drawing.corners) ?? splitBy(ring, aimed)
  useSketch(surface, {
    corners: drawing.corners,
    isRing: false,
    isLine: true,
    aim: isAiming ? corners.aim.at : null,
    isSnapped: isAiming && corners.aim.to !== null,
    chosen: corners.chosen,
    beds: split === undefined ? [] : [split.off],
  })
  const finish = () => {
    const done = splitBy(ring, drawing.corners)
    setFault(done === undefined ? say('draw.split-not', { name }) : undefined)
    if (done !== undefined) change(() => ({ naming: namingOf(area) }))
  }
  const save = async () => {
    const done = splitBy(ring, drawing.corners)
    if (done === undefined || naming === null) return
    const saved = await saveAreas({
      changes: [reshapedArea(area, done.rest, 'area'), newArea(state.uuid, done.off, naming)],
      draft: draftOf(area),
      words: say('draw.split-saved', { part: naming.name.trim(), name }),
      onFault: setFault,
    })
    if (saved === undefined) return
    arriving.value = true
    replace(`/map?area=${state.uuid}`)
  }
  return (
    <DrawPage
      title={say('draw.split-of', { name })}
      surface={surface}
      {...(isAiming ? { keys: keysOf(corners) } : {})}
      hasCross={isAiming}
    >
      {since !== null && isAiming && <DraftNotice at={since} onStartAnew={startAnew} />}
      {split !== undefined && (
        <p class="num">
          {say('draw.split-sizes', {
            off: surfaceText(sizeOf(split.off)),
            rest: surfaceText(sizeOf(split.rest)),
            name,
          })}
        </p>
      )}
      {naming !== null && split !== undefined ? (
        <NamingPanel
          corners={split.off}
          naming={naming}
          onChange={(part) => change((before) => ({ naming: before.naming && { ...before.naming, ...part } }))}
          onSave={save}
          onBack={() => change(() => ({ naming: null }))}
          fault={fault}
        />
      ) : corners.chosen !== null ? (
        <ChosenPanel drawing={drawing} corners={corners} />
      ) : (
        <AddPanel
          drawing={drawing}
          corners={corners}
          hint={drawing.corners.length === 0 ? say('draw.split-begin', { name }) : say('draw.slide')}
          isLine
          fault={fault}
          onFinish={finish}
        />
      )}
    </DrawPage>
  )
}

/** Same type as the split area. */
function namingOf({ name, fields }: LocalRecord): AreaDetails {
  const parents = idsIn(fields.parent).flatMap((id) => termBy(id) ?? [])
  return {
    name: partName(name, areaNames()),
    type: typeof fields.area_type === 'string' ? fields.area_type : 'other',
    parent: parents.map(referenceTo),
    form: 'area',
  }
}
