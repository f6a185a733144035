import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { figure } from '../words/format.ts'
import type { ControlProps } from './control.ts'
import { here, hereState, lookWhere } from './here.ts'
import { LongTextControl } from './long-text.tsx'
import { say } from './say.ts'
import { wktIn, wktOfPoint } from './shape-value.ts'

/** As text, or where this device is. In a list a shape is `{ geom }`, else its text alone. */
export function GeometryControl(props: ControlProps): JSX.Element {
  const { field, label, value, onChange } = props
  const change = (wkt: string) => onChange(wkt === '' ? undefined : field.many === true ? { geom: wkt } : wkt)
  const mark = async () => {
    const found = await lookWhere()
    if (found !== null) change(wktOfPoint(found))
  }
  return (
    <div class="rows">
      <LongTextControl {...props} value={wktIn(value)} onChange={(text) => change(String(text))} />
      <p>
        <button
          type="button"
          class="btn"
          aria-label={say('form.my-position-for', { label })}
          disabled={hereState.value === 'asking'}
          onClick={mark}
        >
          <Icon name="locate" />
          {say('form.my-position')}
        </button>
        <span class="small soft" role="status">
          {' '}
          {hereState.value === 'found' && here.value !== null
            ? say('form.accurate-to', { metres: figure(here.value.accuracy) })
            : null}
          {hereState.value === 'refused' && say('form.position-refused')}
          {hereState.value === 'missing' && say('form.position-missing')}
        </span>
      </p>
    </div>
  )
}
