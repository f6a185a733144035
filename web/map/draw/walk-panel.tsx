import type { JSX } from 'preact'
import { Icon } from '../../look/icon.tsx'
import { Figures, Hint, UndoAndFinish, wholeFigures } from './corner-panels.tsx'
import { formOf } from './corners.ts'
import type { Drawing } from './drawing.ts'
import { lengthText } from './measures.ts'
import { say } from './say.ts'
import type { Corners } from './use-corners.ts'
import { mostAccuracy, type Walk } from './walk.ts'

interface WalkPanelProps {
  readonly walk: Walk
  readonly drawing: Drawing
  readonly corners: Corners
  readonly fault?: string | undefined
  readonly onFinish: () => void
}

/** A corner where somebody stands; the button says how surely. */
export function WalkPanel({ walk, drawing, corners, fault, onFinish }: WalkPanelProps): JSX.Element {
  const { main, second } = wholeFigures(drawing.corners, formOf(drawing.corners))
  return (
    <>
      <Figures main={main === '' ? say('draw.nothing-yet') : main} second={second} />
      <Hint corners={corners} drawing={drawing} fault={fault}>
        {walk.kind === 'good' ? say('draw.walk-hint') : troubleOf(walk)}
      </Hint>
      <button
        type="button"
        class="btn main-do fill"
        disabled={walk.kind !== 'good'}
        onClick={() => walk.kind === 'good' && corners.addAt(walk.fix.corner)}
      >
        <Icon name="plus" />
        {'fix' in walk ? say('draw.walk-add', { accuracy: lengthText(walk.fix.accuracy) }) : say('draw.add')}
      </button>
      <UndoAndFinish drawing={drawing} corners={corners} onFinish={onFinish} />
    </>
  )
}

function troubleOf(walk: Exclude<Walk, { readonly kind: 'good' }>): string {
  if (walk.kind !== 'rough' || !('fix' in walk)) return say(`draw.walk.${walk.kind as 'old' | 'waiting'}`)
  return say('draw.walk.rough', { accuracy: lengthText(walk.fix.accuracy), most: lengthText(mostAccuracy) })
}
