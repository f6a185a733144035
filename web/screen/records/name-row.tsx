import type { JSX } from 'preact'
import { pageOf } from '../../look/address-of.ts'
import { Icon } from '../../look/icon.tsx'
import { iconOfAsset } from '../../look/icon-of.ts'
import { choiceLabel, dotted, labelOf } from '../../look/names.ts'
import { AreaShape } from '../../look/place/area-shape.tsx'
import { sizeText } from '../../look/place/area-size.ts'
import { Row } from '../../look/row.tsx'
import { terms } from '../../store/local-copy.ts'
import { isArchived, type KeptRecord, tagsOf } from '../../store/record.ts'
import { contentsOf, placesOf } from '../../store/stays.ts'

import { say } from './say.ts'

interface NameRowProps {
  readonly record: KeptRecord
}

export function NameRow({ record }: NameRowProps): JSX.Element {
  if (record.type === 'asset') return <AssetRow record={record} />
  return record.bundle === 'farm_areas' ? <AreaRow record={record} /> : <TermRow record={record} />
}

function AssetRow({ record }: NameRowProps): JSX.Element {
  const tags = tagsOf(record)
  const places = placesOf(record.id).map(({ place }) => terms.value.get(place ?? '')?.name)
  const archived = isArchived(record) ? say('records.archived') : undefined
  return (
    <Row
      to={pageOf(record)}
      margin={<Icon name={iconOfAsset(record)} />}
      title={record.name}
      second={dotted([labelOf(record), ...places, ...tags.filter((tag) => tag !== record.name), archived])}
    />
  )
}

function AreaRow({ record }: NameRowProps): JSX.Element {
  const { area_type: type } = record.fields
  const count = contentsOf(record.id).length
  return (
    <Row
      to={pageOf(record)}
      margin={<AreaShape area={record} />}
      title={<span class="place">{record.name}</span>}
      second={dotted([
        typeof type === 'string' ? choiceLabel('area_types', type) : undefined,
        sizeText(record),
        count > 0 ? say('records.here', { count }) : undefined,
        isArchived(record) ? say('records.archived') : undefined,
      ])}
    />
  )
}

function TermRow({ record }: NameRowProps): JSX.Element {
  return <Row to={pageOf(record)} title={record.name} second={labelOf(record)} />
}
