import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Pane } from '../../look/pane.tsx'
import { AreaShape } from '../../look/place/area-shape.tsx'
import { Row } from '../../look/row.tsx'
import { Title } from '../../look/title.tsx'
import { searchNames } from '../../store/search.ts'
import { say } from './say.ts'
import { ValueField } from './value-field.tsx'

const shown = 50

/** A history is of one area: which one is asked first. */
export function ChooseArea(): JSX.Element {
  const [text, setText] = useState('')
  const areas = searchNames(text).filter(({ bundle }) => bundle === 'farm_areas')
  return (
    <Pane class="book alone" name="page">
      <div class="head">
        <Title text={say('reports.field-history')} />
        <ValueField label={say('reports.which-area')} value={text} onText={setText} />
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
