import { bundleOf, choiceLabel, dotted, labelOf } from '../../look/names.ts'
import { sizeText } from '../../look/place/area-size.ts'
import { terms } from '../../store/local-copy.ts'
import { idsIn, isArchived, type KeptRecord } from '../../store/record.ts'

import { say } from './say.ts'

/** "Brown Swiss", "Leek": the words that its type asks for, else the type. */
export function kindOfAsset(asset: KeptRecord): string {
  const fields = Object.entries(bundleOf(asset)?.fields ?? {})
  const names = fields
    .filter(([, { kind, to, required }]) => kind === 'reference' && to === 'taxonomy_term' && required === true)
    .flatMap(([name]) => idsIn(asset.fields[name]))
    .flatMap((id) => terms.value.get(id)?.name ?? [])
  const kind = names.length > 0 ? names.join(', ') : labelOf(asset)
  return dotted([kind, isArchived(asset) ? say('asset.is-archived') : undefined])
}

/** "Paddock · 2.84 ha" */
export function kindOfArea(area: KeptRecord): string {
  const { area_type: type } = area.fields
  return dotted([typeof type === 'string' ? choiceLabel('area_types', type) : labelOf(area), sizeText(area)])
}
