import type { ComponentChildren, JSX } from 'preact'
import { Icon } from '../../look/icon.tsx'
import { surfaceText } from '../../look/place/area-size.ts'
import { say } from '../../words/say.ts'
import type { DrawingState } from './drawing.ts'
import { type Corner, cornerAt, formOf, lengthOf, type ShapeForm, sizeOf } from './geometry.ts'
import { lengthText } from './lengths.tsx'
import type { Corners } from './use-corners.ts'

interface FiguresProps {
  readonly main: string
  readonly second: string
}

/** Measurements on one line. */
export function Figures({ main, second }: FiguresProps): JSX.Element {
  return (
    <div class="draw-figures num">
      <p class="h24">{main}</p>
      <p class="soft">{second}</p>
    </div>
  )
}

/** Measurements of the corners so far, including the one under the crosshair. */
function partialFigures(corners: readonly Corner[], form: ShapeForm): FiguresProps {
  const number = corners.length
  const length = lengthText(lengthOf(corners, form))
  if (form === 'area') return { main: surfaceText(sizeOf(corners)), second: say('draw.around', { length, number }) }
  if (form === 'line') return { main: length, second: say('draw.along', { number }) }
  return { main: '', second: say('draw.along', { number }) }
}

/** Measurements of a finished shape. */
export function wholeFigures(corners: readonly Corner[], form: ShapeForm): FiguresProps {
  const length = lengthText(lengthOf(corners, form))
  const main = form === 'area' ? surfaceText(sizeOf(corners)) : form === 'line' ? length : ''
  return { main, second: form === 'area' ? say('draw.all-around', { length, count: corners.length }) : '' }
}

interface AddPanelProps {
  readonly drawing: DrawingState
  readonly corners: Corners
  readonly hint: string
  /** Lines have no surface. */
  readonly isLine?: boolean
  readonly fault?: string | undefined
  readonly onFinish: () => void
}

/** Add corner, Undo, Finish; the crosshair is in the middle of the map. */
export function AddPanel({ drawing, corners, hint, isLine, fault, onFinish }: AddPanelProps): JSX.Element {
  const { aim } = corners
  const aimed = corners.isClicked ? drawing.corners : [...drawing.corners, cornerAt(aim.at)]
  const form = isLine === true && aimed.length > 1 ? 'line' : formOf(aimed)
  return (
    <>
      <Figures
        {...(drawing.corners.length === 0
          ? { main: say('draw.nothing-yet'), second: '' }
          : partialFigures(aimed, form))}
      />
      <Hint corners={corners} drawing={drawing} fault={fault}>
        {aim.to === null ? hint : say('draw.snapped', { name: aim.to })}
      </Hint>
      <button type="button" class="btn main-do fill" onClick={corners.add}>
        <Icon name="plus" />
        {say('draw.add')}
      </button>
      <UndoAndFinish drawing={drawing} corners={corners} onFinish={onFinish} />
    </>
  )
}

interface HintProps {
  readonly corners: Corners
  readonly drawing: DrawingState
  readonly fault?: string | undefined
  readonly children: ComponentChildren
}

/** Next step or fault, and links to set corners. */
export function Hint({ corners, drawing, fault, children }: HintProps): JSX.Element {
  const last = drawing.corners.length - 1
  return (
    <div class="sheet-line draw-hint">
      {fault === undefined ? (
        <p class="soft">{children}</p>
      ) : (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {last >= 0 && (
        <button type="button" class="btn plain small" onClick={() => corners.choose(last)}>
          {say('draw.choose-corner')}
        </button>
      )}
      <p class="out" role="status">
        {corners.announcement}
      </p>
    </div>
  )
}

interface UndoAndFinishProps {
  readonly drawing: DrawingState
  readonly corners: Corners
  readonly onFinish: () => void
}

export function UndoAndFinish({ drawing, corners, onFinish }: UndoAndFinishProps): JSX.Element {
  return (
    <div class="two">
      <UndoStep drawing={drawing} corners={corners} />
      <button type="button" class="btn" disabled={drawing.corners.length === 0} onClick={onFinish}>
        <Icon name="check" />
        {say('draw.finish')}
      </button>
    </div>
  )
}

export function UndoStep({ drawing, corners }: Pick<UndoAndFinishProps, 'drawing' | 'corners'>): JSX.Element {
  return (
    <button type="button" class="btn" disabled={drawing.before.length === 0} onClick={corners.undo}>
      <Icon name="undo" />
      {say('draw.undo')}
    </button>
  )
}

/** Actions for the selected corner. */
export function ChosenPanel({ drawing, corners }: Pick<UndoAndFinishProps, 'drawing' | 'corners'>): JSX.Element {
  const count = drawing.corners.length
  const at = corners.chosen ?? 0
  return (
    <>
      <div class="sheet-head">
        <h2>{say('draw.corner-of', { number: at + 1, count })}</h2>
        <button
          type="button"
          class="icon-btn far"
          aria-label={say('draw.corner-before')}
          onClick={() => corners.choose((at + count - 1) % count)}
        >
          <Icon name="back" />
        </button>
        <button
          type="button"
          class="icon-btn"
          aria-label={say('draw.corner-behind')}
          onClick={() => corners.choose((at + 1) % count)}
        >
          <Icon name="next" />
        </button>
        <button type="button" class="icon-btn" aria-label={say('draw.leave')} onClick={() => corners.choose(null)}>
          <Icon name="close" />
        </button>
      </div>
      <p class="soft">
        {corners.aim.to === null ? say('draw.put-hint') : say('draw.snapped', { name: corners.aim.to })}
      </p>
      <button type="button" class="btn main-do fill" onClick={corners.put}>
        <Icon name="check" />
        {say('draw.put')}
      </button>
      <div class="two">
        <button type="button" class="btn" onClick={corners.remove}>
          {say('draw.remove')}
        </button>
        <button type="button" class="btn" disabled={count < 2} onClick={corners.addBehind}>
          {say('draw.add-behind')}
        </button>
      </div>
    </>
  )
}

/** Keys of the map while adding a corner, or while one is selected. */
export const keysOf = (corners: Corners) =>
  corners.chosen === null
    ? { label: say('draw.keys-add'), onEnter: corners.add, onBackspace: corners.undo }
    : { label: say('draw.keys-put'), onEnter: corners.put, onBackspace: () => corners.choose(null) }
