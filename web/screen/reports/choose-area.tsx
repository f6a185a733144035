import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Pane } from '../../look/pane.tsx'
import { AreaShape } from '../../look/place/area-shape.tsx'
import { Row } from '../../look/row.tsx'
import { Title } from '../../look/title.tsx'
import { searchNames } from '../../store/search.ts'
import { say } from './say.ts'

const shown = 50

/** A history is of one area: which one is asked first. */
export function ChooseArea(): JSX.Element {
  const [text, setText] = useState('')
  const id = useId()
  const areas = searchNames(text).filter(({ bundle }) => bundle === 'farm_areas')
  return (
    <Pane class="book alone" name="page">
      <div class="head">
        <Title text={say('reports.field-history')} />
        <label class="values" for={id}>
          {say('reports.which-area')}
          <span class="field">
            <input
              id={id}
              value={text}
              autocomplete="off"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </span>
        </label>
      </div>
      <ul>
        {areas.slice(0, shown).map((area) => (
          <Row
            key={area.id}
            to={`/reports/field-history?area=${area.id}`}
            margin={<AreaShape area={area} />}
            title={<bdi>{area.name}</bdi>}
          />
        ))}
      </ul>
      {areas.length === 0 && <p class="words soft">{say('reports.no-areas')}</p>}
    </Pane>
  )
}
