import { assetBy, termBy } from '../store/copy.ts'
import type { Fields } from '../store/types.ts'
import { listOf } from './control.ts'
import type { Reference } from './reference-value.ts'

const most = 3

/** What a log is called whose name was left empty: "Harvest: Leek, Bed 3". */
export function composedName(label: string, values: Fields): string {
  const assets = listOf(values.asset).map((one) => nameOf(one as Reference, assetBy))
  const areas = listOf(values.area).map((one) => nameOf(one as Reference, termBy))
  const names = [...assets, ...areas].filter((name) => name !== undefined).slice(0, most)
  return names.length === 0 ? label : `${label}: ${names.join(', ')}`
}

type By = (idOrUuid: string) => { readonly name: string } | undefined

const nameOf = ({ id, uuid, name }: Reference, by: By): string | undefined => by(id ?? uuid ?? '')?.name ?? name
