import type { JSX } from 'preact'
import { say } from '../../form/say.ts'
import { pageOf } from '../../look/address-of.ts'
import { Link } from '../../look/link.tsx'
import { bundleOf } from '../../look/names.ts'
import { groupsOf, placesOf } from '../../store/stays.ts'
import type { KeptRecord } from '../../store/types.ts'
import { type Fact, Facts, factOf } from '../record/facts.tsx'
import { shown } from '../record/shown.tsx'

/** What follows from logs is shown with the way to the reason, and never asked for. */
export function ComputedFacts({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  const facts = record.type === 'asset' ? factsOfAsset(record) : []
  if (facts.length === 0) return null
  return (
    <section class="from-logs">
      <h2 class="sub">{say('form.from-logs')}</h2>
      <Facts facts={facts} />
      <Link to={`${pageOf(record)}?show=why`} class="because tap">
        {say('form.why')}
      </Link>
    </section>
  )
}

function factsOfAsset(asset: KeptRecord): readonly Fact[] {
  const fields = bundleOf(asset)?.fields ?? {}
  const values: Readonly<Record<string, unknown>> = {
    location: placesOf(asset.id).flatMap(({ place }) => (place === null ? [] : [{ id: place }])),
    group: groupsOf(asset.id).flatMap(({ place }) => (place === null ? [] : [{ id: place }])),
    inventory: asset.fields.inventory === '0' ? undefined : asset.fields.inventory,
  }
  return Object.entries(fields).flatMap(([name, field]) =>
    field.computed === undefined ? [] : factOf(field.label, shown(values[name], field)),
  )
}
