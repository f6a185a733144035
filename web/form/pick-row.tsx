import type { ComponentChildren, JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset } from '../look/icon-of.ts'
import { choiceLabel, dotted, labelOf } from '../look/names.ts'
import { AreaShape } from '../look/place/area-shape.tsx'
import { sizeText } from '../look/place/area-size.ts'
import { terms } from '../store/local-copy.ts'
import { idsIn, type KeptRecord, tagsOf } from '../store/record.ts'
import { placesOf } from '../store/stays.ts'

interface PickLook {
  readonly chosen?: readonly string[]
  readonly title?: (record: KeptRecord) => ComponentChildren
  readonly second?: (record: KeptRecord) => ComponentChildren
  readonly end?: (record: KeptRecord) => ComponentChildren
}

interface PickRowProps {
  readonly record: KeptRecord
  readonly look: PickLook
  readonly onPick: (record: KeptRecord) => void
}

/** A line that is chosen by a tap anywhere in it. */
export function PickRow({ record, look: { chosen, title, second, end }, onPick }: PickRowProps): JSX.Element {
  const isChosen = chosen?.some((id) => id === record.id || id === record.uuid)
  return (
    <li>
      <button type="button" class="row" aria-pressed={isChosen} onClick={() => onPick(record)}>
        <span class="m">
          <Margin record={record} />
        </span>
        <span class="t">
          <b class={isArea(record) ? 'place' : undefined}>{title?.(record) ?? record.name}</b>
          <small>{second?.(record) ?? secondOf(record)}</small>
        </span>
        <span class="e">
          {end?.(record) ??
            (chosen === undefined ? <Icon name="next" size="small" /> : isChosen && <Icon name="check" />)}
        </span>
      </button>
    </li>
  )
}

const isArea = ({ bundle }: KeptRecord): boolean => bundle === 'farm_areas'

function Margin({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  if (record.type === 'asset') return <Icon name={iconOfAsset(record)} />
  return isArea(record) ? <AreaShape area={record} /> : null
}

function secondOf(record: KeptRecord): string {
  if (record.type === 'asset') {
    const tags = tagsOf(record)
    const places = placesOf(record.id).map(({ place }) => terms.value.get(place ?? '')?.name)
    return dotted([labelOf(record), ...places, ...tags.filter((tag) => tag !== record.name)])
  }
  const above = idsIn(record.fields.parent).map((id) => terms.value.get(id)?.name)
  const { area_type: type } = record.fields
  if (!isArea(record)) return dotted(above)
  return dotted([typeof type === 'string' ? choiceLabel('area_types', type) : undefined, sizeText(record), ...above])
}
