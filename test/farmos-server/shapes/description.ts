import type { Bundle, Field } from '../data/bundle.ts'
import type { Farm } from '../data/farm.ts'
import type { Shown } from './records.ts'
import type { View } from './view.ts'

const kinds = ['taxonomy_term', 'farm_asset', 'log'] as const

/** `/farm.json` for somebody with a role on the farm. */
export function farmShown({ farm, base, viewer }: View): Shown {
  const account = farm.accounts.find(({ id }) => id === viewer)
  return {
    ...farmInfo(farm, base),
    user: { uid: String(viewer), name: account?.name, mail: account?.mail, language: 'en' },
    languages: { en: { language: 'en', name: 'English', native: 'English', direction: 0 } },
    metrics: metricsOf(farm),
    system_of_measurement: farm.systemOfMeasurement,
    resources: Object.fromEntries(kinds.map((kind) => [kind, bundlesShown(farm, kind)])),
  }
}

export const farmInfo = ({ name }: Farm, base: string): Shown => ({ name, url: base, api_version: '1.4' })

function bundlesShown({ bundles, vocabularies }: Farm, kind: Bundle['kind']): Shown {
  const ofKind = bundles.filter((bundle) => bundle.kind === kind)
  return Object.fromEntries(
    ofKind.map(({ name, label, plural, fields }) => {
      const vocabulary = vocabularies.find(({ machineName }) => kind === 'taxonomy_term' && machineName === name)
      return [
        name,
        {
          label,
          label_plural: plural,
          ...(vocabulary && { vid: String(vocabulary.id) }),
          ...(Object.keys(fields).length > 0 && { fields: described(fields) }),
        },
      ]
    }),
  )
}

const described = (fields: Bundle['fields']): Shown =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describedField(field)]))

const describedField = ({ label, type, required, startsAs, schema }: Field): Shown => ({
  label,
  type,
  required,
  ...(startsAs !== undefined && { default_value: startsAs }),
  data_schema: schema,
})

/** An empty list where nothing is counted, else an object. */
function metricsOf({ assets, terms, bundles }: Farm): Shown | [] {
  const types = bundles.filter(
    ({ kind, name }) => kind === 'farm_asset' && assets.some(({ bundle }) => bundle === name),
  )
  const counted = types.map(({ name, plural }) => [
    name,
    {
      label: plural,
      value: String(assets.filter(({ bundle, archived }) => bundle === name && archived === 0).length),
      link: `farm/assets/${plural.toLowerCase()}/list`,
      weight: 0,
    },
  ])
  const areas = terms.filter(({ bundle }) => bundle === 'farm_areas').length
  if (areas > 0) counted.push(['areas', { label: 'Areas', value: String(areas), link: 'farm/areas', weight: 100 }])
  return counted.length === 0 ? [] : Object.fromEntries(counted)
}
