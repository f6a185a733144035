import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { iconOfAsset } from '../../look/icon-of.ts'
import { pageOf } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { bundleOf, choiceLabel, dotted, labelOf } from '../../look/names.ts'
import { AreaShape } from '../../look/place/area-shape.tsx'
import { sizeText } from '../../look/place/area-size.ts'
import { terms } from '../../store/local-copy.ts'
import { idsIn, isArchived, isArea, type LocalRecord } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { byName } from '../long-list.tsx'

interface RecordRowsProps {
  readonly title: string
  readonly records: readonly LocalRecord[]
}

const first = 8

/** Related records, the first few. */
export function RecordRows({ title, records }: RecordRowsProps): JSX.Element | null {
  const [showsAll, setShowsAll] = useState(false)
  if (records.length === 0) return null
  const sorted = records.toSorted(byName)
  return (
    <div class="book">
      <Section title={title} count={records.length}>
        {sorted.slice(0, showsAll ? records.length : first).map((record) => (
          <RecordRow record={record} key={record.uuid} />
        ))}
      </Section>
      {records.length > first && !showsAll && (
        <p class="words">
          <button type="button" class="btn" onClick={() => setShowsAll(true)}>
            {say('record.show-all', { count: records.length })}
          </button>
        </p>
      )}
    </div>
  )
}

function RecordRow({ record }: { readonly record: LocalRecord }): JSX.Element {
  const isAsset = record.type === 'asset'
  const isPlace = isArea(record)
  return (
    <Row
      to={pageOf(record)}
      margin={isAsset ? <Icon name={iconOfAsset(record)} /> : isPlace && <AreaShape area={record} />}
      title={<bdi class={isPlace ? 'place' : undefined}>{record.name}</bdi>}
      second={isAsset ? kindOfAsset(record) : isPlace && kindOfArea(record)}
      end={<Icon name="next" size="small" />}
    />
  )
}

/** "Brown Swiss", "Leek": species, breed or crop, else the type. */
export function kindOfAsset(asset: LocalRecord): string {
  const fields = Object.entries(bundleOf(asset)?.fields ?? {})
  const names = fields
    .filter(([, { kind, to, required }]) => kind === 'reference' && to === 'taxonomy_term' && required === true)
    .flatMap(([name]) => idsIn(asset.fields[name]))
    .flatMap((id) => terms.value.get(id)?.name ?? [])
  const kind = names.length > 0 ? names.join(', ') : labelOf(asset)
  return dotted([kind, isArchived(asset) ? say('asset.is-archived') : undefined])
}

/** "Paddock · 2.84 ha" */
export function kindOfArea(area: LocalRecord): string {
  const { area_type: type } = area.fields
  return dotted([typeof type === 'string' ? choiceLabel('area_types', type) : labelOf(area), sizeText(area)])
}
